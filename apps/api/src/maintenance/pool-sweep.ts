import { type Database } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import type { PoolKeeper } from '../browser-pools/pool-keeper.js';
import type { Sweep } from './sweep-schedule.js';

// Pools whose browsers are not what they should be. Pools of archived projects are left alone (D20); browsers of deleted ones are ended.
const needTending = `
  SELECT p.id, p.organization_id AS "organizationId", p.project_id AS "projectId", n.leased > p.size AS oversize
    FROM browser_pools p JOIN projects j ON j.id = p.project_id
    LEFT JOIN profile_states t ON t.profile_id = p.profile_id AND p.refresh_on_profile_update
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE s.status <> 'ending') AS live, count(*) FILTER (WHERE s.leased_at IS NOT NULL) AS leased,
             count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NULL AND s.created_at < greatest(p.flushed_at, t.saved_at)) AS stale
        FROM browser_sessions s WHERE s.pool_id = p.id AND s.status <> 'ended'
    ) n
   WHERE (p.deleted_at IS NULL AND ((n.live < p.size AND j.status = 'active') OR n.live > p.size OR n.stale > 0)) OR (p.deleted_at IS NOT NULL AND n.live > 0)`;

interface Tended {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly oversize: boolean;
}

/** Keeps every pool filled and no larger than it should be; one process at a time, so one filler a pool. */
export function poolSweep(database: Database, keeper: PoolKeeper, everyMs: number): Sweep {
  let oversize = new Map<string, Tended>();
  return {
    name: 'pools',
    everyMs,
    async run() {
      const { rows } = await unscoped(database).pool.query<Tended>(needTending);
      for (const { id, organizationId, projectId } of rows) await keeper.tend(projectScope(organizationId, projectId), id);
      // The reservation of a shrunken pool falls as its leases end (D34); one that is not oversize any more is settled a last time.
      const now = new Map(rows.filter((pool) => pool.oversize).map((pool) => [pool.id, pool]));
      for (const { id, organizationId, projectId } of new Map([...oversize, ...now]).values())
        await keeper.settle(projectScope(organizationId, projectId), id);
      oversize = now;
    },
  };
}
