import { announceSession, type EndReason, type Publisher } from '@berth/browser-fleet';
import type { Logger } from '@berth/logging';
import { type ChromiumOptions, defaultOptions } from '../chromium/flags.js';
import type { Standby } from '../chromium/standby.js';
import { throughOutage, withinTime } from '../patience.js';
import { endSession, exitReason } from './end-session.js';
import type { Preparation } from './prepared.js';
import { putRight } from './put-right.js';
import { type Followers, Session } from './session.js';
import type { SessionRow, SessionRows } from './session-rows.js';

export interface SessionsOptions {
  readonly rows: SessionRows;
  readonly redis: Publisher;
  readonly standby: Standby;
  readonly preparation: Preparation;
  readonly capacity: number;
  /** A browser that is not ready by then is given up (`BERTH_LAUNCH_TIMEOUT_SECONDS`). */
  readonly launchTimeoutMs: number;
  readonly logger: Logger;
}

/** It takes some 30 ms, half a second when a page hangs. */
const putRightWithinMs = 3_000;

/**
 * A login that was just given its browser opens its page now, and often ends within this; a standby browser that starts meanwhile would
 * take half a small machine from it.
 */
const loginHeadStartMs = 1_000;

export function optionsOf(row: SessionRow): ChromiumOptions {
  return { headless: row.headless, kioskMode: row.kioskMode ?? false, viewport: row.viewport ?? defaultOptions.viewport };
}

/** Every session of this host, from claim to settled end. The row decides: a browser is announced, kept and ended as the row says. */
export class Sessions {
  readonly #held = new Map<string, Session>();
  readonly #waitingForRoom: (() => void)[] = [];
  #comparedAt = performance.now();

  constructor(private readonly options: SessionsOptions) {}

  get all(): readonly Session[] {
    return [...this.#held.values()];
  }

  /** How long ago the rows were last seen to agree, ms. More than most of a lease: others may have ended these sessions meanwhile. */
  get comparedMsAgo(): number {
    return performance.now() - this.#comparedAt;
  }

  find(sessionId: string): Session | undefined {
    return this.#held.get(sessionId);
  }

  /** Resolves when one more browser may run here. */
  async untilRoom(): Promise<void> {
    while (this.#held.size >= this.options.capacity) await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve));
  }

  /**
   * Takes the place now and claims the row; its browser is started behind the answer. Never rejects: a failed launch ends the row and frees
   * the slot.
   */
  async launch(sessionId: string): Promise<void> {
    if (this.#held.has(sessionId)) return;
    const session = new Session(sessionId);
    this.#held.set(sessionId, session);
    const until = AbortSignal.any([session.signal, AbortSignal.timeout(this.options.launchTimeoutMs)]);
    const claimed = this.#claim(session, until);
    session.launched = claimed.then((row) => (row === undefined ? undefined : this.#launch(session, row, until)));
    await claimed;
  }

  /** Ends the session once, whoever asks. */
  end(session: Session, reason: EndReason): Promise<void> {
    session.ending ??= this.#end(session, reason);
    return session.ending;
  }

  /** Looks at one row now, because somebody said that it has changed. */
  async look(sessionId: string): Promise<void> {
    const session = this.#held.get(sessionId);
    if (session?.row === undefined) return;
    const row = await this.options.rows.find(sessionId);
    this.#obey(session, row);
  }

  /** Compares this host's rows with its browsers, both ways: the net below lost notices, crashes and an unreachable PostgreSQL. */
  async compareWithRows(): Promise<void> {
    const before = this.all.filter((session) => session.row !== undefined);
    const startedAt = performance.now();
    const rows = new Map((await this.options.rows.ofThisHost()).map((row) => [row.id, row]));
    for (const session of before) this.#obey(session, rows.get(session.id));
    this.#comparedAt = startedAt;
    const lost = [...rows.keys()].filter((id) => !this.#held.has(id));
    await Promise.all(lost.map((id) => this.options.rows.end(id, 'browser_crashed')));
  }

  #obey(session: Session, row: SessionRow | undefined): void {
    const ended = row === undefined || row.status === 'ended' || row.status === 'ending';
    if (ended) {
      session.row = row ?? session.row;
      void this.end(session, 'deleted');
    } else if (session.open) session.follow(row, this.#followers(session));
  }

  #followers(session: Session): Followers {
    return { onIdle: () => void this.end(session, 'idle_timeout'), onHandedOn: () => this.#putRight(session) };
  }

  /** A browser that cannot be put right is ended; its pool starts another. */
  async #putRight(session: Session): Promise<void> {
    const { chromium, row } = session;
    if (chromium === undefined || row === undefined) return;
    try {
      await withinTime(putRightWithinMs, putRight(chromium, row));
    } catch (error) {
      this.options.logger.warn({ err: error, session_id: session.id }, 'a browser could not be put right for the next caller');
      void this.end(session, 'unfit');
    }
  }

  async #claim(session: Session, until: AbortSignal): Promise<SessionRow | undefined> {
    try {
      session.row = await throughOutage(until, () => this.options.rows.claim(session.id));
      if (session.row === undefined) this.#forget(session);
    } catch (error) {
      this.#failed(session, error);
    }
    return session.row;
  }

  async #launch(session: Session, claimed: SessionRow, until: AbortSignal): Promise<void> {
    const { rows, redis, logger, standby } = this.options;
    try {
      await this.#start(session, claimed, until);
      const row = await throughOutage(until, () => rows.markRunning(session.id));
      if (row === undefined) throw new Error('the launch was taken back');
      session.row = row;
      session.follow(row, this.#followers(session));
      await announceSession(redis, { sessionId: session.id, status: 'running' });
      logger.info({ session_id: session.id, organization_id: row.organizationId, pid: session.chromium?.pid }, 'session runs');
    } catch (error) {
      this.#failed(session, error);
    } finally {
      if (claimed.kind === 'login') standby.refillLater(loginHeadStartMs);
      else standby.refill();
    }
  }

  #failed(session: Session, error: unknown): void {
    this.options.logger.warn({ err: error, session_id: session.id }, 'session did not start');
    // Not awaited: the end waits for this launch to be over.
    void this.end(session, 'launch_failed');
  }

  async #start(session: Session, row: SessionRow, until: AbortSignal): Promise<void> {
    const chromium = await this.options.standby.take(optionsOf(row), until);
    session.chromium = chromium;
    // Unlisted before it has exited: whoever closed it may ask for the next one of its profile already.
    void chromium.closing.then(() => (session.ending ??= this.#end(session, exitReason(chromium))));
    const aborted = new Promise<never>((_, reject) => until.addEventListener('abort', () => reject(until.reason as Error), { once: true }));
    session.prepared = await Promise.race([this.options.preparation.prepare(chromium, row, until), aborted]);
    until.throwIfAborted();
  }

  async #end(session: Session, cause: EndReason | Promise<EndReason>): Promise<void> {
    await endSession(session, cause, this.options.rows, this.options.logger);
    this.#forget(session);
  }

  #forget(session: Session): void {
    this.#held.delete(session.id);
    this.#waitingForRoom.shift()?.();
  }
}
