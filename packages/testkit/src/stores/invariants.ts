import type { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';

/** What admission is asked: `LiveSessions.usage`, or the limits endpoints. */
export type ReadUsage = (organizationId: string, projectId: string) => Promise<{ readonly organization: number | null; readonly project: number | null }>;

interface Truth {
  readonly organizationId: string;
  readonly projectId: string;
  readonly sessions: number;
  readonly reserved: number;
}

/** Live browsers outside of pools, and whole pools or what is leased of them, whichever is more (D27, D34), of every project. */
const truths = `
SELECT p.organization_id AS "organizationId", p.id AS "projectId",
  (SELECT count(*) FROM browser_sessions s WHERE s.project_id = p.id AND s.status <> 'ended' AND s.kind <> 'pool')::int AS sessions,
  (SELECT coalesce(sum(greatest(b.size, (SELECT count(*) FROM browser_sessions l WHERE l.pool_id = b.id AND l.status <> 'ended' AND l.leased_at IS NOT NULL))), 0)
   FROM browser_pools b WHERE b.project_id = p.id AND b.deleted_at IS NULL)::int AS reserved
FROM projects p`;

/**
 * The one invariant of admission: used = live on-demand rows + pool reservations + login browsers, per project and per organization. Answers every violation in
 * words; none is an empty list. Meant for moments at which nothing is being created or ended.
 */
export async function usageViolations(database: Database, readUsage: ReadUsage): Promise<string[]> {
  const { rows } = await unscoped(database).pool.query<Truth>(truths);
  const ofOrganization = new Map<string, number>();
  for (const { organizationId, sessions, reserved } of rows) ofOrganization.set(organizationId, (ofOrganization.get(organizationId) ?? 0) + sessions + reserved);
  const violations = await Promise.all(rows.map(async ({ organizationId, projectId, sessions, reserved }) => {
    const used = await readUsage(organizationId, projectId);
    const expected = ofOrganization.get(organizationId);
    return [
      ...(used.project === sessions + reserved ? [] : [`project ${projectId}: used ${String(used.project)}, rows say ${sessions} sessions + ${reserved} reserved`]),
      ...(used.organization === expected ? [] : [`organization ${organizationId}: used ${String(used.organization)}, rows say ${String(expected)}`]),
    ];
  }));
  return violations.flat();
}
