import type { UnscopedAccess } from '@berth/database/unscoped';
import { type LiveRow, type LiveRows, poolMembers } from '@berth/live-sessions';

/**
 * Every row of an organization that holds a slot, for admission to rebuild from (D27, D29): sessions outside pools whose browser is not
 * gone, and whole pools.
 */
export function liveRows(access: UnscopedAccess, leaseMs: number): LiveRows {
  return {
    async rowsOf(organizationId) {
      const [sessions, pools] = await Promise.all([
        access.pool.query<{ id: string; projectId: string }>({
          name: 'live-sessions-of',
          text: `SELECT id, project_id AS "projectId" FROM browser_sessions WHERE organization_id = $1 AND status <> 'ended' AND deleted_at IS NULL AND kind <> 'pool'`,
          values: [organizationId],
        }),
        access.pool.query<{ id: string; projectId: string; size: number }>({
          name: 'live-pools-of',
          // A deleted pool holds what its browsers still take until they are gone.
          text: `SELECT p.id, p.project_id AS "projectId", CASE WHEN p.deleted_at IS NULL THEN greatest(p.size, n.leased) ELSE n.live END::int AS size
                 FROM browser_pools p CROSS JOIN LATERAL (
                   SELECT count(*) AS live, count(*) FILTER (WHERE s.leased_at IS NOT NULL) AS leased
                     FROM browser_sessions s WHERE s.pool_id = p.id AND s.status <> 'ended'
                 ) n WHERE p.organization_id = $1 AND (p.deleted_at IS NULL OR n.live > 0)`,
          values: [organizationId],
        }),
      ]);
      return [
        ...sessions.rows.map(({ id, projectId }): LiveRow => ({ member: id, projectId, leaseMs })),
        ...pools.rows.flatMap(({ id, projectId, size }) =>
          poolMembers(id, size).map((member): LiveRow => ({ member, projectId, leaseMs: null })),
        ),
      ];
    },
  };
}
