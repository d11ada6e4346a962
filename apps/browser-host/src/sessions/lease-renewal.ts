import type { Admissions, Held } from '@berth/live-sessions';
import type { Logger } from '@berth/logging';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';

/** Keeps every browser that this host really runs counted, one round trip an organization. The slots of pool browsers belong to their pool. */
export async function renewLeases(sessions: Sessions, admissions: Pick<Admissions, 'renew'>, leaseMs: number, logger: Logger): Promise<void> {
  const counted = sessions.all.filter(({ row }) => row !== undefined && row.kind !== 'pool');
  const byOrganization = new Map<string, Session[]>();
  for (const session of counted) {
    const organizationId = session.row?.organizationId ?? '';
    byOrganization.set(organizationId, [...(byOrganization.get(organizationId) ?? []), session]);
  }
  await Promise.all([...byOrganization].map(async ([organizationId, group]) => {
    try {
      const members: Held[] = group.map((session) => ({ member: session.id, projectId: session.row?.projectId ?? '' }));
      const gone = await admissions.renew({ organizationId, members, leaseMs });
      for (const { member } of gone) loseLease(sessions, sessions.find(member), logger);
    } catch (error) {
      // Two more tries fit into a lease. After that Redis forgets its readiness first, and rebuilds from the rows.
      logger.warn({ err: error, organization_id: organizationId }, 'leases were not renewed');
    }
  }));
}

/** Its slot may be somebody else's by now, and a browser that is not counted must not run. One that is ending has released it itself. */
function loseLease(sessions: Sessions, session: Session | undefined, logger: Logger): void {
  if (session === undefined || session.ending !== undefined) return;
  logger.warn({ session_id: session.id }, 'session lost its lease');
  void sessions.end(session, 'lease_lost');
}
