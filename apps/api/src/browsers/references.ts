import { Inject, Injectable } from '@nestjs/common';
import { Database, type ProjectScope } from '@berth/database';
import type { ProfileReference } from '@berth/schema';
import { invalid } from '../errors/api-error.js';

/**
 * Resolves what a body refers to, within the caller's own project: what does not resolve there is a 400 naming the field, never a 404 (D8).
 */
@Injectable()
export class References {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** @throws ApiError bad_request */
  async profile(scope: ProjectScope, { id, name }: ProfileReference): Promise<string> {
    const found = await this.database
      .project(scope)
      .profile.findFirst({ where: { deletedAt: null, ...(id === undefined ? { name: name ?? '' } : { id }) }, select: { id: true } });
    if (found === null) throw invalid({ field: 'profile', message: 'names no profile of this project' });
    return found.id;
  }

  /** A browser can only be created under a run that is still running (D35). @throws ApiError bad_request */
  async runningInvocation(scope: ProjectScope, id: string): Promise<string> {
    const found = await this.database.project(scope).invocation.findFirst({ where: { id, status: 'running' }, select: { id: true } });
    if (found === null) throw invalid({ field: 'invocation_id', message: 'names no running invocation of this project' });
    return found.id;
  }
}
