import type { Chromium } from '../chromium/chromium.js';
import { IdleClock } from './idle-clock.js';
import type { Prepared } from './prepared.js';
import type { SessionRow } from './session-rows.js';

/** Who acts on what becomes of a session. */
export interface Followers {
  /** Nobody was connected for its time-out. */
  readonly onIdle: () => void;
  /** A caller has used the browser, and it is to be another's: settles when it is what its record says. */
  readonly onHandedOn: () => Promise<void>;
}

/** A caller's open door; `cut` closes it at once. */
export interface DoorConnection {
  cut(): void;
}

/**
 * One session that this host runs or is starting: takes one place of its capacity from the moment it is claimed until its end is settled.
 */
export class Session {
  /** Known once the row is claimed. */
  row: SessionRow | undefined;
  /** Known once the browser runs. */
  chromium: Chromium | undefined;
  /** Set once, when the session begins to end. */
  ending: Promise<void> | undefined;
  /** Resolves when the launch has succeeded or given up. */
  launched: Promise<void> = Promise.resolve();
  prepared: Prepared = {};
  /** Settles when the browser is what its record says; whoever knocks waits for it. */
  fit: Promise<void> = Promise.resolve();
  idle: IdleClock | undefined;
  readonly #abort = new AbortController();
  readonly #doors = new Set<DoorConnection>();
  #used = false;

  constructor(readonly id: string) {}

  /** Aborted when the session must end before it was launched. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get connections(): number {
    return this.#doors.size;
  }

  /** Whether callers may come in. */
  get open(): boolean {
    return this.row?.status === 'running' && this.chromium !== undefined && this.ending === undefined;
  }

  /** Whether it is listed: callers may come in, or its end has begun and the host is reading from its browser what its profile keeps. */
  get listed(): boolean {
    const isRead = this.prepared.keeping !== undefined && this.row?.status === 'running' && this.chromium?.alive === true;
    return this.open || isRead;
  }

  giveUp(reason: string): void {
    this.#abort.abort(new Error(reason));
  }

  /** Counts a caller in; call the answer when the connection is closed. */
  enter(door: DoorConnection): () => void {
    this.#doors.add(door);
    this.#used = true;
    const leave = this.idle?.connect();
    return () => {
      this.#doors.delete(door);
      leave?.();
    };
  }

  cutDoors(): void {
    for (const door of this.#doors) door.cut();
  }

  /** Takes over what changed in the row while the browser runs: a lease of a pool browser, a new generation of tokens. */
  follow(row: SessionRow, { onIdle, onHandedOn }: Followers): void {
    const known = this.row;
    if (known !== undefined && isOlder(row, known)) return;
    this.row = row;
    if (known !== undefined && known.generation !== row.generation) {
      this.cutDoors();
      if (this.#used) this.fit = onHandedOn();
      this.#used = false;
    }
    // One clock for the whole life: whoever came in before the lease was heard of is connected all the same.
    const fresh = this.idle === undefined;
    this.idle ??= new IdleClock(row.timeoutSeconds * 1000, onIdle);
    if (row.kind === 'pool' && row.leasedAt === null) return this.idle.stop();
    if (!fresh && known?.leasedAt?.getTime() === row.leasedAt?.getTime()) return;
    this.idle.stop();
    this.idle.start(row.leasedAt === null ? 0 : Math.max(0, Date.now() - row.leasedAt.getTime()));
  }
}

/** Two readings may come in the other order. A generation only rises, and within one a browser is leased but never given back. */
function isOlder(row: SessionRow, known: SessionRow): boolean {
  return row.generation < known.generation || (row.generation === known.generation && row.leasedAt === null && known.leasedAt !== null);
}
