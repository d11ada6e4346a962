import { Inject, Injectable } from '@nestjs/common';
import { type BrowserPoolRow, Database, newId, Prisma, type ProjectScope, type ProjectTables, type Transaction } from '@berth/database';
import { isIdShaped, type ListBrowserPoolsQuery } from '@berth/schema';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { type Page, rowsOf } from '../request/paging.js';
import type { PoolConfig, PoolRow } from './pool-row.js';

export interface PoolValues {
  readonly name: string | null;
  readonly size: number;
  readonly fillRatePerMinute: number | null;
  readonly refreshOnProfileUpdate: boolean | null;
  readonly profileId: string | null;
  readonly config: PoolConfig;
}

/** The row of a pool that nobody else changes, and through which nobody leases, until the end of `work`. */
export interface LockedPool {
  readonly row: Omit<BrowserPoolRow, 'config'> & { readonly config: PoolConfig };
  readonly tables: ProjectTables;
  readonly transaction: Transaction;
}

/** A browser of a pool, and where it runs. */
export interface PlacedSession {
  readonly id: string;
  readonly generation: number;
  readonly hostId: string;
  readonly hostInternalUrl: string;
}

type LeaseOutcome = { readonly deleted: boolean } & (PlacedSession | { readonly id: null });

/** Hosts whose doors did not open, by what they told. */
export interface ShutDoors {
  readonly refused: readonly string[];
  readonly silent: readonly string[];
}

/** What a lease gives a browser for as long as it lasts. */
export interface LeaseNames {
  /** By which the lease is found again when the process that took it has died (D36). */
  readonly leaseId: string;
  readonly name: string | null;
  readonly tags: Record<string, string> | null;
}

const placedColumns = `s.id, s.generation, s.host_id AS "hostId", s.host_internal_url AS "hostInternalUrl"`;

const json = (config: PoolConfig): Prisma.InputJsonObject => config as Prisma.InputJsonObject;

const select = `SELECT p.id, p.name, p.size, p.fill_rate_per_minute AS "fillRatePerMinute", p.refresh_on_profile_update AS "refreshOnProfileUpdate",
    p.profile_id AS "profileId", p.config, p.created_at AS "createdAt", n.leased, n.idle
  FROM browser_pools p CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE s.leased_at IS NOT NULL)::int AS leased, count(*) FILTER (WHERE s.leased_at IS NULL AND s.status = 'running')::int AS idle
      FROM browser_sessions s WHERE s.pool_id = p.id AND s.status IN ('starting', 'running')
  ) n WHERE p.project_id = $1 AND p.deleted_at IS NULL`;

const byId = { name: 'pool-by-id', text: `${select} AND p.id = $2` };
const byName = { name: 'pool-by-name', text: `${select} AND p.name = $2` };
const pageOfPools = {
  name: 'pools-page',
  text: `${select} AND ($2::text IS NULL OR lower(p.name) = lower($2)) AND ($3::text IS NULL OR strpos(lower(concat_ws(' ', p.name, p.id)), lower($3)) > 0)
         ORDER BY p.created_at, p.id LIMIT $4 OFFSET $5`,
};

// Shares the pool's row, so that nothing is leased while the pool is being shrunk, flushed or deleted; skips browsers that another lease is
// taking, and those of hosts that are stopping, have not been heard of for a lease, or whose doors are shut: their addresses may open
// nothing. Those of silent hosts come last.
const lease = {
  name: 'pool-lease',
  text: `WITH pool AS (
           SELECT p.id, p.size, p.flushed_at FROM browser_pools p JOIN projects j ON j.id = p.project_id
            WHERE p.project_id = $1 AND p.id = $2 AND p.deleted_at IS NULL AND j.status = 'active' AND j.deleted_at IS NULL FOR SHARE OF p
         ), free AS (
           SELECT s.id FROM browser_sessions s JOIN pool ON pool.id = s.pool_id
            WHERE s.status = 'running' AND s.leased_at IS NULL AND (pool.flushed_at IS NULL OR s.created_at >= pool.flushed_at)
              AND s.host_id <> ALL($6)
              AND EXISTS (SELECT 1 FROM browser_hosts h WHERE h.id = s.host_id AND NOT h.draining AND h.heartbeat_at > now() - make_interval(secs => $5))
              AND (SELECT count(*) FROM browser_sessions l WHERE l.pool_id = $2 AND l.status <> 'ended' AND l.leased_at IS NOT NULL) < pool.size
            ORDER BY s.host_id = ANY($7), s.created_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED
         ), leased AS (
           UPDATE browser_sessions s SET leased_at = now(), lease_id = $8, name = $3, tags = $4::jsonb FROM free WHERE s.id = free.id RETURNING ${placedColumns}
         )
         SELECT NOT EXISTS (SELECT 1 FROM browser_pools WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL) AS deleted, leased.* FROM (SELECT) AS one LEFT JOIN leased ON true`,
};

// A new generation: the addresses that the last caller holds open nothing any more.
const giveBack = {
  name: 'pool-give-back',
  text: `UPDATE browser_sessions s SET leased_at = NULL, lease_id = NULL, name = NULL, tags = NULL, generation = generation + 1
          WHERE project_id = $1 AND s.id = $2 AND pool_id = $3 AND status = 'running' AND leased_at IS NOT NULL RETURNING ${placedColumns}`,
};

@Injectable()
export class PoolsRepository {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  /** By id or name, undeleted. */
  async find(scope: ProjectScope, wanted: string): Promise<PoolRow | undefined> {
    return (await this.database.queryProject<PoolRow>(scope, isIdShaped(wanted) ? byId : byName, wanted))[0];
  }

  async nameIsTaken(scope: ProjectScope, name: string): Promise<boolean> {
    return (await this.database.project(scope).browserPool.findFirst({ where: { name, deletedAt: null }, select: { id: true } })) !== null;
  }

  /** One row more than the page, in the order of D15. */
  page(scope: ProjectScope, { name, query }: ListBrowserPoolsQuery, page: Page): Promise<PoolRow[]> {
    const { take, skip } = rowsOf(page);
    return this.database.queryProject<PoolRow>(scope, pageOfPools, name ?? null, query ?? null, take, skip);
  }

  /**
   * `hold` runs in the same transaction, before: what it locks stays as it is until the pool is there. Rejects with
   * `browser_pools_name_among_undeleted`.
   */
  async insert(scope: ProjectScope, id: string, values: PoolValues, hold: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await hold(transaction);
      await transaction.project(scope).browserPool.create({ data: { id, ...values, reserved: values.size, config: json(values.config) } });
    });
  }

  /** Answers undefined when there is no such pool; deleted ones can be locked too. */
  underLock<T>(scope: ProjectScope, id: string, work: (pool: LockedPool) => Promise<T>): Promise<T | undefined> {
    return this.database.transaction(async (transaction) => {
      const tables = transaction.project(scope);
      // The update is the lock: it holds the row until the end of the transaction.
      const [row] = await tables.browserPool.updateManyAndReturn({ where: { id }, data: { updatedAt: new Date() } });
      if (row === undefined) return undefined;
      return work({ row: { ...row, config: row.config as unknown as PoolConfig }, tables, transaction });
    });
  }

  async change(
    { row, tables }: LockedPool,
    values: Partial<Omit<PoolValues, 'config'>> & { reserved?: number; config?: PoolConfig; flushedAt?: Date; deletedAt?: Date },
  ): Promise<void> {
    const { config, ...columns } = values;
    await tables.browserPool.updateMany({
      where: { id: row.id },
      data: { ...columns, ...(config === undefined ? {} : { config: json(config) }) },
    });
  }

  /** Puts rows of new idle browsers down; nobody launches them yet. */
  async addSessions({ row, tables }: LockedPool, count: number): Promise<string[]> {
    const { config } = row;
    const ids = Array.from({ length: count }, newId);
    for (const id of ids) {
      await tables.browserSession.create({
        data: {
          id,
          kind: 'pool',
          poolId: row.id,
          headless: config.headless,
          kioskMode: config.kiosk_mode ?? null,
          timeoutSeconds: config.timeout_seconds ?? 60,
          startUrl: config.start_url ?? null,
          profileId: row.profileId,
          profileSaveChanges: row.profileId === null ? null : false,
          ...(config.viewport === undefined ? {} : { viewport: config.viewport }),
        },
      });
    }
    return ids;
  }

  /**
   * Leases a free browser; undefined when there is none, and `deleted` when there is no such pool any more. Rejects with
   * `browser_sessions_name_among_live`.
   */
  async lease(
    scope: ProjectScope,
    poolId: string,
    { leaseId, name, tags }: LeaseNames,
    { refused, silent }: ShutDoors,
  ): Promise<PlacedSession | 'deleted' | undefined> {
    const values = [poolId, name, tags === null ? null : JSON.stringify(tags), this.config.leaseSeconds, refused, silent, leaseId];
    const [outcome] = await this.database.queryProject<LeaseOutcome>(scope, lease, ...values);
    if (outcome?.deleted === true) return 'deleted';
    return outcome?.id == null ? undefined : outcome;
  }

  /** The browser that was leased under this id and runs still. */
  async leasedAs(scope: ProjectScope, poolId: string, leaseId: string): Promise<string | undefined> {
    const leased = await this.database
      .project(scope)
      .browserSession.findFirst({ where: { poolId, leaseId, leasedAt: { not: null }, status: 'running' }, select: { id: true } });
    return leased?.id;
  }

  /** Makes a leased browser free again; undefined when this pool has not leased it. */
  async giveBack(scope: ProjectScope, poolId: string, sessionId: string): Promise<PlacedSession | undefined> {
    return (await this.database.queryProject<PlacedSession>(scope, giveBack, sessionId, poolId))[0];
  }

  /** Whether the pool has leased this session out. */
  async hasLeased(scope: ProjectScope, poolId: string, sessionId: string): Promise<boolean> {
    return (
      (await this.database
        .project(scope)
        .browserSession.findFirst({
          where: { id: sessionId, poolId, leasedAt: { not: null }, status: 'running' },
          select: { id: true },
        })) !== null
    );
  }
}
