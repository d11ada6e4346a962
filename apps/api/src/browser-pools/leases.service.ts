import { Inject, Injectable } from '@nestjs/common';
import { type ProjectScope, violatesUnique } from '@berth/database';
import type { AcquireFromPool, BrowserSession, ReleaseToPool } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { BrowsersService } from '../browsers/browsers.service.js';
import { ApiError, invalid } from '../errors/api-error.js';
import { type Leased, LeasesRepository } from './leases.repository.js';
import { PoolKeeper } from './pool-keeper.js';
import type { PoolRow } from './pool-row.js';

const defaultWaitSeconds = 60;
/** A browser may become free without our hearing of it: Redis loses messages. */
const lookEveryMs = 500;

function nameTaken(): ApiError {
  return new ApiError('conflict', 'A browser with this name exists in the project.');
}

/** Browsers leased from a pool and given back (D34). Leasing never launches: it takes what is there, or waits. */
@Injectable()
export class LeasesService {
  constructor(
    @Inject(LeasesRepository) private readonly leases: LeasesRepository,
    @Inject(PoolKeeper) private readonly keeper: PoolKeeper,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
  ) {}

  /** A browser of the pool, or undefined when none became free in time. @throws ApiError bad_request, conflict */
  async acquire(scope: ProjectScope, pool: PoolRow, asked: AcquireFromPool, signal: AbortSignal): Promise<BrowserSession | undefined> {
    await this.browsers.assertPossible(asked.telemetry === undefined ? {} : { telemetry: asked.telemetry });
    if (asked.start_url !== undefined) throw invalid({ field: 'start_url', message: 'a browser of a pool starts before it is leased; give the pool a start_url' });
    if (asked.name !== undefined && (await this.browsers.nameIsTaken(scope, asked.name))) throw nameTaken();
    const leased = await this.#untilLeased(scope, pool.id, asked, signal);
    if (leased === undefined) return undefined;
    await this.fleet.tellHost(leased.hostId, leased.id);
    const record = await this.browsers.find(scope, leased.id);
    return record === undefined ? undefined : this.browsers.view(record);
  }

  /** Gives a leased browser back, to be leased again or (`reuse: false`) to be replaced. @throws ApiError bad_request naming `session_id` */
  async release(scope: ProjectScope, pool: PoolRow, { session_id, reuse }: ReleaseToPool): Promise<void> {
    const released = await (reuse === false ? this.leases.held(scope, pool.id, session_id) : this.leases.free(scope, pool.id, session_id));
    if (released === undefined) throw invalid({ field: 'session_id', message: 'no browser that is leased from this pool' });
    if (reuse === false) await this.fleet.end([session_id], 'deleted');
    else await this.#announceFree(released);
    if (pool.leased > pool.size) await this.keeper.syncReservation(scope, pool.id);
    this.keeper.keepSoon(scope, pool.id);
  }

  async #untilLeased(scope: ProjectScope, poolId: string, asked: AcquireFromPool, signal: AbortSignal): Promise<Leased | undefined> {
    const deadline = performance.now() + (asked.acquire_timeout_seconds ?? defaultWaitSeconds) * 1_000;
    for (;;) {
      const leased = await this.#lease(scope, poolId, asked);
      if (leased !== undefined) {
        if (!signal.aborted) return leased;
        // Nobody is there to use it. It was nobody's for a moment, so it can be anybody's.
        const freed = await this.leases.free(scope, poolId, leased.id);
        if (freed !== undefined) await this.#announceFree(freed);
      }
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || signal.aborted) return undefined;
      await this.#untilSomethingChanges(Math.min(leftMs, lookEveryMs), signal);
    }
  }

  async #lease(scope: ProjectScope, poolId: string, { name, tags }: AcquireFromPool): Promise<Leased | undefined> {
    try {
      return await this.leases.lease(scope, poolId, { name: name ?? null, tags: tags ?? null });
    } catch (error) {
      throw violatesUnique(error, 'browser_sessions_name_among_live') ? nameTaken() : error;
    }
  }

  async #announceFree({ id, hostId }: Leased): Promise<void> {
    await this.fleet.tellHost(hostId, id);
    await this.fleet.announceIdle(id);
  }

  /** Some browser started or was freed, the caller left, or it is time to look again. */
  async #untilSomethingChanges(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stopListening();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      const stopListening = this.fleet.watcher.onNotice(({ status }) => (status === 'running' ? done() : undefined));
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
