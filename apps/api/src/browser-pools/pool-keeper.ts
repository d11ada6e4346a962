import { Inject, Injectable } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { LiveSessions } from '@berth/live-sessions';
import { Fleet } from '../admission/fleet.js';
import { whenAdmissionAnswers } from '../admission/slots.js';
import { type LockedPool, PoolsRepository } from './pools.repository.js';

/** Most browsers that one round starts for a pool, so that a large one does not hold its lock for long. */
const startedAtOnce = 20;
/** After a launch that failed, a pool tries one browser a round for this long instead of many. */
const cautiousMs = 30_000;

interface IdleBrowser {
  readonly id: string;
  readonly createdAt: Date;
}

/** Makes a pool's browsers what its row says: fills it, ends what is too many or stale, and keeps the reservation in step with the leases. */
@Injectable()
export class PoolKeeper {
  constructor(
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(LiveSessions) private readonly live: LiveSessions,
  ) {}

  /** One round under the pool's lock. Safe to call at any time, from any process. Answers the browsers it has asked to end. */
  async tend(scope: ProjectScope, poolId: string): Promise<readonly string[]> {
    const done = await this.pools.underLock(scope, poolId, async (pool) => {
      const ended = await this.endUnwanted(pool);
      // The pool of an archived project is not refilled (D20).
      const fills = pool.row.deletedAt === null && (await pool.transaction.holdActiveProject(scope));
      return { ended, started: fills ? await this.pools.addSessions(pool, await this.missing(pool)) : [] };
    });
    // After the commit: a host that claims a launch must find its row.
    await Promise.all((done?.started ?? []).map((id) => this.fleet.launch(id).catch(() => undefined)));
    return done?.ended ?? [];
  }

  /** Makes the reservation max(size, leased) (D34), or nothing once the pool is deleted and its browsers gone. Only ever shrinks. */
  async settle(scope: ProjectScope, poolId: string): Promise<void> {
    await this.pools.underLock(scope, poolId, async ({ row, tables }) => {
      const counted = { poolId, status: { not: 'ended' as const } };
      const size = row.deletedAt === null
        ? Math.max(row.size, await tables.browserSession.count({ where: { ...counted, leasedAt: { not: null } } }))
        : await tables.browserSession.count({ where: counted });
      await whenAdmissionAnswers(this.live.resizePool({
        organizationId: scope.organizationId, projectId: scope.projectId, poolId, size, leaseMs: 60_000,
        // What the rows hold is held already; a cap lowered since must not take it away (D26).
        organizationLimit: Number.MAX_SAFE_INTEGER, projectLimit: null,
      }));
      if (size > 0) await whenAdmissionAnswers(this.live.holdPool({ ...scope, poolId, size }));
    });
  }

  /** Ends idle browsers of a deleted or flushed pool, and those above its size; the lock keeps them from being leased meanwhile. */
  private async endUnwanted({ row, tables }: LockedPool): Promise<readonly string[]> {
    const ofPool = { poolId: row.id, status: { in: ['starting' as const, 'running' as const] } };
    if (row.deletedAt !== null) {
      const all = await tables.browserSession.findMany({ where: ofPool, select: { id: true } });
      return this.fleet.end(all.map(({ id }) => id), 'deleted');
    }
    const idle: IdleBrowser[] = await tables.browserSession.findMany({ where: { ...ofPool, leasedAt: null }, select: { id: true, createdAt: true }, orderBy: { createdAt: 'asc' } });
    const leased = await tables.browserSession.count({ where: { ...ofPool, leasedAt: { not: null } } });
    const freshFrom = await this.freshFrom({ row, tables });
    const stale = idle.filter(({ createdAt }) => createdAt < freshFrom);
    const fresh = idle.filter(({ createdAt }) => createdAt >= freshFrom);
    const surplus = fresh.slice(Math.max(0, row.size - leased));
    return this.fleet.end([...stale, ...surplus].map(({ id }) => id), 'deleted');
  }

  /** Browsers from before this instant are replaced: the pool was flushed, or its profile saved anew. */
  private async freshFrom({ row, tables }: Pick<LockedPool, 'row' | 'tables'>): Promise<Date> {
    const flushed = row.flushedAt ?? new Date(0);
    if (row.profileId === null || row.refreshOnProfileUpdate !== true) return flushed;
    const profile = await tables.profile.findFirst({ where: { id: row.profileId }, include: { state: { select: { savedAt: true } } } }) as { state: { savedAt: Date } | null } | null;
    const saved = profile?.state?.savedAt ?? flushed;
    return saved > flushed ? saved : flushed;
  }

  /** How many browsers to start now: up to the size, at the pool's rate, and carefully while launches fail. Ending ones still take their place. */
  private async missing({ row, tables }: LockedPool): Promise<number> {
    const { browserSession } = tables;
    const live = await browserSession.count({ where: { poolId: row.id, status: { not: 'ended' } } });
    if (live >= row.size) return 0;
    const since = (ms: number) => ({ poolId: row.id, createdAt: { gt: new Date(Date.now() - ms) } });
    const rate = row.fillRatePerMinute === null ? Infinity : row.fillRatePerMinute - (await browserSession.count({ where: since(60_000) }));
    const failing = (await browserSession.count({ where: { ...since(cautiousMs), endReason: { in: ['launch_failed', 'launch_unclaimed'] } } })) > 0;
    return Math.max(0, Math.min(row.size - live, rate, failing ? 1 : startedAtOnce));
  }
}
