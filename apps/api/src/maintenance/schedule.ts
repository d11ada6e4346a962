import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AdvisoryLocks } from '../admission/advisory-locks.js';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { FlowSweep } from './flow-sweep.js';
import { PoolSweep } from './pool-sweep.js';
import { SessionSweeps } from './session-sweeps.js';

/** One thing that must happen now and then, in whichever process gets to it. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

const poolsEveryMs = 500;
const deadMembersEveryMs = 30_000;

/** The sweeps of this deployment. Each is safe to run twice at once; the lock only saves work. */
export function sweepsOf(config: Pick<ApiConfig, 'leaseSeconds' | 'reconcileSeconds' | 'sweepSeconds'>, sessions: SessionSweeps, flows: FlowSweep, pools: PoolSweep): readonly Sweep[] {
  const leaseMs = config.leaseSeconds * 1_000;
  // Usage stays known without a rebuild only when it is reconciled every third of a lease (live-sessions).
  const reconcileMs = Math.min(config.reconcileSeconds * 1_000, leaseMs / 3);
  return [
    { name: 'sessions of dead hosts', everyMs: leaseMs / 3, run: () => sessions.deadHosts() },
    { name: 'unclaimed launches', everyMs: leaseMs / 3, run: () => sessions.unclaimedLaunches() },
    { name: 'stale ends', everyMs: leaseMs, run: () => sessions.staleEnding() },
    { name: 'reconcile', everyMs: reconcileMs, run: () => sessions.reconcile() },
    { name: 'dead members', everyMs: deadMembersEveryMs, run: () => sessions.deadMembers() },
    { name: 'login flows', everyMs: config.sweepSeconds * 1_000, run: () => flows.run() },
    { name: 'pools', everyMs: poolsEveryMs, run: () => pools.run() },
  ];
}

/** Runs every sweep at its own pace, one process at a time, as long as this process lives. */
@Injectable()
export class Schedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Maintenance');
  readonly #sweeps: readonly Sweep[];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(AdvisoryLocks) private readonly locks: AdvisoryLocks,
    @Inject(SessionSweeps) sessions: SessionSweeps,
    @Inject(FlowSweep) flows: FlowSweep,
    @Inject(PoolSweep) pools: PoolSweep,
  ) {
    this.#sweeps = sweepsOf(config, sessions, flows, pools);
  }

  onApplicationBootstrap(): void {
    for (const sweep of this.#sweeps) this.#plan(sweep);
  }

  /** Before the stores are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #plan(sweep: Sweep): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const run = this.#run(sweep).finally(() => {
        this.#running.delete(run);
        this.#plan(sweep);
      });
      this.#running.add(run);
    }, sweep.everyMs);
    this.#timers.add(timer);
  }

  /** A store that is away fails every sweep until it is back; the next run is the retry. */
  async #run({ name, run }: Sweep): Promise<void> {
    try {
      await this.locks.tryWith(`sweep:${name}`, run);
    } catch (error) {
      this.#logger.warn(`sweep of ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
