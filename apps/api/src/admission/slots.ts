import { Inject, Injectable } from '@nestjs/common';
import { launchLeaseMs } from '@berth/browser-fleet';
import type { ProjectScope } from '@berth/database';
import { type Admission, AdmissionUnavailable, LiveSessions, type ScopeName } from '@berth/live-sessions';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError } from '../errors/api-error.js';
import { Caps, type ProjectCaps } from '../limits/caps.js';

/** The one 429: exactly one detail, whose code is the scope that is full (D28). */
export function capReached(scope: ScopeName, limit: number, used: number, what = 'concurrent sessions'): ApiError {
  return new ApiError('concurrency_limit_exceeded', `The ${scope} has reached its limit of ${what}; end one and try again.`, {
    details: [{ code: scope, message: `limit ${limit}, used ${used}` }],
  });
}

/** Turns what admission throws while Redis cannot be asked into 503; anything else is passed on (D29). */
export async function whenAdmissionAnswers<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof AdmissionUnavailable)
      throw new ApiError('usage_unavailable', 'Usage cannot be read right now, so nothing is admitted. Try again.', { cause });
    throw cause;
  }
}

/** @throws ApiError concurrency_limit_exceeded */
export function admitted(answer: Admission): void {
  if (!answer.admitted) throw capReached(answer.full, answer.limit, answer.used);
}

/** Whose slot it is, taken or not. */
export interface Place {
  readonly sessionId: string;
  readonly scope: ProjectScope;
}

/** One browser's place, taken before its row exists. */
export interface Slot extends Place {
  readonly caps: ProjectCaps;
}

/** Slots of single browsers: on-demand and login browsers alike. */
@Injectable()
export class Slots {
  readonly #leaseMs: number;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(LiveSessions) private readonly live: LiveSessions,
    @Inject(Caps) private readonly caps: Caps,
  ) {
    this.#leaseMs = launchLeaseMs(config);
  }

  /**
   * Takes a slot in organization and project for a session that has no row yet. It lapses by itself unless a host renews it.
   * @throws ApiError concurrency_limit_exceeded, usage_unavailable
   */
  async take(scope: ProjectScope, sessionId: string): Promise<Slot> {
    const slot = { sessionId, scope, caps: await this.caps.ofProject(scope) };
    try {
      await this.#acquire(slot);
    } catch (error) {
      // Redis may have taken the slot and its answer been lost.
      if (error instanceof ApiError && error.code === 'usage_unavailable') await this.giveBack(slot);
      throw error;
    }
    return slot;
  }

  /**
   * Once more after the row is inserted: Redis may have been emptied and rebuilt in between, without this session (house, "Keep a browser
   * counted").
   */
  confirm(slot: Slot): Promise<void> {
    return this.#acquire(slot);
  }

  /** Gives back a slot whose session has no row. A failure is not one: the slot lapses. */
  async giveBack({ scope, sessionId }: Place): Promise<void> {
    await this.live.release(scope, [sessionId]).catch(() => undefined);
  }

  async #acquire({ sessionId, scope, caps }: Slot): Promise<void> {
    admitted(
      await whenAdmissionAnswers(
        this.live.acquire({
          organizationId: scope.organizationId,
          projectId: scope.projectId,
          member: sessionId,
          leaseMs: this.#leaseMs,
          organizationLimit: caps.organizationLimit,
          projectLimit: caps.projectLimit,
        }),
      ),
    );
  }
}
