import { Inject, Injectable } from '@nestjs/common';
import { Database, type OrganizationScope } from '@berth/database';
import { AdmissionUnavailable, LiveSessions, type Usage } from '@berth/live-sessions';
import type { OrganizationLimits, ProjectLimits, UpdateOrganizationLimits, UpdateProjectLimits } from '@berth/schema';
import { invalid } from '../errors/api-error.js';
import { Caps } from './caps.js';
import { available } from './effective-cap.js';

/** `0` and `null` clear a cap, absent leaves it (D24); -0 is 0. */
const stored = (cap: number | null | undefined): number | null | undefined => (cap === undefined ? undefined : cap || null);

@Injectable()
export class LimitsService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(LiveSessions) private readonly liveSessions: LiveSessions,
    @Inject(Caps) private readonly caps: Caps,
  ) {}

  /** Caps and usage are read at the same time; usage is null when it cannot be read within 1 s (D29). */
  async ofOrganization(scope: OrganizationScope): Promise<OrganizationLimits> {
    const [{ organizationLimit: limit, projectDefault }, usage] = await Promise.all([
      this.caps.ofOrganization(scope),
      this.usage(scope.organizationId),
    ]);
    return {
      max_concurrent_sessions: limit,
      default_project_max_concurrent_sessions: projectDefault,
      concurrent_sessions_used: usage?.organization ?? null,
      concurrent_sessions_available: usage === undefined ? null : available({ limit, used: usage.organization }),
    };
  }

  async ofProject(scope: OrganizationScope, projectId: string): Promise<ProjectLimits> {
    const [{ caps, own }, usage] = await Promise.all([this.caps.withOwnCap(scope, projectId), this.usage(scope.organizationId, projectId)]);
    const used = usage?.project ?? null;
    return {
      max_concurrent_sessions: own,
      max_concurrent_invocations: caps.invocationLimit,
      concurrent_sessions_used: used,
      concurrent_sessions_available:
        usage === undefined || used === null
          ? null
          : available({ limit: caps.organizationLimit, used: usage.organization }, { cap: caps.projectLimit, used }),
    };
  }

  async setOfOrganization(
    scope: OrganizationScope,
    { default_project_max_concurrent_sessions: given }: UpdateOrganizationLimits,
  ): Promise<OrganizationLimits> {
    const projectDefault = stored(given);
    if (projectDefault !== undefined) {
      const { organizationLimit } = await this.caps.ofOrganization(scope);
      if (projectDefault !== null && projectDefault > organizationLimit) {
        throw invalid({
          field: 'default_project_max_concurrent_sessions',
          message: `must not be above the organization limit, ${organizationLimit}`,
        });
      }
      await this.database.organization(scope).own.update({ defaultProjectMaxSessions: projectDefault });
    }
    return this.ofOrganization(scope);
  }

  async setOfProject(scope: OrganizationScope, projectId: string, given: UpdateProjectLimits): Promise<ProjectLimits> {
    const maxConcurrentSessions = stored(given.max_concurrent_sessions);
    const maxConcurrentInvocations = stored(given.max_concurrent_invocations);
    await this.database
      .organization(scope)
      .project.updateMany({
        where: { id: projectId },
        data: {
          ...(maxConcurrentSessions === undefined ? {} : { maxConcurrentSessions }),
          ...(maxConcurrentInvocations === undefined ? {} : { maxConcurrentInvocations }),
        },
      });
    return this.ofProject(scope, projectId);
  }

  private async usage(organizationId: string, projectId?: string): Promise<Usage | undefined> {
    try {
      return await this.liveSessions.usage(organizationId, projectId);
    } catch (error) {
      if (error instanceof AdmissionUnavailable) return undefined;
      throw error;
    }
  }
}
