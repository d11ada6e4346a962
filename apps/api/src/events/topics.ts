import { connectionChannel } from '@berth/login-flow';
import type { Follower } from './follower.js';

/** A Redis that is silent for longer is not waited for: what is stored is read, and looked at again with every heartbeat (D50). */
const heardWithinMs = 1_000;

/** The followers of one connection in this process. */
export interface Topic {
  readonly connectionId: string;
  readonly channel: string;
  readonly followers: Set<Follower>;
  /** Number of the newest state that was offered to all of them. */
  sequence: number;
  /** Settled when states published from now on are heard, or when none can be: Redis is away, or silent. */
  readonly heard: Promise<void>;
}

/** The listening connection, as far as topics need it: ioredis in subscriber mode. */
export interface Listener {
  readonly status: string;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
  on(event: 'message', heard: (channel: string, text: string) => void): unknown;
  on(event: 'ready' | 'close', happened: () => void): unknown;
  off(event: 'message', heard: (channel: string, text: string) => void): unknown;
  off(event: 'ready' | 'close', happened: () => void): unknown;
}

/** Which connections are followed, and the Redis subscription of each: taken with the first follower and given back with the last. */
export class Topics {
  readonly #topics = new Map<string, Topic>();
  /** Ends the waiting of those who wait for a subscription that will not be answered. */
  readonly #waiting = new Set<() => void>();

  constructor(private readonly listener: Listener) {}

  get size(): number {
    return this.#topics.size;
  }

  all(): IterableIterator<Topic> {
    return this.#topics.values();
  }

  *followers(): Generator<Follower> {
    for (const { followers } of this.#topics.values()) yield* followers;
  }

  byChannel(channel: string): Topic | undefined {
    return this.#topics.get(channel);
  }

  of(connectionId: string): Topic | undefined {
    return this.#topics.get(connectionChannel(connectionId));
  }

  join(follower: Follower): Topic {
    const channel = connectionChannel(follower.connectionId);
    const topic = this.#topics.get(channel) ?? {
      connectionId: follower.connectionId,
      channel,
      followers: new Set(),
      sequence: 0,
      heard: this.#subscribe(channel),
    };
    this.#topics.set(channel, topic);
    topic.followers.add(follower);
    return topic;
  }

  /** Answers whether the follower was there. */
  leave(follower: Follower): boolean {
    const channel = connectionChannel(follower.connectionId);
    const topic = this.#topics.get(channel);
    if (topic?.followers.delete(follower) !== true) return false;
    if (topic.followers.size === 0) {
      this.#topics.delete(channel);
      // Also while Redis is away: ioredis takes all that it had by itself again, and then carries out what was asked meanwhile.
      void this.listener.unsubscribe(channel).catch(() => undefined);
    }
    return true;
  }

  /** Subscribes to everything again after a loss; settled when all of it is heard. */
  async subscribeAgain(): Promise<void> {
    const channels = [...this.#topics.keys()];
    if (channels.length > 0) await this.listener.subscribe(...channels);
  }

  /** Nothing is heard any more: nobody waits for it. */
  lost(): void {
    for (const stopWaiting of this.#waiting) stopWaiting();
    this.#waiting.clear();
  }

  #subscribe(channel: string): Promise<void> {
    if (this.listener.status !== 'ready') return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#waiting.delete(settle);
        resolve();
      };
      this.#waiting.add(settle);
      const late = setTimeout(settle, heardWithinMs);
      this.listener
        .subscribe(channel)
        .then(settle, settle)
        .finally(() => clearTimeout(late));
    });
  }
}
