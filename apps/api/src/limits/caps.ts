import { Inject, Injectable } from '@nestjs/common';
import { Database, type OrganizationScope, type ProjectScope } from '@berth/database';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { effectiveCap, organizationLimit } from './effective-cap.js';

/** The caps that hold for work in one project right now. */
export interface ProjectCaps {
  /** Browsers at once in the whole organization. */
  readonly organizationLimit: number;
  /** Browsers at once in the project, clamped to the organization's limit; null: only that limit applies. */
  readonly projectLimit: number | null;
  /** Running invocations at once in the project; null: no cap. */
  readonly invocationLimit: number | null;
}

export interface OrganizationCaps {
  readonly organizationLimit: number;
  /** Cap of every project that has none of its own. */
  readonly projectDefault: number | null;
}

interface OrganizationRow {
  readonly plan: string;
  readonly organizationOverride: number | null;
  readonly projectDefault: number | null;
}

interface ProjectRow extends OrganizationRow {
  readonly own: number | null;
  readonly invocationLimit: number | null;
}

const capsOfOrganization = {
  name: 'caps-of-organization',
  text: `SELECT plan, max_concurrent_sessions AS "organizationOverride", default_project_max_sessions AS "projectDefault" FROM organizations WHERE id = $1`,
};

const capsOfProject = {
  name: 'caps-of-project',
  text: `SELECT o.plan, o.max_concurrent_sessions AS "organizationOverride", o.default_project_max_sessions AS "projectDefault",
                p.max_concurrent_sessions AS own, p.max_concurrent_invocations AS "invocationLimit"
           FROM organizations o JOIN projects p ON p.organization_id = o.id WHERE o.id = $1 AND p.id = $2`,
};

/** Caps as they are stored, read anew for every admission: a changed cap holds from the next create on, in every process (D26). */
@Injectable()
export class Caps {
  constructor(
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(Database) private readonly database: Database,
  ) {}

  /** One query. Rejects when the project's row is gone. */
  async ofProject(scope: ProjectScope): Promise<ProjectCaps> {
    return (await this.withOwnCap(scope, scope.projectId)).caps;
  }

  /** The same, with the project's own cap as it was set: null when it has none, not clamped (D24). */
  async withOwnCap(
    scope: OrganizationScope | ProjectScope,
    projectId: string,
  ): Promise<{ readonly caps: ProjectCaps; readonly own: number | null }> {
    const [row] = await this.database.queryOrganization<ProjectRow>(scope, capsOfProject, projectId);
    if (row === undefined) throw new Error('the project of this scope has no row');
    const limit = organizationLimit(this.config.planLimits, row);
    return {
      own: row.own,
      caps: {
        organizationLimit: limit,
        projectLimit: effectiveCap(row.own, row.projectDefault, limit),
        invocationLimit: row.invocationLimit,
      },
    };
  }

  async ofOrganization(scope: OrganizationScope): Promise<OrganizationCaps> {
    const [row] = await this.database.queryOrganization<OrganizationRow>(scope, capsOfOrganization);
    if (row === undefined) throw new Error('the organization of this scope has no row');
    return { organizationLimit: organizationLimit(this.config.planLimits, row), projectDefault: row.projectDefault };
  }
}
