import type { EndReason } from '@berth/browser-fleet';
import type { Chromium } from '../chromium/chromium.js';
import { IdleClock } from './idle-clock.js';
import type { Prepared } from './prepared.js';
import type { SessionRow } from './session-rows.js';

/** A caller's open door; `cut` closes it at once. */
export interface DoorConnection {
  cut(): void;
}

/** One session that this host runs or is starting: takes one place of its capacity from the moment it is claimed until its end is settled. */
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
  idle: IdleClock | undefined;
  readonly #abort = new AbortController();
  readonly #doors = new Set<DoorConnection>();

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

  giveUp(reason: EndReason): void {
    this.#abort.abort(new Error(reason));
  }

  /** Counts a caller in; call the answer when the connection is closed. */
  enter(door: DoorConnection): () => void {
    this.#doors.add(door);
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
  follow(row: SessionRow, onIdle: () => void): void {
    const replaced = this.row !== undefined && this.row.generation !== row.generation;
    const known = this.row;
    this.row = row;
    if (replaced) this.cutDoors();
    const freed = row.kind === 'pool' && row.leasedAt === null;
    if (freed) this.idle?.stop();
    if (this.idle === undefined || known?.timeoutSeconds !== row.timeoutSeconds || known.leasedAt?.getTime() !== row.leasedAt?.getTime()) {
      this.idle?.stop();
      this.idle = new IdleClock(row.timeoutSeconds * 1000, onIdle);
      if (!freed) this.idle.start(row.leasedAt === null ? 0 : Math.max(0, Date.now() - row.leasedAt.getTime()));
    }
  }
}
