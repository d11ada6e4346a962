import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { databaseOutage, type ProjectScope } from '@berth/database';
import { Fleet } from '../admission/fleet.js';
import { notFound } from '../errors/api-error.js';
import { Drain } from '../health/drain.js';
import { HostDoors } from './host-doors.js';
import { type LeaseNames, type PlacedSession, PoolsRepository } from './pools.repository.js';

/** How often a pool with waiters is looked at without a notice. */
const lookEveryMs = 500;

export interface LeaseRequest extends LeaseNames {
  readonly scope: ProjectScope;
  readonly poolId: string;
  /** Asked before a browser is leased and after: a caller that went away must not keep one. */
  readonly isWanted: () => boolean;
}

interface Waiter extends LeaseRequest {
  /** Its time is over; it is answered at the latest when the question that is under way is. */
  left: boolean;
  readonly settle: (leased: PlacedSession | undefined) => void;
  readonly fail: (error: unknown) => void;
}

interface Queue {
  waiters: Waiter[];
  /** Nothing was free when the pool was last asked, and it has not been asked again. */
  dry: boolean;
}

/** Callers that wait for a browser of a pool: first come, first served within a process, one question at a time for each pool. */
@Injectable()
export class PoolWaiters implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #queues = new Map<string, Queue>();
  readonly #wake = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #stopped = false;

  constructor(
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(HostDoors) private readonly doors: HostDoors,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(Drain) drain: Drain,
  ) {
    drain.onStop(() => this.#letGo());
  }

  onApplicationBootstrap(): void {
    this.#unsubscribe = this.fleet.watcher.onNotice(({ status }) => {
      if (status === 'running') this.lookNow();
    });
  }

  onApplicationShutdown(): void {
    this.#unsubscribe?.();
  }

  /** This process stops: everybody's time is over. Who is just being given a browser gets it, or it would be leased to nobody. */
  #letGo(): void {
    this.#stopped = true;
    for (const { waiters } of [...this.#queues.values()]) for (const waiter of [...waiters]) this.#timeOut(waiter);
  }

  /** Has every pool with waiters looked at now, instead of at its next look. */
  lookNow(): void {
    for (const wake of [...this.#wake]) wake();
  }

  /** Answers undefined at the time-out. @throws ApiError not_found once the pool is deleted */
  async lease(request: LeaseRequest, timeoutMs: number): Promise<PlacedSession | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let waiter: Waiter | undefined;
    try {
      return await new Promise<PlacedSession | undefined>((settle, fail) => {
        waiter = { ...request, left: false, settle, fail };
        this.#join(waiter);
        timer = setTimeout(() => this.#timeOut(waiter as Waiter), this.#stopped ? 0 : timeoutMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Also a time-out of 0 leases a browser that is free: nobody is sent away before the pool was asked. */
  #timeOut(waiter: Waiter): void {
    waiter.left = true;
    const queue = this.#queues.get(waiter.poolId);
    if (queue?.dry === true) this.#dismiss(queue);
  }

  #dismiss(queue: Queue): void {
    const done = (waiter: Waiter): boolean => waiter.left || !waiter.isWanted();
    for (const waiter of queue.waiters.filter(done)) waiter.settle(undefined);
    queue.waiters = queue.waiters.filter((waiter) => !done(waiter));
  }

  #join(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.poolId);
    if (queue !== undefined) return void queue.waiters.push(waiter);
    const fresh = { waiters: [waiter], dry: false };
    this.#queues.set(waiter.poolId, fresh);
    void this.#serve(waiter.poolId, fresh);
  }

  async #serve(poolId: string, queue: Queue): Promise<void> {
    for (let head = queue.waiters[0]; head !== undefined; head = queue.waiters[0]) {
      const woken = this.#nextLook();
      queue.dry = false;
      try {
        const leased = await this.pools.lease(head.scope, poolId, head, this.doors.shut);
        if (leased === 'deleted') {
          for (const waiter of queue.waiters.splice(0)) waiter.fail(notFound());
          continue;
        }
        if (leased === undefined) {
          queue.dry = true;
          this.#dismiss(queue);
          if (queue.waiters.length > 0) await woken;
          continue;
        }
        queue.waiters.shift();
        head.settle(leased);
      } catch (error) {
        // A pool that cannot be asked cannot be asked for the others either.
        const failed = databaseOutage(error) === undefined ? 1 : queue.waiters.length;
        for (const waiter of queue.waiters.splice(0, failed)) waiter.fail(error);
      }
    }
    this.#queues.delete(poolId);
  }

  #nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, lookEveryMs);
      this.#wake.add(wake);
    });
  }
}
