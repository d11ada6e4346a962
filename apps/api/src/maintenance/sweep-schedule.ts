import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@berth/database';
import { exclusively, unscoped } from '@berth/database/unscoped';
import { createLogger } from '@berth/logging';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** Something that must be looked at now and then, by one process at a time, whichever lives. */
export interface Sweep {
  /** Unique; its advisory lock is named after it. */
  readonly name: string;
  readonly everyMs: number;
  /** Its owner, whom other apps call too, takes a lock of its own: under two, a sweep would hold two connections and wait for a third. */
  readonly locksItself?: true;
  run(): Promise<void>;
}

const tickMs = 200;

/**
 * Runs every process's sweeps, each under an advisory lock so that only one process is at it. One after the other: a lock takes a
 * connection of the pool, and the sweep needs more.
 */
@Injectable()
export class SweepSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #due = new Map<Sweep, number>();
  readonly #log;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(API_CONFIG) config: ApiConfig,
  ) {
    this.#log = createLogger({ name: 'sweeps', level: config.logLevel });
  }

  add(...sweeps: readonly Sweep[]): void {
    for (const sweep of sweeps) {
      if ([...this.#due.keys()].some(({ name }) => name === sweep.name)) throw new Error(`two sweeps are called ${sweep.name}`);
      this.#due.set(sweep, Date.now() + sweep.everyMs * Math.random());
    }
  }

  onApplicationBootstrap(): void {
    this.#next();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#runDue().finally(() => this.#next());
    }, tickMs);
  }

  async #runDue(): Promise<void> {
    for (const [sweep, due] of this.#due) {
      if (this.#stopped || Date.now() < due) continue;
      this.#due.set(sweep, Date.now() + sweep.everyMs);
      try {
        if (sweep.locksItself) await sweep.run();
        else await exclusively(unscoped(this.database).pool, `sweep ${sweep.name}`, () => sweep.run());
      } catch (error) {
        this.#log.warn({ err: error, sweep: sweep.name }, 'sweep failed; it comes again');
      }
    }
  }
}
