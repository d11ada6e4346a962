import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@berth/database';
import { organizationScope, projectScope, unscoped } from '@berth/database/unscoped';
import { ApiError } from '../errors/api-error.js';
import type { Principal, ResolvedScope } from './context.js';

const activeProject = {
  name: 'active-project',
  text: `SELECT id, name FROM projects WHERE organization_id = $1 AND id = $2 AND status = 'active' AND deleted_at IS NULL`,
};

export function projectNotFound(): ApiError {
  return new ApiError('project_not_found', 'The project was not found or is inactive.');
}

/** The only maker of scopes: from a principal and the project that its request names, if any (D3–D5). */
@Injectable()
export class Scopes {
  constructor(@Inject(Database) private readonly database: Database) {}

  async resolve(principal: Principal, named: string | undefined): Promise<ResolvedScope> {
    const bound = principal.boundProjectId;
    if (bound !== null && named !== undefined && named !== bound) {
      throw new ApiError('forbidden', 'This key is bound to one project, and the project header names another.');
    }
    const projectId = bound ?? named ?? principal.organization.defaultProjectId;
    const { rows } = await unscoped(this.database).pool.query<{ id: string; name: string }>({ ...activeProject, values: [principal.organization.id, projectId] });
    const project = rows[0];
    if (project === undefined) throw projectNotFound();
    return {
      organization: organizationScope(principal.organization.id),
      project: projectScope(principal.organization.id, project.id),
      projectName: project.name,
    };
  }
}
