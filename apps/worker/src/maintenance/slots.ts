import type { UnscopedAccess } from '@berth/database/unscoped';
import { type Admissions, effectiveCap, organizationLimit, type PlanLimits } from '@berth/live-sessions';

export interface SlotPorts {
  readonly access: UnscopedAccess;
  readonly admissions: Pick<Admissions, 'acquire' | 'release'>;
  readonly plans: PlanLimits;
  readonly leaseMs: number;
}

interface Tenant {
  readonly organizationId: string;
  readonly projectId: string;
}

/** A slot for a browser of the service itself, under the same caps as everyone's (D27). @returns whether there was one. */
export async function acquireSlot(
  { access, admissions, plans, leaseMs }: SlotPorts,
  { organizationId, projectId }: Tenant,
  sessionId: string,
): Promise<boolean> {
  const [organization, project] = await Promise.all([
    access.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }),
    access.prisma.project.findUniqueOrThrow({ where: { id: projectId } }),
  ]);
  const limit = organizationLimit(plans, { plan: organization.plan, organizationOverride: organization.maxConcurrentSessions });
  const { admitted } = await admissions.acquire({
    organizationId,
    projectId,
    member: sessionId,
    leaseMs,
    organizationLimit: limit,
    projectLimit: effectiveCap(project.maxConcurrentSessions, organization.defaultProjectMaxSessions, limit),
  });
  return admitted;
}
