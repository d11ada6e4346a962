import { Inject, Injectable } from '@nestjs/common';
import { type OrganizationScope, type ProjectRow, violatesUnique } from '@berth/database';
import { foldName, type UpdateProject } from '@berth/schema';
import { ApiError, projectNotFound } from '../errors/api-error.js';
import { AccessChanges } from '../request/access-changes.js';
import { Scopes } from '../request/scopes.js';
import { type LockedProjects, ProjectsRepository } from './projects.repository.js';

async function nameFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violatesUnique(error, 'projects_name_among_undeleted'))
      throw new ApiError('conflict', 'Another project of the organization has this name; choose another one.', { cause: error });
    throw error;
  }
}

/** Before a project stops being active: there must be another one, and the oldest such takes over as default (D18, D19). */
async function leaveActive(rows: LockedProjects, id: string): Promise<void> {
  const successor = await rows.oldestOtherActive(id);
  if (successor === null)
    throw new ApiError(
      'last_active_project',
      'This is the last active project of the organization; create or reactivate another one first.',
    );
  await rows.passDefaultOn(id, successor.id);
}

/** What changes about a project. Every rule that looks at more than one row is decided under the organization's lock. */
@Injectable()
export class ProjectsService {
  constructor(
    @Inject(ProjectsRepository) private readonly repository: ProjectsRepository,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
    @Inject(Scopes) private readonly scopes: Scopes,
  ) {}

  async create(scope: OrganizationScope, id: string, name: string): Promise<ProjectRow> {
    const project = await nameFree(this.repository.create(scope, id, name));
    await this.changes.announce(scope.organizationId);
    return project;
  }

  /** All of it or nothing; what is so already stays untouched, `updated_at` included (D18). */
  async update(scope: OrganizationScope, id: string, { name, status }: UpdateProject): Promise<ProjectRow> {
    const updated = await nameFree(
      this.repository.underLock(scope, async (rows) => {
        const project = await rows.current(id);
        if (project === null) throw projectNotFound();
        const renamed = name !== undefined && name !== project.name;
        const moved = status !== undefined && status !== project.status;
        if (!renamed && !moved) return project;
        if (moved && status === 'archived') await leaveActive(rows, id);
        return rows.update(id, { ...(renamed ? { name, nameFolded: foldName(name) } : {}), ...(moved ? { status } : {}) });
      }),
    );
    await this.changes.announce(scope.organizationId);
    return updated;
  }

  /** Soft: the row stays, its name is free at once, its keys are revoked (D5, D16, D21). */
  async delete(scope: OrganizationScope, id: string): Promise<void> {
    await this.repository.underLock(scope, async (rows) => {
      const project = await rows.current(id);
      if (project === null) throw projectNotFound();
      if (project.status === 'active') await leaveActive(rows, id);
      if (!(await rows.isEmpty(this.scopes.ofProject(scope, id)))) {
        throw new ApiError(
          'project_not_empty',
          'The project still owns active resources: end or delete its browsers, pools, auth connections, credentials, profiles and running invocations first.',
        );
      }
      await rows.update(id, { deletedAt: new Date() });
      await rows.revokeKeys(id);
    });
    await this.changes.announce(scope.organizationId);
  }
}
