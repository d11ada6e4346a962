import { Inject, Injectable } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { type Admission, LiveSessions } from '@berth/live-sessions';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { Caps } from '../limits/caps.js';
import { capReached, orUnavailable } from './refusals.js';

/** A slot in organization and project, held for one session. */
export interface Slot {
  /** Call it once the session's row is committed: a slot that an outage of Redis took away meanwhile is asked for anew. @throws as `take` */
  confirm(): Promise<void>;
  /** Call it when the session got no row, or after its row is ended. Never rejects: what Redis cannot be told lapses with the lease. */
  giveBack(): Promise<void>;
}

/** The gate as the API's features see it: caps are read and outages are told as 503, so that each only says what it wants. */
@Injectable()
export class Slots {
  readonly #leaseMs: number;
  readonly #launchMs: number;

  constructor(
    @Inject(LiveSessions) private readonly live: LiveSessions,
    @Inject(Caps) private readonly caps: Caps,
    @Inject(API_CONFIG) config: ApiConfig,
  ) {
    this.#leaseMs = config.leaseSeconds * 1_000;
    this.#launchMs = (config.launchTimeoutSeconds + 1) * 1_000;
  }

  /** Takes one slot, all or none. @throws ApiError concurrency_limit_exceeded (D28), usage_unavailable (D29) */
  async take(scope: ProjectScope, sessionId: string): Promise<Slot> {
    const caps = await this.caps.ofProject(scope);
    const ask = (leaseMs: number): Promise<void> =>
      this.#admitted(this.live.acquire({ ...tenant(scope), ...caps, member: sessionId, leaseMs }));
    const giveBack = async (): Promise<void> => {
      await this.live.release(tenant(scope), [sessionId]).catch(() => undefined);
    };
    try {
      await ask(this.#leaseMs);
    } catch (error) {
      // An answer that was lost on its way may have taken the slot.
      await giveBack();
      throw error;
    }
    // From the row on the slot must last until a host has claimed the browser and renews it.
    return { confirm: () => ask(Math.max(this.#leaseMs, this.#launchMs)), giveBack };
  }

  /**
   * Makes a pool's reservation exactly `size` slots, all or none (D34). When growing, call it before the pool's row says so, and `holdPool` after; when
   * shrinking, after. @throws ApiError concurrency_limit_exceeded, usage_unavailable
   */
  async reservePool(scope: ProjectScope, poolId: string, size: number): Promise<void> {
    const caps = await this.caps.ofProject(scope);
    await this.#admitted(this.live.resizePool({ ...tenant(scope), ...caps, poolId, size, leaseMs: Math.max(this.#leaseMs, this.#launchMs) }));
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

  async #admitted(asked: Promise<Admission>): Promise<void> {
    const admission = await orUnavailable(asked);
    if (!admission.admitted) throw capReached(admission);
  }
}

function tenant({ organizationId, projectId }: ProjectScope): { organizationId: string; projectId: string } {
  return { organizationId, projectId };
}
