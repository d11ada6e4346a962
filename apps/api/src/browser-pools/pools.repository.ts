import { Inject, Injectable } from '@nestjs/common';
import { Database, type Prisma, type ProjectScope, type TenantAccess, type Transaction } from '@berth/database';
import { isIdShaped, type ListBrowserPoolsQuery } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import type { PoolConfig, PoolRow } from './pool-row.js';

export interface PoolChanges {
  readonly name?: string;
  readonly size?: number;
  readonly fillRatePerMinute?: number;
  readonly refreshOnProfileUpdate?: boolean;
  readonly profileId?: string;
  readonly config?: PoolConfig;
  readonly flushedAt?: Date;
}

export interface NewPool {
  readonly id: string;
  readonly name: string | null;
  readonly size: number;
  readonly fillRatePerMinute: number | null;
  readonly refreshOnProfileUpdate: boolean | null;
  readonly profileId: string | null;
  readonly config: PoolConfig;
}

const columns = `b.id, b.name, b.size, b.fill_rate_per_minute AS "fillRatePerMinute", b.refresh_on_profile_update AS "refreshOnProfileUpdate",
  b.profile_id AS "profileId", b.config, b.created_at AS "createdAt", c.acquired, c.available, c.leased`;

const counted = `browser_pools b CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NOT NULL)::int AS acquired,
         count(*) FILTER (WHERE s.status = 'running' AND s.leased_at IS NULL AND s.created_at >= coalesce(b.flushed_at, '-infinity'))::int AS available,
         count(*) FILTER (WHERE s.leased_at IS NOT NULL)::int AS leased
    FROM browser_sessions s WHERE s.pool_id = b.id AND s.status <> 'ended') c`;

const undeleted = `SELECT ${columns} FROM ${counted} WHERE b.project_id = $1 AND b.deleted_at IS NULL`;
const byId = { name: 'pool-by-id', text: `${undeleted} AND b.id = $2` };
const byName = { name: 'pool-by-name', text: `${undeleted} AND b.name = $2` };

/** Browsers of a pool whose row says that they are there. Their slots are the pool's. */
const liveIds = { name: 'pool-live-ids', text: `SELECT id FROM browser_sessions WHERE project_id = $1 AND pool_id = $2 AND status <> 'ended'` };

/** The rows of pools within one project, and which browsers they have. */
@Injectable()
export class PoolsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async find(scope: ProjectScope, idOrName: string): Promise<PoolRow | undefined> {
    return (await this.database.queryProject<PoolRow>(scope, isIdShaped(idOrName) ? byId : byName, idOrName))[0];
  }

  async list(scope: ProjectScope, { name, query }: ListBrowserPoolsQuery, page: Page): Promise<PoolRow[]> {
    const { take, skip } = rowsOf(page);
    const statement = {
      name: `pools${name === undefined ? '' : '-name'}${query === undefined ? '' : '-query'}`,
      text: `${undeleted} AND ${name === undefined ? '$2::text IS NULL' : 'b.name = $2'}
        AND ${query === undefined ? '$3::text IS NULL' : `strpos(lower(concat_ws(' ', b.name, b.id)), lower($3)) > 0`} ORDER BY b.created_at, b.id LIMIT $4 OFFSET $5`,
    };
    return this.database.queryProject<PoolRow>(scope, statement, name ?? null, query ?? null, take, skip);
  }

  async nameIsTaken(scope: ProjectScope, name: string, exceptId?: string): Promise<boolean> {
    const where = { name, deletedAt: null, ...(exceptId === undefined ? {} : { NOT: { id: exceptId } }) };
    return (await this.database.project(scope).browserPool.findFirst({ where, select: { id: true } })) !== null;
  }

  /** False when the project is not active any more. Rejects with `browser_pools_name_among_undeleted`. */
  insert(scope: ProjectScope, { config, ...pool }: NewPool): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      const active = await transaction.organization(scope).project.findFirst({ where: { id: scope.projectId, status: 'active', deletedAt: null }, select: { id: true } });
      if (active === null) return false;
      await transaction.project(scope).browserPool.create({ data: { ...pool, config: config as Prisma.InputJsonObject } });
      return true;
    });
  }

  /** Runs `work` while nobody else changes a pool's size or reservation in this organization. */
  resizing<T>(scope: ProjectScope, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      return work(transaction);
    });
  }

  /** Size and leases now, under the lock of `resizing` when it is given; undefined when the pool is deleted. */
  async sizes(access: TenantAccess, scope: ProjectScope, id: string): Promise<{ size: number; leased: number } | undefined> {
    const pool = await access.project(scope).browserPool.findFirst({ where: { id, deletedAt: null }, select: { size: true } });
    if (pool === null) return undefined;
    return { size: pool.size, leased: await access.project(scope).browserSession.count({ where: { poolId: id, leasedAt: { not: null }, NOT: { status: 'ended' } } }) };
  }

  async update(access: TenantAccess, scope: ProjectScope, id: string, { config, ...changes }: PoolChanges): Promise<boolean> {
    const data = { ...changes, ...(config === undefined ? {} : { config: config as Prisma.InputJsonObject }) };
    return (await access.project(scope).browserPool.updateMany({ where: { id, deletedAt: null }, data })).count > 0;
  }

  /** Deletes the row unless browsers are leased and `force` is not given. A lease in progress is waited for, and none is given afterwards. */
  delete(scope: ProjectScope, id: string, force: boolean): Promise<'deleted' | 'leased' | 'gone'> {
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction.project(scope).browserPool.updateMany({ where: { id, deletedAt: null }, data: { deletedAt: new Date() } });
      if (count === 0) return 'gone';
      const leased = force ? 0 : await transaction.project(scope).browserSession.count({ where: { poolId: id, leasedAt: { not: null }, status: { in: ['starting', 'running'] } } });
      if (leased > 0) throw new StillLeased();
      return 'deleted';
    }).catch((error: unknown) => {
      if (error instanceof StillLeased) return 'leased';
      throw error;
    });
  }

  async liveIds(scope: ProjectScope, id: string): Promise<string[]> {
    return (await this.database.queryProject<{ id: string }>(scope, liveIds, id)).map((row) => row.id);
  }
}

/** Rolls a deletion back. */
class StillLeased extends Error {}
