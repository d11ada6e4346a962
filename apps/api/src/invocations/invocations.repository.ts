import { Inject, Injectable } from '@nestjs/common';
import { Database, type InvocationRow, type Prisma, type ProjectScope } from '@berth/database';
import type { CreateInvocation, ListInvocationsQuery, UpdateInvocation } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';

/** `inactive` and `full` are refusals: nothing was recorded. */
export type Recorded =
  | { readonly row: InvocationRow }
  | { readonly refused: 'inactive' }
  | { readonly refused: 'full'; readonly limit: number; readonly used: number };

// On the way to every request about a run, so written by hand.
const byId = {
  name: 'invocation-by-id',
  text: `SELECT id, organization_id AS "organizationId", project_id AS "projectId", app_name AS "appName", action_name AS "actionName", version, status, payload, output,
                started_at AS "startedAt", finished_at AS "finishedAt" FROM invocations WHERE project_id = $1 AND id = $2`,
};

/** Text anywhere in either name, in any case; Prisma escapes `%` and `_`. */
function mentions(query: string): Prisma.InvocationWhereInput {
  const part = { contains: query, mode: 'insensitive' } as const;
  return { OR: [{ appName: part }, { actionName: part }] };
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The moment that `since` names, by itself or by how long ago it was. Nothing ran before 1970, and PostgreSQL has no year 0. */
function momentOf(since: string): Date {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(since) ?? [];
  const ago = unitMs[unit];
  return new Date(Math.max(0, ago === undefined ? Date.parse(since) : Date.now() - Number(count) * ago));
}

@Injectable()
export class InvocationsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Records a run under the organization's lock, so that two racing requests never count the same free place (D28). */
  record(scope: ProjectScope, id: string, given: CreateInvocation): Promise<Recorded> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      const project = await transaction
        .organization(scope)
        .project.findFirst({ where: { id: scope.projectId, status: 'active', deletedAt: null } });
      if (project === null) return { refused: 'inactive' };
      const { invocation } = transaction.project(scope);
      const limit = project.maxConcurrentInvocations;
      if (limit !== null) {
        const used = await invocation.count({ where: { status: 'running' } });
        if (used >= limit) return { refused: 'full', limit, used };
      }
      const row = await invocation.create({
        data: { id, appName: given.app_name, actionName: given.action_name, version: given.version, payload: given.payload ?? null },
      });
      return { row };
    });
  }

  async find(scope: ProjectScope, id: string): Promise<InvocationRow | null> {
    return (await this.database.queryProject<InvocationRow>(scope, byId, id))[0] ?? null;
  }

  /** One row more than the page, in the order of D15. */
  page(scope: ProjectScope, query: ListInvocationsQuery, page: Page): Promise<InvocationRow[]> {
    const { app_name: appName, action_name: actionName, version, status, since, query: text } = query;
    // A run is recorded as running at once (D35), so none is ever queued.
    if (status === 'queued') return Promise.resolve([]);
    return this.database
      .project(scope)
      .invocation.findMany({
        where: {
          ...(appName === undefined ? {} : { appName }),
          ...(actionName === undefined ? {} : { actionName }),
          ...(version === undefined ? {} : { version }),
          ...(status === undefined ? {} : { status }),
          ...(since === undefined ? {} : { startedAt: { gte: momentOf(since) } }),
          ...(text === undefined ? {} : mentions(text)),
        },
        orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
        ...rowsOf(page),
      });
  }

  /** Ends a run once; undefined when it is not running any more. */
  async end(scope: ProjectScope, id: string, { status, output }: UpdateInvocation): Promise<InvocationRow | undefined> {
    const ended = await this.database
      .project(scope)
      .invocation.updateManyAndReturn({
        where: { id, status: 'running' },
        data: { status, output: output ?? null, finishedAt: new Date() },
      });
    return ended[0];
  }
}
