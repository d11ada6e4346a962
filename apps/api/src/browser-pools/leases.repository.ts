import { Inject, Injectable } from '@nestjs/common';
import { Database, type ProjectScope } from '@berth/database';

export interface Leased {
  readonly id: string;
  readonly hostId: string | null;
}

export interface LeaseChoices {
  readonly name: string | null;
  readonly tags: Record<string, string> | null;
}

// The pool's row is held against a deletion, the browser's against other leases and against its replacement. The oldest goes first.
const lease = {
  name: 'pool-lease',
  text: `WITH free AS (
      SELECT s.id FROM browser_pools b JOIN projects p ON p.id = b.project_id JOIN browser_sessions s ON s.pool_id = b.id
       WHERE b.project_id = $1 AND b.id = $2 AND b.deleted_at IS NULL AND p.status = 'active'
         AND s.status = 'running' AND s.leased_at IS NULL AND s.created_at >= coalesce(b.flushed_at, '-infinity')
       ORDER BY s.created_at, s.id LIMIT 1 FOR SHARE OF b FOR UPDATE OF s SKIP LOCKED)
    UPDATE browser_sessions s SET leased_at = now(), name = $3, tags = $4::jsonb FROM free WHERE s.id = free.id RETURNING s.id, s.host_id AS "hostId"`,
};

// A new generation: the addresses of the lease that ends open nothing any more (D31).
const free = {
  name: 'pool-free',
  text: `UPDATE browser_sessions SET leased_at = NULL, name = NULL, tags = NULL, generation = generation + 1
          WHERE project_id = $1 AND pool_id = $2 AND id = $3 AND status = 'running' AND leased_at IS NOT NULL RETURNING id, host_id AS "hostId"`,
};

const held = {
  name: 'pool-held',
  text: `SELECT id, host_id AS "hostId" FROM browser_sessions WHERE project_id = $1 AND pool_id = $2 AND id = $3 AND status = 'running' AND leased_at IS NOT NULL`,
};

// Only what is free is taken out of reach, in the same statement: a browser that is leased at this moment stays its caller's.
const retire = {
  name: 'pool-retire',
  text: `WITH pool AS (SELECT b.*, f.saved_at FROM browser_pools b LEFT JOIN profile_states f ON f.profile_id = b.profile_id AND b.refresh_on_profile_update
                        WHERE b.project_id = $1 AND b.id = $2),
    live AS (SELECT count(*) AS n FROM browser_sessions WHERE project_id = $1 AND pool_id = $2 AND status IN ('starting', 'running')),
    needless AS (
      SELECT s.id FROM (
        SELECT s.id, pool.deleted_at IS NOT NULL OR s.created_at < pool.flushed_at OR s.created_at < pool.saved_at AS stale,
               row_number() OVER (ORDER BY s.created_at, s.id) <= live.n - pool.size AS surplus
          FROM browser_sessions s, pool, live WHERE s.project_id = $1 AND s.pool_id = $2 AND s.status = 'running' AND s.leased_at IS NULL) s
       WHERE s.stale OR s.surplus),
    locked AS (SELECT s.id FROM browser_sessions s JOIN needless n ON n.id = s.id WHERE s.status = 'running' AND s.leased_at IS NULL FOR UPDATE OF s SKIP LOCKED)
    UPDATE browser_sessions s SET status = 'ending', ending_at = now(), end_reason = 'deleted' FROM locked
     WHERE s.id = locked.id AND s.status = 'running' AND s.leased_at IS NULL RETURNING s.id, s.host_id AS "hostId"`,
};

/** $3: ids to use at most; $4: browsers of one pool that may be starting at once. */
const refill = {
  name: 'pool-refill',
  text: `WITH pool AS (SELECT b.* FROM browser_pools b JOIN projects p ON p.id = b.project_id
                        WHERE b.project_id = $1 AND b.id = $2 AND b.deleted_at IS NULL AND p.status = 'active' FOR SHARE OF b, p),
    live AS (SELECT count(*) AS n, count(*) FILTER (WHERE status = 'starting') AS starting FROM browser_sessions WHERE project_id = $1 AND pool_id = $2 AND status <> 'ended'),
    recent AS (SELECT count(*) AS n FROM browser_sessions WHERE project_id = $1 AND pool_id = $2 AND created_at > now() - interval '1 minute')
    INSERT INTO browser_sessions (id, organization_id, project_id, kind, pool_id, headless, kiosk_mode, timeout_seconds, start_url, viewport, profile_id)
    SELECT ids.id, pool.organization_id, pool.project_id, 'pool'::"SessionKind", pool.id, coalesce((pool.config->>'headless')::boolean, true),
           (pool.config->>'kiosk_mode')::boolean, coalesce((pool.config->>'timeout_seconds')::int, 60), pool.config->>'start_url', pool.config->'viewport', pool.profile_id
      FROM pool, live, recent, unnest($3::text[]) WITH ORDINALITY AS ids(id, place)
     WHERE ids.place <= least(pool.size - live.n, $4::int - live.starting, coalesce(pool.fill_rate_per_minute - recent.n, $4::int))
    RETURNING id`,
};

/** The browsers of pools within one project: leased, freed, retired, made. */
@Injectable()
export class LeasesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** The oldest free browser, leased now; undefined when there is none. Rejects with `browser_sessions_name_among_live`. */
  async lease(scope: ProjectScope, poolId: string, { name, tags }: LeaseChoices): Promise<Leased | undefined> {
    return (await this.database.queryProject<Leased>(scope, lease, poolId, name, tags === null ? null : JSON.stringify(tags)))[0];
  }

  /** Makes a leased browser free again; undefined when the pool does not hold it leased. */
  async free(scope: ProjectScope, poolId: string, sessionId: string): Promise<Leased | undefined> {
    return (await this.database.queryProject<Leased>(scope, free, poolId, sessionId))[0];
  }

  async held(scope: ProjectScope, poolId: string, sessionId: string): Promise<Leased | undefined> {
    return (await this.database.queryProject<Leased>(scope, held, poolId, sessionId))[0];
  }

  /** Takes free browsers out that are too many or stale (flushed, profile changed); they are `ending` now and their hosts must be told. */
  retire(scope: ProjectScope, poolId: string): Promise<Leased[]> {
    return this.database.queryProject<Leased>(scope, retire, poolId);
  }

  /** Rows for what is missing, as many as size, rate and `atOnce` allow. Answers the ids to launch. One caller a pool at a time. */
  async refill(scope: ProjectScope, poolId: string, ids: readonly string[], atOnce: number): Promise<string[]> {
    return (await this.database.queryProject<{ id: string }>(scope, refill, poolId, ids, atOnce)).map(({ id }) => id);
  }
}
