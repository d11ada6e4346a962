import { Inject, Injectable } from '@nestjs/common';
import type { InvocationRow, ProjectScope } from '@berth/database';
import type { CreateInvocation, Invocation, ListInvocationsQuery, UpdateInvocation } from '@berth/schema';
import { ApiError, notFound, projectNotFound } from '../errors/api-error.js';
import { Caps } from '../limits/caps.js';
import type { Page } from '../request/paging.js';
import { invocationView } from './invocation-view.js';
import { InvocationsRepository } from './invocations.repository.js';

/** Runs of one project (D35). A run owns browsers; ending it leaves them running. */
@Injectable()
export class InvocationsService {
  constructor(
    @Inject(InvocationsRepository) private readonly invocations: InvocationsRepository,
    @Inject(Caps) private readonly caps: Caps,
  ) {}

  /** @throws ApiError concurrency_limit_exceeded at `max_concurrent_invocations` (D28) */
  async create(scope: ProjectScope, asked: CreateInvocation): Promise<Invocation> {
    const { invocationLimit } = await this.caps.ofProject(scope);
    const recorded = await this.invocations.record(scope, asked, invocationLimit);
    switch (recorded.outcome) {
      case 'recorded':
        return invocationView(recorded.row);
      case 'project_inactive':
        throw projectNotFound();
      case 'full':
        throw new ApiError('concurrency_limit_exceeded', 'The project has as many running invocations as it may.', {
          details: [{ code: 'project', message: `limit ${String(invocationLimit)}, used ${recorded.running}` }],
        });
    }
  }

  async find(scope: ProjectScope, id: string): Promise<InvocationRow | undefined> {
    return (await this.invocations.find(scope, id)) ?? undefined;
  }

  async list(scope: ProjectScope, filter: ListInvocationsQuery, page: Page): Promise<Invocation[]> {
    return (await this.invocations.list(scope, filter, page)).map(invocationView);
  }

  /** The same end again changes nothing; the other one is a conflict (D35). @throws ApiError conflict, not_found */
  async finish(scope: ProjectScope, id: string, { status, output }: UpdateInvocation): Promise<Invocation> {
    const row = (await this.invocations.finish(scope, id, status, output)) ?? (await this.invocations.find(scope, id));
    if (row === null) throw notFound();
    if (row.status !== status) throw new ApiError('conflict', `The invocation has ended already: ${row.status}.`);
    return invocationView(row);
  }
}
