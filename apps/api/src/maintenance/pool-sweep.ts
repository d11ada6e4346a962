import { type Database } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import type { PoolKeeper } from '../browser-pools/pool-keeper.js';
import type { Sweep } from './sweep-schedule.js';

// Pools whose browsers or slots are not what they should be. Pools of archived projects are not filled (D20); browsers of deleted ones are
// ended, and their slots follow.
const needTending = `
  SELECT p.id, p.organization_id AS "organizationId", p.project_id AS "projectId", p.reserved > n.due AS "holdsTooMuch"
    FROM browser_pools p JOIN projects j ON j.id = p.project_id
    LEFT JOIN profile_states t ON t.profile_id = p.profile_id AND p.refresh_on_profile_update
    CROSS JOIN LATERAL (
      SELECT count(*) AS present, count(*) FILTER (WHERE s.status <> 'ending') AS live,
             CASE WHEN p.deleted_at IS NULL THEN greatest(p.size, count(*) FILTER (WHERE s.leased_at IS NOT NULL)) ELSE count(*) END AS due,
             count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NULL AND s.created_at < greatest(p.flushed_at, t.saved_at)) AS stale
        FROM browser_sessions s WHERE s.pool_id = p.id AND s.status <> 'ended'
    ) n
   WHERE (p.deleted_at IS NULL AND ((n.live < p.size AND j.status = 'active') OR n.live > p.size OR n.stale > 0))
      OR (p.deleted_at IS NOT NULL AND n.present > 0) OR p.reserved > n.due`;

interface Tended {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Slots of leases that have ended above its size, or of a deleted pool (D34). */
  readonly holdsTooMuch: boolean;
}

/** Keeps every pool filled and no larger than it should be; one process at a time, so one filler a pool. */
export function poolSweep(database: Database, keeper: Pick<PoolKeeper, 'tend' | 'settle'>, everyMs: number): Sweep {
  return {
    name: 'pools',
    everyMs,
    async run() {
      const { rows } = await unscoped(database).pool.query<Tended>(needTending);
      for (const { id, organizationId, projectId } of rows) await keeper.tend(projectScope(organizationId, projectId), id);
      // After all browsers: it needs Redis, without which they are looked after all the same.
      for (const { id, organizationId, projectId } of rows.filter(({ holdsTooMuch }) => holdsTooMuch))
        await keeper.settle(projectScope(organizationId, projectId), id);
    },
  };
}
