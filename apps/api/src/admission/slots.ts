import { Inject, Injectable } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { type Admission, LiveSessions } from '@berth/live-sessions';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError } from '../errors/api-error.js';
import { Caps, type ProjectCaps } from '../limits/caps.js';
import { capReached, orUnavailable } from './refusals.js';

/** A slot in organization and project, taken for a session that may have no row yet. */
export interface Slot {
  readonly sessionId: string;
  readonly scope: ProjectScope;
  readonly caps: ProjectCaps;
}

/** Between the launch's deadline and the first renewal by its host. */
const graceAfterLaunchMs = 2_000;

/** The gate as the API's features see it: caps are read and outages are told as 503, so that each only says what it wants. */
@Injectable()
export class Slots {
  readonly #leaseMs: number;
  readonly #untilClaimedMs: number;

  constructor(
    @Inject(LiveSessions) private readonly live: LiveSessions,
    @Inject(Caps) private readonly caps: Caps,
    @Inject(API_CONFIG) config: ApiConfig,
  ) {
    this.#leaseMs = config.leaseSeconds * 1_000;
    this.#untilClaimedMs = Math.max(this.#leaseMs, config.launchTimeoutSeconds * 1_000 + graceAfterLaunchMs);
  }

  /** Takes one slot, all or none. It lapses by itself unless it is confirmed. @throws ApiError concurrency_limit_exceeded (D28), usage_unavailable (D29) */
  async take(scope: ProjectScope, sessionId: string): Promise<Slot> {
    const slot = { sessionId, scope, caps: await this.caps.ofProject(scope) };
    try {
      await this.#acquire(slot, this.#leaseMs);
    } catch (error) {
      // An answer that was lost on its way may have taken the slot.
      if (error instanceof ApiError && error.code === 'usage_unavailable') await this.giveBack(slot);
      throw error;
    }
    return slot;
  }

  /**
   * Call it once the session's row is committed: a slot that an outage of Redis took away meanwhile is asked for anew, and it now lasts until a host has had its
   * time to claim the browser and renew it. @throws as `take`
   */
  confirm(slot: Slot): Promise<void> {
    return this.#acquire(slot, this.#untilClaimedMs);
  }

  /** For a session that got no row, or whose row is ended. Never rejects: what Redis cannot be told lapses with the lease. */
  async giveBack({ scope, sessionId }: Slot): Promise<void> {
    await this.live.release(tenant(scope), [sessionId]).catch(() => undefined);
  }

  /**
   * Makes a pool's reservation exactly `size` slots, all or none (D34). When growing, call it before the pool's row says so, and `holdPool` after; when
   * shrinking, after. @throws ApiError concurrency_limit_exceeded, usage_unavailable
   */
  async reservePool(scope: ProjectScope, poolId: string, size: number): Promise<void> {
    const caps = await this.caps.ofProject(scope);
    await this.#admitted(this.live.resizePool({ ...tenant(scope), ...caps, poolId, size, leaseMs: this.#untilClaimedMs }));
  }

  /** After the pool's row is committed: its slots no longer lapse. Never rejects: the reconciler does it too. */
  async holdPool(scope: ProjectScope, poolId: string, size: number): Promise<void> {
    await this.live.holdPool({ ...tenant(scope), poolId, size }).catch(() => undefined);
  }

  /** Lets the reservation fall to `size`, 0 when the pool is gone. Never rejects: the reconciler does it too. */
  async shrinkPool(scope: ProjectScope, poolId: string, size: number): Promise<void> {
    const done = size === 0 ? this.live.releasePool({ ...tenant(scope), poolId }) : this.reservePool(scope, poolId, size).then(() => this.holdPool(scope, poolId, size));
    await done.catch(() => undefined);
  }

  #acquire({ sessionId, scope, caps }: Slot, leaseMs: number): Promise<void> {
    return this.#admitted(this.live.acquire({ ...tenant(scope), ...caps, member: sessionId, leaseMs }));
  }

  async #admitted(asked: Promise<Admission>): Promise<void> {
    const admission = await orUnavailable(asked);
    if (!admission.admitted) throw capReached(admission);
  }
}

function tenant({ organizationId, projectId }: ProjectScope): { organizationId: string; projectId: string } {
  return { organizationId, projectId };
}
