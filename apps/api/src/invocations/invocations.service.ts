import { Inject, Injectable } from '@nestjs/common';
import type { InvocationRow, ProjectScope } from '@berth/database';
import type { CreateInvocation, UpdateInvocation } from '@berth/schema';
import { capReached } from '../admission/slots.js';
import { ApiError, notFound, projectNotFound } from '../errors/api-error.js';
import { InvocationsRepository } from './invocations.repository.js';

@Injectable()
export class InvocationsService {
  constructor(@Inject(InvocationsRepository) private readonly repository: InvocationsRepository) {}

  async record(scope: ProjectScope, id: string, given: CreateInvocation): Promise<InvocationRow> {
    const recorded = await this.repository.record(scope, id, given);
    if ('row' in recorded) return recorded.row;
    if (recorded.refused === 'inactive') throw projectNotFound();
    throw capReached('project', recorded.limit, recorded.used, 'concurrent invocations');
  }

  /** The same status again changes nothing; the other one is refused (D35). Browsers of the run go on. */
  async end(scope: ProjectScope, id: string, update: UpdateInvocation): Promise<InvocationRow> {
    const row = (await this.repository.end(scope, id, update)) ?? (await this.repository.find(scope, id));
    if (row === null) throw notFound();
    if (row.status !== update.status)
      throw new ApiError('conflict', `The invocation has ended as ${row.status} already, which cannot be changed.`);
    return row;
  }
}
