import { Inject, Injectable } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { LiveSessions, type WhenNotReady } from '@berth/live-sessions';
import { API_CONFIG, type ApiConfig } from '../config.js';
import type { ProjectCaps } from '../limits/caps.js';
import { admitted, whenAdmissionAnswers } from './slots.js';

/** What rows hold already is counted, whatever the caps are by now (D26). */
const uncapped = { organizationLimit: Number.MAX_SAFE_INTEGER, projectLimit: null };

/**
 * Slots of whole pools (D34). New ones lapse with a lease, like those of single browsers, until the row that they are for is committed;
 * then they are held. While the pool's row is locked nothing may be rebuilt: a rebuild reads rows through a connection of its own, and
 * those may all be waiting for it.
 */
@Injectable()
export class PoolSlots {
  readonly #leaseMs: number;

  constructor(
    @Inject(API_CONFIG) { leaseSeconds }: ApiConfig,
    @Inject(LiveSessions) private readonly live: LiveSessions,
  ) {
    this.#leaseMs = leaseSeconds * 1_000;
  }

  /** All of them or none. Repeating it takes none twice. @throws ApiError concurrency_limit_exceeded, usage_unavailable */
  async reserve(scope: ProjectScope, poolId: string, size: number, caps: ProjectCaps): Promise<void> {
    admitted(await this.#resize(scope, poolId, size, caps, 'rebuild'));
  }

  /**
   * The same once more after the row is committed, because the slots may have lapsed or Redis been emptied in between; from here on they
   * are held. @throws as `reserve`
   */
  async confirm(scope: ProjectScope, poolId: string, size: number, caps: ProjectCaps): Promise<void> {
    await this.reserve(scope, poolId, size, caps);
    await whenAdmissionAnswers(this.live.holdPool({ ...scope, poolId, size }));
  }

  /** Call it before the row is locked: what must be rebuilt is rebuilt now. @throws ApiError usage_unavailable */
  async prepare({ organizationId }: ProjectScope): Promise<void> {
    await whenAdmissionAnswers(this.live.ensureReady(organizationId));
  }

  /** Under the lock, last before the commit. @throws ApiError as `reserve`; then nothing has changed */
  async grow(scope: ProjectScope, poolId: string, size: number, caps: ProjectCaps): Promise<void> {
    admitted(await this.#resize(scope, poolId, size, caps, 'refuse'));
  }

  /** Under the lock: makes the slots what the committed rows hold. @throws ApiError usage_unavailable */
  async settle(scope: ProjectScope, poolId: string, size: number): Promise<void> {
    await this.#resize(scope, poolId, size, uncapped, 'refuse');
    if (size > 0) await whenAdmissionAnswers(this.live.holdPool({ ...scope, poolId, size }, 'refuse'));
  }

  /** All of them, of a pool whose row is deleted or never was. @throws AdmissionUnavailable: the reconciler frees them */
  async free(scope: ProjectScope, poolId: string): Promise<void> {
    await this.live.releasePool({ ...scope, poolId });
  }

  #resize(
    { organizationId, projectId }: ProjectScope,
    poolId: string,
    size: number,
    { organizationLimit, projectLimit }: Omit<ProjectCaps, 'invocationLimit'>,
    whenNotReady: WhenNotReady,
  ) {
    return whenAdmissionAnswers(
      this.live.resizePool(
        { organizationId, projectId, poolId, size, organizationLimit, projectLimit, leaseMs: this.#leaseMs },
        whenNotReady,
      ),
    );
  }
}
