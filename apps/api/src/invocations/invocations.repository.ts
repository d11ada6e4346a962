import { Inject, Injectable } from '@nestjs/common';
import { Database, type InvocationRow, newId, type ProjectScope } from '@berth/database';
import type { CreateInvocation, ListInvocationsQuery } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';

export type Recorded =
  | { readonly outcome: 'recorded'; readonly row: InvocationRow }
  | { readonly outcome: 'full'; readonly running: number }
  | { readonly outcome: 'project_inactive' };

/** The rows of invocations within one project. */
@Injectable()
export class InvocationsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Counts and records under the organization's lock, so that racing creates cannot pass the cap together (D28). */
  record(scope: ProjectScope, { app_name, action_name, version, payload }: CreateInvocation, limit: number | null): Promise<Recorded> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      const project = await transaction.organization(scope).project.findFirst({ where: { id: scope.projectId, status: 'active', deletedAt: null }, select: { id: true } });
      if (project === null) return { outcome: 'project_inactive' };
      const { invocation } = transaction.project(scope);
      const running = limit === null ? 0 : await invocation.count({ where: { status: 'running' } });
      if (limit !== null && running >= limit) return { outcome: 'full', running };
      const row = await invocation.create({ data: { id: newId(), appName: app_name, actionName: action_name, version, payload: payload ?? null } });
      return { outcome: 'recorded', row };
    });
  }

  find(scope: ProjectScope, id: string): Promise<InvocationRow | null> {
    return this.database.project(scope).invocation.findFirst({ where: { id } });
  }

  list(scope: ProjectScope, filter: ListInvocationsQuery, page: Page): Promise<InvocationRow[]> {
    const { app_name, action_name, version, status, since, query } = filter;
    // A run is never queued: it is recorded as running.
    if (status === 'queued') return Promise.resolve([]);
    const contains = query === undefined ? undefined : { contains: query.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const };
    return this.database.project(scope).invocation.findMany({
      where: {
        ...(app_name === undefined ? {} : { appName: app_name }),
        ...(action_name === undefined ? {} : { actionName: action_name }),
        ...(version === undefined ? {} : { version }),
        ...(status === undefined ? {} : { status }),
        ...(since === undefined ? {} : { startedAt: { gte: new Date(since) } }),
        ...(contains === undefined ? {} : { OR: [{ id: contains }, { appName: contains }, { actionName: contains }] }),
      },
      orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
      ...rowsOf(page),
    });
  }

  /** Ends a run that is running; undefined when it is not. */
  async finish(scope: ProjectScope, id: string, status: 'succeeded' | 'failed', output: string | undefined): Promise<InvocationRow | undefined> {
    const [row] = await this.database.project(scope).invocation.updateManyAndReturn({
      where: { id, status: 'running' },
      data: { status, finishedAt: new Date(), ...(output === undefined ? {} : { output }) },
    });
    return row;
  }
}
