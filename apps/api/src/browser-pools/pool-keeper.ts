import { Inject, Injectable } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { Fleet } from '../admission/fleet.js';
import { PoolSlots } from '../admission/pool-slots.js';
import { type LockedPool, PoolsRepository } from './pools.repository.js';

/** Most browsers that one round starts for a pool, so that a large one does not hold its lock for long. */
const startedAtOnce = 20;
/** After a launch that failed, a pool tries one browser a round for this long instead of many. */
const cautiousMs = 30_000;

interface IdleBrowser {
  readonly id: string;
  readonly createdAt: Date;
}

/** What one look at a pool has decided. */
interface Round {
  /** Rows are there; their launches are not asked for yet. */
  readonly started: readonly string[];
  /** Of a deleted pool everything, leased or not. */
  readonly unwanted: readonly string[];
  readonly deleted: boolean;
}

/**
 * Makes a pool's browsers what its row says: fills it, ends what is too many or stale, and keeps the reservation in step with the leases.
 * It decides under the pool's lock and acts after the commit: a lock holds a connection, and what asks for a second one meanwhile may wait
 * for itself.
 */
@Injectable()
export class PoolKeeper {
  constructor(
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(PoolSlots) private readonly slots: PoolSlots,
  ) {}

  /**
   * One round. Safe to call at any time, from any process. Answers the browsers it has asked to end; of a deleted pool all that are not
   * gone yet, whoever asked.
   */
  async tend(scope: ProjectScope, poolId: string): Promise<readonly string[]> {
    const round = await this.pools.underLock(scope, poolId, async (pool): Promise<Round> => {
      const deleted = pool.row.deletedAt !== null;
      // The pool of an archived project is not refilled (D20).
      const fills = !deleted && (await pool.transaction.holdActiveProject(scope));
      return {
        deleted,
        unwanted: await this.unwanted(pool),
        started: fills ? await this.pools.addSessions(pool, await this.missing(pool)) : [],
      };
    });
    if (round === undefined) return [];
    await Promise.all(round.started.map((id) => this.fleet.launch(id).catch(() => undefined)));
    if (!round.deleted) return this.fleet.endIdle(round.unwanted, 'deleted');
    await this.fleet.end(round.unwanted, 'deleted');
    return round.unwanted;
  }

  /** Makes the reservation max(size, leased) (D34), or nothing once the pool is deleted and its browsers gone. Only ever shrinks. */
  async settle(scope: ProjectScope, poolId: string): Promise<void> {
    await this.slots.prepare(scope);
    await this.pools.underLock(scope, poolId, async (pool) => {
      const { row, tables } = pool;
      const counted = { poolId, status: { not: 'ended' as const } };
      const size =
        row.deletedAt === null
          ? Math.max(row.size, await tables.browserSession.count({ where: { ...counted, leasedAt: { not: null } } }))
          : await tables.browserSession.count({ where: counted });
      await this.pools.change(pool, { reserved: size });
      // Last before the commit: a row that says more than is held is settled again, one that says less would not be.
      await this.slots.settle(scope, poolId, size);
    });
  }

  /** Browsers of a deleted pool; else idle ones from before a flush, and idle ones above the size. */
  private async unwanted({ row, tables }: LockedPool): Promise<readonly string[]> {
    if (row.deletedAt !== null) {
      const all = await tables.browserSession.findMany({ where: { poolId: row.id, status: { not: 'ended' } }, select: { id: true } });
      return all.map(({ id }) => id);
    }
    const ofPool = { poolId: row.id, status: { in: ['starting' as const, 'running' as const] } };
    const idle: IdleBrowser[] = await tables.browserSession.findMany({
      where: { ...ofPool, leasedAt: null },
      select: { id: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
    });
    const leased = await tables.browserSession.count({ where: { ...ofPool, leasedAt: { not: null } } });
    const freshFrom = await this.freshFrom({ row, tables });
    const stale = idle.filter(({ createdAt }) => createdAt < freshFrom);
    const fresh = idle.filter(({ createdAt }) => createdAt >= freshFrom);
    const surplus = fresh.slice(Math.max(0, row.size - leased));
    return [...stale, ...surplus].map(({ id }) => id);
  }

  /** Browsers from before this instant are replaced: the pool was flushed, or its profile saved anew. */
  private async freshFrom({ row, tables }: Pick<LockedPool, 'row' | 'tables'>): Promise<Date> {
    const flushed = row.flushedAt ?? new Date(0);
    if (row.profileId === null || row.refreshOnProfileUpdate !== true) return flushed;
    const profile = (await tables.profile.findFirst({
      where: { id: row.profileId },
      include: { state: { select: { savedAt: true } } },
    })) as { state: { savedAt: Date } | null } | null;
    const saved = profile?.state?.savedAt ?? flushed;
    return saved > flushed ? saved : flushed;
  }

  /**
   * How many browsers to start now: up to the size, at the pool's rate, and carefully while launches fail. Ending ones still take their
   * place.
   */
  private async missing({ row, tables }: LockedPool): Promise<number> {
    const { browserSession } = tables;
    const live = await browserSession.count({ where: { poolId: row.id, status: { not: 'ended' } } });
    if (live >= row.size) return 0;
    const since = (ms: number) => ({ poolId: row.id, createdAt: { gt: new Date(Date.now() - ms) } });
    const rate = row.fillRatePerMinute === null ? Infinity : row.fillRatePerMinute - (await browserSession.count({ where: since(60_000) }));
    const failing =
      (await browserSession.count({ where: { ...since(cautiousMs), endReason: { in: ['launch_failed', 'launch_unclaimed'] } } })) > 0;
    return Math.max(0, Math.min(row.size - live, rate, failing ? 1 : startedAtOnce));
  }
}
