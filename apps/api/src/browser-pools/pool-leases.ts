import { Inject, Injectable } from '@nestjs/common';
import { Fleet } from '../admission/fleet.js';
import { HostDoors } from './host-doors.js';
import { type LeaseRequest, PoolWaiters } from './pool-waiters.js';
import { type PlacedSession, PoolsRepository } from './pools.repository.js';

/** What is refused at once is passed over still when nobody waits any longer. */
const passedOverMs = 1_000;

/** Leases browsers that answer: one of a host that has just died is not handed out, though nobody else knows yet that it died. */
@Injectable()
export class PoolLeases {
  constructor(
    @Inject(PoolWaiters) private readonly waiters: PoolWaiters,
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(HostDoors) private readonly doors: HostDoors,
    @Inject(Fleet) private readonly fleet: Fleet,
  ) {}

  /** Whoever waits for a pool that was deleted is told so. */
  poolDeleted(): void {
    this.waiters.lookNow();
  }

  /**
   * Undefined at the time-out, or when it is not wanted any more. Rejects with `browser_sessions_name_among_live`.
   * @throws ApiError not_found once the pool is deleted
   */
  async lease(request: LeaseRequest, timeoutMs: number): Promise<PlacedSession | undefined> {
    const deadline = Date.now() + timeoutMs;
    // Browsers that hang are given back, and would be tried without end where nothing else is free.
    for (let isFirst = true; isFirst || Date.now() < deadline + passedOverMs; isFirst = false) {
      const leased = await this.waiters.lease(request, Math.max(0, deadline - Date.now()));
      if (leased === undefined) return undefined;
      const state = await this.doors.ask(leased);
      if (state === 'open') return leased;
      if (state === 'gone') await this.fleet.end([leased.id], 'browser_crashed');
      else await this.pools.giveBack(request.scope, request.poolId, leased.id);
    }
    return undefined;
  }
}
