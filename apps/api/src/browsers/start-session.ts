import { Inject, Injectable } from '@nestjs/common';
import type { EndReason, SessionStanding } from '@berth/browser-fleet';
import { type ProjectScope, violatesUnique } from '@berth/database';
import type { ErrorCode } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { type Place, type Slot, Slots } from '../admission/slots.js';
import { ApiError, projectNotFound } from '../errors/api-error.js';
import { setRight, unlessAborted } from '../patience.js';
import { BrowsersRepository, type NewSession } from './browsers.repository.js';
import type { SessionRow } from './session-row.js';

export function nameTaken(cause: unknown): ApiError {
  return new ApiError('conflict', 'Another browser of the project has this name; choose another one.', { cause });
}

/** What a create is told when its browser ended instead of running; whatever is not listed is the hosts being full or gone (529). */
const endedMeanwhile: Partial<Record<EndReason, readonly [ErrorCode, string]>> = {
  deleted: ['conflict', 'The browser was ended while it was starting.'],
  idle_timeout: ['service_unavailable', 'The browser was ended because nobody used it, before its create was answered.'],
  launch_failed: ['service_unavailable', 'The browser host could not start the browser.'],
  browser_crashed: ['service_unavailable', 'The browser crashed while it was starting.'],
};

/** @throws ApiError unless a host runs the browser. */
function assertRuns(standing: SessionStanding | undefined): void {
  if (standing?.status === 'running') return;
  const reason = standing?.endReason ?? 'launch_unclaimed';
  const [code, message] = endedMeanwhile[reason] ?? ['capacity_exhausted', 'No browser host could start a browser in time.'];
  throw new ApiError(code, message, { cause: new Error(`${standing?.status ?? 'no row'}: ${reason}`) });
}

/**
 * Creates a browser: a slot, then a row, then a launch. The only way back is one: whatever fails, the launch is taken back, the row ended,
 * the slot freed and the fault passed on. A crash between any two steps is healed by the slot's lease and the sweeps.
 */
@Injectable()
export class StartSession {
  constructor(
    @Inject(Slots) private readonly slots: Slots,
    @Inject(BrowsersRepository) private readonly rows: BrowsersRepository,
    @Inject(Fleet) private readonly fleet: Fleet,
  ) {}

  /**
   * `gone` is aborted when nobody waits any more. @throws ApiError concurrency_limit_exceeded, usage_unavailable, capacity_exhausted,
   * service_unavailable, conflict, project_not_found
   */
  async start(scope: ProjectScope, sessionId: string, session: NewSession, gone: AbortSignal): Promise<SessionRow> {
    const slot = await this.slots.take(scope, sessionId);
    return this.orUndo(slot, gone, async () => {
      gone.throwIfAborted();
      await this.insert(slot, session);
      await this.slots.confirm(slot);
      await this.fleet.launch(sessionId);
      assertRuns(await unlessAborted(gone, this.fleet.untilLaunched(sessionId)));
    });
  }

  /**
   * Goes on where a process that died had stopped, under the id that it used; undefined when it had no row yet (`start` finds the slot it
   * had, if any). The slot needs no care: it is the row's, so it is renewed by the host, or lost with the row. @throws ApiError as `start`
   */
  async resume(scope: ProjectScope, sessionId: string): Promise<SessionRow | undefined> {
    const row = await this.rows.byId(scope, sessionId);
    if (row === undefined) return undefined;
    return this.orUndo({ scope, sessionId }, new AbortController().signal, async () => {
      if (row.status === 'starting') await this.fleet.launch(sessionId);
      assertRuns(await this.fleet.untilLaunched(sessionId));
    });
  }

  private async orUndo(place: Place, gone: AbortSignal, work: () => Promise<void>): Promise<SessionRow> {
    try {
      await work();
      const row = await this.rows.byId(place.scope, place.sessionId);
      if (row === undefined) throw new Error('a running session has no row');
      return row;
    } catch (error) {
      await setRight(() => this.undo(place, gone.aborted ? 'deleted' : 'launch_unclaimed'));
      throw error;
    }
  }

  /**
   * A row that is there already is of the same create: another process took it over while this one stood still, and they go on with one
   * browser.
   */
  private async insert({ scope, sessionId }: Slot, session: NewSession): Promise<void> {
    try {
      if (!(await this.rows.insert(scope, sessionId, session)) && (await this.rows.byId(scope, sessionId)) === undefined)
        throw projectNotFound();
    } catch (error) {
      throw violatesUnique(error, 'browser_sessions_name_among_live') ? nameTaken(error) : error;
    }
  }

  /**
   * A row that a host has claimed keeps its slot until the host has killed the browser; without a row, or with one that is over, the slot
   * is free at once.
   */
  private async undo(place: Place, reason: EndReason): Promise<void> {
    if (await this.fleet.takeBack(place.sessionId, reason)) return;
    const row = await this.rows.byId(place.scope, place.sessionId);
    if (row === undefined || row.status === 'ended') await this.slots.giveBack(place);
  }
}
