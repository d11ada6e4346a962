import { type Database } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import type { PoolKeeper } from '../browser-pools/pool-keeper.js';
import type { Sweep } from './sweep-schedule.js';

// Pools whose browsers are not what they should be. Pools of archived projects are left alone (D20); browsers of deleted ones are ended. One
// that was deleted a moment ago is settled without any browsers too: the process that deleted it may have died before it freed the slots.
const needTending = `
  SELECT p.id, p.organization_id AS "organizationId", p.project_id AS "projectId", p.deleted_at IS NOT NULL OR n.leased > p.size AS shrinks
    FROM browser_pools p JOIN projects j ON j.id = p.project_id
    LEFT JOIN profile_states t ON t.profile_id = p.profile_id AND p.refresh_on_profile_update
    CROSS JOIN LATERAL (
      SELECT count(*) AS present, count(*) FILTER (WHERE s.status <> 'ending') AS live, count(*) FILTER (WHERE s.leased_at IS NOT NULL) AS leased,
             count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NULL AND s.created_at < greatest(p.flushed_at, t.saved_at)) AS stale
        FROM browser_sessions s WHERE s.pool_id = p.id AND s.status <> 'ended'
    ) n
   WHERE (p.deleted_at IS NULL AND ((n.live < p.size AND j.status = 'active') OR n.live > p.size OR n.stale > 0))
      OR (p.deleted_at IS NOT NULL AND (n.present > 0 OR p.deleted_at > now() - interval '1 minute'))`;

interface Tended {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Holds slots that it must give back as its browsers end: leased above its size, or deleted. */
  readonly shrinks: boolean;
}

/** Keeps every pool filled and no larger than it should be; one process at a time, so one filler a pool. */
export function poolSweep(database: Database, keeper: PoolKeeper, everyMs: number): Sweep {
  let shrinking = new Map<string, Tended>();
  return {
    name: 'pools',
    everyMs,
    async run() {
      const { rows } = await unscoped(database).pool.query<Tended>(needTending);
      for (const { id, organizationId, projectId } of rows) await keeper.tend(projectScope(organizationId, projectId), id);
      // The reservation falls as the browsers end (D34); a pool that does not shrink any more is settled a last time.
      const now = new Map(rows.filter((pool) => pool.shrinks).map((pool) => [pool.id, pool]));
      for (const { id, organizationId, projectId } of new Map([...shrinking, ...now]).values())
        await keeper.settle(projectScope(organizationId, projectId), id);
      shrinking = now;
    },
  };
}
