import { announceSession, type EndingPorts, type EndReason, endRow } from '@berth/browser-fleet';
import type { Logger } from '@berth/logging';
import { type ChromiumOptions, defaultOptions } from '../chromium/flags.js';
import type { Standby } from '../chromium/standby.js';
import type { Preparation } from './prepared.js';
import { Session } from './session.js';
import type { SessionRow, SessionRows } from './session-rows.js';

export interface SessionsOptions {
  readonly rows: SessionRows;
  readonly ending: EndingPorts;
  readonly standby: Standby;
  readonly preparation: Preparation;
  readonly capacity: number;
  /** A browser that is not ready by then is given up (`BERTH_LAUNCH_TIMEOUT_SECONDS`). */
  readonly launchTimeoutMs: number;
  readonly logger: Logger;
}

/** Saving a profile may take this long before the browser is killed all the same; a page that hangs must not keep its slot. */
const keepWithinMs = 15_000;

/** A login that was just given its browser opens its page now, and often ends within this; a standby browser that starts meanwhile would take half a small machine from it. */
const loginHeadStartMs = 1_000;

async function withinTime(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

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

  /** Takes the place now, then claims the row and starts its browser. Never throws: a failed launch ends the row and frees the slot. */
  launch(sessionId: string): Promise<void> {
    if (this.#held.has(sessionId)) return Promise.resolve();
    const session = new Session(sessionId);
    this.#held.set(sessionId, session);
    session.launched = this.#launch(session);
    return session.launched;
  }

  /**
   * Ends the session once, whoever asks: row `ending`, doors shut, changes kept, processes killed, row `ended`, slot freed. What cannot be written
   * because PostgreSQL is away is settled by the next look at this host's rows.
   */
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
    await Promise.all(lost.map((id) => endRow(this.options.ending, id, 'browser_crashed')));
  }

  #obey(session: Session, row: SessionRow | undefined): void {
    const ended = row === undefined || row.status === 'ended' || row.status === 'ending';
    if (ended) {
      session.row = row ?? session.row;
      void this.end(session, 'deleted');
    } else if (session.open) session.follow(row, () => void this.end(session, 'idle_timeout'));
  }

  async #launch(session: Session): Promise<void> {
    const { rows, ending, logger } = this.options;
    try {
      session.row = await rows.claim(session.id);
      if (session.row === undefined) return this.#forget(session);
      await this.#start(session, session.row);
      const row = await rows.markRunning(session.id);
      if (row === undefined) throw new Error('the launch was taken back');
      session.row = row;
      session.follow(row, () => void this.end(session, 'idle_timeout'));
      await announceSession(ending.redis, { sessionId: session.id, status: 'running' });
      logger.info({ session_id: session.id, organization_id: row.organizationId, pid: session.chromium?.pid }, 'session runs');
    } catch (error) {
      logger.warn({ err: error, session_id: session.id }, 'session did not start');
      // Not awaited: the end waits for this launch to be over.
      void this.end(session, 'launch_failed');
    } finally {
      if (session.row?.kind === 'login') this.options.standby.refillLater(loginHeadStartMs);
      else this.options.standby.refill();
    }
  }

  async #start(session: Session, row: SessionRow): Promise<void> {
    const signal = AbortSignal.any([session.signal, AbortSignal.timeout(this.options.launchTimeoutMs)]);
    const chromium = await this.options.standby.take(optionsOf(row), signal);
    session.chromium = chromium;
    void chromium.exited.then(({ code }) => this.end(session, code === 0 ? 'browser_closed' : 'browser_crashed'));
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    session.prepared = await Promise.race([this.options.preparation.prepare(chromium, row), aborted]);
    signal.throwIfAborted();
  }

  async #end(session: Session, reason: EndReason): Promise<void> {
    const { rows, ending, logger } = this.options;
    const attempt = async (what: string, action: () => Promise<unknown>): Promise<void> => {
      await action().catch((error: unknown) => logger.error({ err: error, session_id: session.id }, what));
    };
    session.giveUp(reason);
    await session.launched;
    session.idle?.stop();
    if (session.row !== undefined && session.row.status !== 'ending')
      await attempt('row not marked ending', () => rows.markEnding(session.id, reason));
    session.cutDoors();
    const { chromium, prepared } = session;
    const keep = chromium?.alive === true ? prepared.beforeKill : prepared.afterClose;
    if (keep !== undefined) await attempt('profile changes were not saved', () => withinTime(keep(), keepWithinMs));
    if (chromium !== undefined) await attempt('a browser was not killed', () => chromium.end());
    if (session.row !== undefined) await attempt('row not ended', () => endRow(ending, session.id, reason));
    if (chromium !== undefined) await attempt('files of a browser were not removed', () => chromium.kill());
    this.#forget(session);
    logger.info({ session_id: session.id, reason }, 'session ended');
  }

  #forget(session: Session): void {
    this.#held.delete(session.id);
    this.#waitingForRoom.shift()?.();
  }
}
