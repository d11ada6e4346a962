import { Inject, Injectable } from '@nestjs/common';
import { Database, type OrganizationScope, type ProjectScope, type Statement } from '@berth/database';
import { organizationScope, projectScope, unscoped } from '@berth/database/unscoped';
import { isIdShaped } from '@berth/schema';
import { ApiError, projectNotFound } from '../errors/api-error.js';
import { AccessChanges } from './access-changes.js';
import { type Soon, then } from './at-once.js';
import type { Principal, ResolvedScope } from './context.js';

interface ActiveProject {
  readonly id: string;
  readonly name: string;
}

const activeProject = {
  name: 'active-project',
  text: `SELECT id, name FROM projects WHERE organization_id = $1 AND id = $2 AND status = 'active' AND deleted_at IS NULL`,
};

const activeDefault = {
  name: 'active-default-project',
  text: `SELECT p.id, p.name FROM organizations o JOIN projects p ON p.id = o.default_project_id
          WHERE o.id = $1 AND p.status = 'active' AND p.deleted_at IS NULL`,
};

function found(scope: ResolvedScope | undefined): ResolvedScope {
  if (scope === undefined) throw projectNotFound();
  return scope;
}

/** The only maker of scopes: from a principal and the project that its request names, if any (D3–D5). */
@Injectable()
export class Scopes {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
  ) {}

  /** At once when the project is known. @throws ApiError forbidden, project_not_found */
  resolve(principal: Principal, named: string | undefined): Soon<ResolvedScope> {
    // No name has the form of an id, so what has another form is a name or nothing: not found, before it is compared with the key's own
    // project (D4).
    if (named !== undefined && !isIdShaped(named)) throw projectNotFound();
    const bound = principal.boundProjectId;
    if (bound !== null && named !== undefined && named !== bound) {
      throw new ApiError(
        'forbidden',
        'This key is bound to one project, and the project header names another: leave the header out, or use an org-wide credential.',
      );
    }
    const organizationId = principal.organization.id;
    const projectId = bound ?? named ?? principal.organization.defaultProjectId;
    const scope = this.changes.facts.get(`project:${organizationId}:${projectId}`, async () => ({
      value: await this.#activeProject(organizationId, activeProject, projectId),
      organizationId,
    }));
    if (bound !== null || named !== undefined) return then(scope, found);
    // A default is never inactive (D19): it was handed on since the principal was read, and the news of that has not come yet.
    return then(scope, (known) => known ?? this.#activeProject(organizationId, activeDefault).then(found));
  }

  /** The scope of a project of the caller's organization that a path named and that was found there, active or not. */
  ofProject(organization: OrganizationScope, projectId: string): ProjectScope {
    return projectScope(organization.organizationId, projectId);
  }

  async #activeProject(organizationId: string, statement: Statement, ...values: string[]): Promise<ResolvedScope | undefined> {
    const {
      rows: [project],
    } = await unscoped(this.database).pool.query<ActiveProject>({ ...statement, values: [organizationId, ...values] });
    return (
      project && {
        organization: organizationScope(organizationId),
        project: projectScope(organizationId, project.id),
        projectName: project.name,
      }
    );
  }
}
