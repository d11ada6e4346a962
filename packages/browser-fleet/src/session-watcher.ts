import type { UnscopedAccess } from '@berth/database/unscoped';
import { parseNotice, sessionChannel, SessionNotice } from './channels.js';
import type { EndReason } from './ending.js';

/** A session's row, as far as those who wait for it care. */
export interface SessionStanding {
  readonly id: string;
  readonly status: 'starting' | 'running' | 'ending' | 'ended';
  readonly generation: number;
  readonly hostInternalUrl: string | null;
  readonly hostPublicUrl: string | null;
  readonly startedAt: Date | null;
  readonly endReason: EndReason | null;
}

/** What the watcher needs of a Redis connection: one in subscriber mode. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  off(event: 'message', listener: (channel: string, message: string) => void): unknown;
}

/** How often rows are looked at without having been told: pub/sub may lose messages, and Redis may be down. */
const lookEveryMs = 500;

type Waiter = (standing: SessionStanding | undefined) => void;

/**
 * Waits for sessions to change, for a whole process: one subscription, and one query for all waited sessions at each look, whatever the
 * number of waiters. Notices only make it look earlier.
 */
export class SessionWatcher {
  readonly #access: UnscopedAccess;
  readonly #subscriber: Subscriber;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  readonly #told = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(access: UnscopedAccess, subscriber: Subscriber) {
    this.#access = access;
    this.#subscriber = subscriber;
  }

  /** Call it once, at start. While Redis is away, waiting works by looking alone. */
  async start(): Promise<void> {
    this.#subscriber.on('message', this.#hear);
    await this.#subscriber.subscribe(sessionChannel);
  }

  stop(): void {
    this.#subscriber.off('message', this.#hear);
    clearTimeout(this.#timer);
    this.#waiters.clear();
  }

  /** Hears every notice of every session, for those who follow more than one. Answers how to stop. Notices may be lost. */
  onNotice(listener: (notice: SessionNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Waits until a `starting` session is anything else. Answers its standing then (`running`, or how it ended), or at the time-out
   * (still `starting`: the caller cancels the launch and ends the row); undefined when there is no such row.
   */
  waitUntilRunning(sessionId: string, timeoutMs: number): Promise<SessionStanding | undefined> {
    return this.#wait(sessionId, timeoutMs, (standing) => standing.status !== 'starting');
  }

  /**
   * Waits until the session's row is `ended`, at most `timeoutMs` (D33: 5 s). Answers whether it is. Its slot may be a moment behind:
   * `freeEnded`.
   */
  async waitUntilEnded(sessionId: string, timeoutMs: number): Promise<boolean> {
    const standing = await this.#wait(sessionId, timeoutMs, ({ status }) => status === 'ended');
    return standing === undefined || standing.status === 'ended';
  }

  async #wait(sessionId: string, timeoutMs: number, done: (standing: SessionStanding) => boolean): Promise<SessionStanding | undefined> {
    let last: SessionStanding | undefined;
    const changed = new Promise<void>((resolve) => {
      const waiter: Waiter = (standing) => {
        last = standing;
        if (standing !== undefined && !done(standing)) return;
        this.#leave(sessionId, waiter);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#leave(sessionId, waiter);
        resolve();
      }, timeoutMs);
      this.#join(sessionId, waiter);
    });
    await changed;
    return last;
  }

  #join(sessionId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(sessionId) ?? new Set();
    this.#waiters.set(sessionId, waiters.add(waiter));
    this.#lookSoon(sessionId);
  }

  #leave(sessionId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(sessionId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(sessionId);
  }

  readonly #hear = (channel: string, message: string): void => {
    if (channel !== sessionChannel) return;
    const notice = parseNotice(SessionNotice, message);
    if (notice === undefined) return;
    for (const listener of this.#listeners) listener(notice);
    if (this.#waiters.has(notice.sessionId)) this.#lookSoon(notice.sessionId);
  };

  /** Gathers what is told in one turn of the event loop into one query. */
  #lookSoon(sessionId: string): void {
    if (this.#told.size === 0) setImmediate(() => void this.#look([...this.#takeTold()]));
    this.#told.add(sessionId);
  }

  #takeTold(): readonly string[] {
    const told = [...this.#told];
    this.#told.clear();
    return told;
  }

  async #look(sessionIds: readonly string[]): Promise<void> {
    try {
      const standings = await this.#read(sessionIds);
      for (const id of sessionIds) for (const waiter of [...(this.#waiters.get(id) ?? [])]) waiter(standings.get(id));
    } catch {
      // PostgreSQL is away: the next look may find it back, and the waiters have their time-outs.
    }
    this.#keepLooking();
  }

  #keepLooking(): void {
    if (this.#timer !== undefined || this.#waiters.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look([...this.#waiters.keys()]);
    }, lookEveryMs);
  }

  async #read(sessionIds: readonly string[]): Promise<Map<string, SessionStanding>> {
    const { rows } = await this.#access.pool.query<SessionStanding>({
      name: 'fleet-standings',
      text: `SELECT id, status, generation, host_internal_url AS "hostInternalUrl", host_public_url AS "hostPublicUrl",
                    started_at AS "startedAt", end_reason AS "endReason" FROM browser_sessions WHERE id = ANY($1)`,
      values: [sessionIds],
    });
    return new Map(rows.map((row) => [row.id, row]));
  }
}
