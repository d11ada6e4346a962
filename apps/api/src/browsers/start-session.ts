import { Inject, Injectable } from '@nestjs/common';
import { newId, type ProjectScope, violatesUnique } from '@berth/database';
import type { CreateBrowser, ProfileReference } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { type Slot, Slots } from '../admission/slots.js';
import { ApiError, invalid, projectNotFound } from '../errors/api-error.js';
import { assertPossible } from './capabilities.js';
import type { SessionRecord } from './session-record.js';
import { type NewSession, SessionsRepository } from './sessions.repository.js';

const defaultTimeoutSeconds = 60;
const nameIndex = 'browser_sessions_name_among_live';

export function nameTaken(): ApiError {
  return new ApiError('conflict', 'A browser with this name exists in the project.');
}

/** What a body refers to must be of the caller's project (D8). */
export function noSuchProfile({ id }: ProfileReference): ApiError {
  return invalid({ field: id === undefined ? 'profile.name' : 'profile.id', message: 'no such profile in this project' });
}

/**
 * The walk "Create a browser" (house.md): choices are checked → id minted → slot → row under that id → slot confirmed → launch queue → a host claims it → running.
 * There is one way back, whatever fails: the launch is taken back, the row ended, the slot freed. What a crash of this process leaves between two steps is
 * healed by the lease, the reconciler and the sweep of unclaimed launches.
 */
@Injectable()
export class StartSession {
  constructor(
    @Inject(Slots) private readonly slots: Slots,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(SessionsRepository) private readonly sessions: SessionsRepository,
  ) {}

  /**
   * Answers a running session. `signal` is aborted when nobody waits for it any more.
   * @throws ApiError bad_request, conflict, concurrency_limit_exceeded (D28), usage_unavailable (D29), capacity_exhausted, service_unavailable
   */
  async start(scope: ProjectScope, asked: CreateBrowser, signal: AbortSignal): Promise<SessionRecord> {
    const session = await this.#resolve(scope, asked);
    const slot = await this.slots.take(scope, session.id);
    try {
      signal.throwIfAborted();
      const row = await this.#insert(scope, session);
      await this.slots.confirm(slot);
      await this.fleet.launch(session.id);
      const { status, generation, hostPublicUrl, startedAt } = await this.fleet.untilLaunched(session.id, signal);
      return { ...row, status, generation, hostPublicUrl, startedAt };
    } catch (error) {
      await this.#undo(slot, signal.aborted || !(error instanceof ApiError));
      throw error;
    }
  }

  /** Refuses in the order of D7: what is not valid, then a name that is taken; the cap comes last. */
  async #resolve(scope: ProjectScope, asked: CreateBrowser): Promise<NewSession> {
    const [, profileId, runs, taken] = await Promise.all([
      assertPossible(asked, () => this.fleet.canShowWindows()),
      this.#profileId(scope, asked.profile),
      asked.invocation_id === undefined || this.sessions.invocationRuns(scope, asked.invocation_id),
      asked.name !== undefined && this.sessions.nameIsTaken(scope, asked.name),
    ]);
    if (!runs) throw invalid({ field: 'invocation_id', message: 'no running invocation of this project' });
    if (taken) throw nameTaken();
    return {
      id: newId(),
      name: asked.name ?? null,
      headless: asked.headless ?? true,
      gpu: asked.gpu ?? null,
      kioskMode: asked.kiosk_mode ?? null,
      timeoutSeconds: asked.timeout_seconds ?? defaultTimeoutSeconds,
      startUrl: asked.start_url ?? null,
      viewport: asked.viewport ?? null,
      tags: asked.tags ?? null,
      profileId,
      profileSaveChanges: asked.profile === undefined ? null : (asked.profile.save_changes ?? false),
      invocationId: asked.invocation_id ?? null,
    };
  }

  async #profileId(scope: ProjectScope, profile: ProfileReference | undefined): Promise<string | null> {
    if (profile === undefined) return null;
    const id = await this.sessions.profileId(scope, profile);
    if (id === undefined) throw noSuchProfile(profile);
    return id;
  }

  async #insert(scope: ProjectScope, session: NewSession): Promise<SessionRecord> {
    try {
      const row = await this.sessions.insert(scope, session);
      if (row === undefined) throw projectNotFound();
      return row;
    } catch (error) {
      throw violatesUnique(error, nameIndex) ? nameTaken() : error;
    }
  }

  /** Row first, slot second. An insert whose answer was lost may have left a row, so the row is asked for in every case. */
  async #undo(slot: Slot, givenUp: boolean): Promise<void> {
    try {
      const hadRow = await this.fleet.takeBack(slot.sessionId, givenUp ? 'deleted' : 'launch_unclaimed');
      if (!hadRow) await this.slots.giveBack(slot);
    } catch {
      // PostgreSQL is away. Without knowing about the row the slot must stay taken: the sweep of unclaimed launches frees both.
    }
  }
}
