import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ProjectScope } from '@berth/database';
import { Fleet } from '../admission/fleet.js';
import { type PlacedSession, PoolsRepository } from './pools.repository.js';

/** How often a pool with waiters is looked at without a notice. */
const lookEveryMs = 500;

export interface LeaseRequest {
  readonly scope: ProjectScope;
  readonly poolId: string;
  readonly name: string | null;
  readonly tags: Record<string, string> | null;
  /** Asked before a browser is leased and after: a caller that went away must not keep one. */
  readonly isWanted: () => boolean;
}

interface Waiter extends LeaseRequest {
  left: boolean;
  readonly settle: (leased: PlacedSession | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Callers that wait for a browser of a pool: first come, first served within a process, one question at a time for each pool. */
@Injectable()
export class PoolWaiters implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #queues = new Map<string, Waiter[]>();
  readonly #wake = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;

  constructor(@Inject(PoolsRepository) private readonly pools: PoolsRepository, @Inject(Fleet) private readonly fleet: Fleet) {}

  onApplicationBootstrap(): void {
    this.#unsubscribe = this.fleet.watcher.onNotice(({ status }) => {
      if (status === 'running') for (const wake of [...this.#wake]) wake();
    });
  }

  onApplicationShutdown(): void {
    this.#unsubscribe?.();
    for (const queue of this.#queues.values()) for (const waiter of queue) waiter.settle(undefined);
  }

  /** Answers undefined at the time-out. */
  async lease(request: LeaseRequest, timeoutMs: number): Promise<PlacedSession | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let waiter: Waiter | undefined;
    try {
      return await new Promise<PlacedSession | undefined>((settle, fail) => {
        waiter = { ...request, left: false, settle, fail };
        this.#join(waiter);
        timer = setTimeout(() => this.#timeOut(waiter as Waiter), timeoutMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** One that is being served right now gets the answer to that question, also at a time-out of 0. */
  #timeOut(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.poolId);
    waiter.left = true;
    if (queue?.[0] === waiter) return;
    queue?.splice(queue.indexOf(waiter), 1);
    waiter.settle(undefined);
  }

  #join(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.poolId);
    if (queue !== undefined) return void queue.push(waiter);
    const fresh = [waiter];
    this.#queues.set(waiter.poolId, fresh);
    void this.#serve(waiter.poolId, fresh);
  }

  async #serve(poolId: string, queue: Waiter[]): Promise<void> {
    for (let waiter = queue[0]; waiter !== undefined; waiter = queue[0]) {
      const woken = this.#nextLook();
      try {
        const leased = waiter.isWanted() ? await this.pools.lease(waiter.scope, poolId, waiter.name, waiter.tags) : undefined;
        if (leased !== undefined || waiter.left || !waiter.isWanted()) {
          queue.shift();
          waiter.settle(leased);
          continue;
        }
      } catch (error) {
        queue.shift();
        waiter.fail(error);
        continue;
      }
      const head = waiter;
      await woken;
      if (head.left) {
        queue.shift();
        head.settle(undefined);
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
