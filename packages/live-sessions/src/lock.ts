import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { Commands } from './commands.js';
import { keys } from './keys.js';
import { AdmissionUnavailable } from './types.js';

/** Longer than any reading of one organization's rows; a process that dies holding it blocks a rebuild for this long at most. */
const LOCK_MS = 10_000;

/** The right to rebuild or reconcile one organization, held by one process at a time. */
export class Lock {
  readonly #redis: Redis | Cluster;
  readonly #commands: Commands;

  constructor(redis: Redis | Cluster, commands: Commands) {
    this.#redis = redis;
    this.#commands = commands;
  }

  /** Answers `null` when another process has it. `work` gives the lock back itself when it succeeds. */
  async tryWith<T>(organizationId: string, work: (token: string) => Promise<T>): Promise<T | null> {
    const token = randomUUID();
    if (!(await this.#take(organizationId, token))) return null;
    try {
      return await work(token);
    } catch (error) {
      // If even this fails, the lock ends by itself.
      await this.#commands.unlock(organizationId, token).catch(() => undefined);
      throw error;
    }
  }

  async #take(organizationId: string, token: string): Promise<boolean> {
    try {
      // Asked first: a Redis that hangs would take the lock when it goes on, for nobody, and whoever rebuilds would wait for its end.
      if ((await this.#redis.exists(keys.lock(organizationId))) === 1) return false;
      return (await this.#redis.set(keys.lock(organizationId), token, 'PX', LOCK_MS, 'NX')) === 'OK';
    } catch (error) {
      // Should it hang at this very moment: on the same connection this comes right after.
      void this.#commands.unlock(organizationId, token).catch(() => undefined);
      throw new AdmissionUnavailable('Redis did not answer: the lock could not be asked for', { cause: error });
    }
  }
}
