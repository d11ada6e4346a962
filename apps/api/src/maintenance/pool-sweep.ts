import { Inject, Injectable } from '@nestjs/common';
import { projectScope } from '@berth/database/unscoped';
import { Fleet } from '../admission/fleet.js';
import { PoolKeeper } from '../browser-pools/pool-keeper.js';

interface PoolInNeed {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly over: boolean;
}

/** Pools of active projects whose browsers are not as they should be (D20: those of archived ones are left alone). */
const poolsInNeed = {
  name: 'pools-in-need',
  text: `SELECT b.id, b.organization_id AS "organizationId", b.project_id AS "projectId", c.leased > b.size AS over
           FROM browser_pools b JOIN projects p ON p.id = b.project_id
           LEFT JOIN profile_states f ON f.profile_id = b.profile_id AND b.refresh_on_profile_update
           CROSS JOIN LATERAL (
             SELECT count(*) AS live, count(*) FILTER (WHERE s.leased_at IS NOT NULL) AS leased,
                    count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NULL AND (s.created_at < b.flushed_at OR s.created_at < f.saved_at)) AS stale
               FROM browser_sessions s WHERE s.pool_id = b.id AND s.status <> 'ended') c
          WHERE b.deleted_at IS NULL AND p.status = 'active' AND (c.live <> b.size OR c.stale > 0 OR c.leased > b.size)`,
};

/** Looks which pools need their keeper. */
@Injectable()
export class PoolSweep {
  /** Pools with more leases than their size at the last look: their reservation falls as leases end (D34). */
  #over = new Map<string, PoolInNeed>();

  constructor(
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(PoolKeeper) private readonly keeper: PoolKeeper,
  ) {}

  async run(): Promise<void> {
    const { rows } = await this.fleet.ending.access.pool.query<PoolInNeed>(poolsInNeed);
    const over = new Map(rows.filter((pool) => pool.over).map((pool) => [pool.id, pool]));
    const toSync = new Map([...this.#over, ...over]);
    this.#over = over;
    for (const pool of toSync.values()) await this.keeper.syncReservation(projectScope(pool.organizationId, pool.projectId), pool.id);
    for (const pool of rows) await this.keeper.keep(projectScope(pool.organizationId, pool.projectId), pool.id);
  }
}
