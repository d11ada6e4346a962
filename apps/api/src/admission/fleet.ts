import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  announceSession,
  cancelLaunch,
  type EndingPorts,
  type EndReason,
  freeEnded,
  hostListens,
  type LaunchQueue,
  notifyHost,
  openLaunchQueue,
  type Publisher,
  requestEnd,
  requestLaunch,
  type SessionStanding,
  SessionWatcher,
} from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { connectSubscriber, LiveSessions } from '@berth/live-sessions';
import type { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError } from '../errors/api-error.js';
import { within } from '../patience.js';
import { PUBLISHER, REDIS, toldWithinMs } from '../stores.module.js';

/** A queue that has not answered by then (Redis hangs) is not waited for: the row decides. */
const queueWithinMs = 1_000;
/** What the living hosts can do between them is asked again after this long. */
const hostsKnownForMs = 5_000;

const anyDisplay = {
  name: 'fleet-any-display',
  text: `SELECT EXISTS (SELECT 1 FROM browser_hosts WHERE headful AND NOT draining AND heartbeat_at > now() - make_interval(secs => $1)) AS display`,
};

/**
 * Browser hosts, as the API speaks to them: launches asked for and taken back, sessions waited for and ended. Ids passed in are the
 * caller's tenant's own.
 */
@Injectable()
export class Fleet implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly watcher: SessionWatcher;
  readonly ending: EndingPorts;
  readonly #queue: LaunchQueue;
  readonly #subscriber: Redis;
  readonly #launchTimeoutMs: number;
  #display: { readonly answer: Promise<boolean>; readonly until: number } | undefined;

  constructor(
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(Database) private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(PUBLISHER) private readonly publisher: Publisher,
    @Inject(LiveSessions) admissions: LiveSessions,
  ) {
    const access = unscoped(database);
    this.ending = { access, admissions, redis: publisher };
    this.#launchTimeoutMs = config.launchTimeoutSeconds * 1_000;
    this.#queue = openLaunchQueue(config.redisUrl);
    // A subscription waits for Redis to come back; until then sessions are looked at now and then.
    this.#subscriber = connectSubscriber(config.redisUrl);
    this.watcher = new SessionWatcher(access, this.#subscriber);
  }

  onApplicationBootstrap(): void {
    this.watcher.start().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    this.watcher.stop();
    this.#subscriber.disconnect();
    await within(queueWithinMs, this.#queue.close()).catch(() => undefined);
  }

  /** Whether some host has a display, so that a browser can have a window (D30). */
  hasDisplay(): Promise<boolean> {
    if (this.#display === undefined || this.#display.until < Date.now()) {
      const answer = unscoped(this.database)
        .pool.query<{ display: boolean }>({ ...anyDisplay, values: [this.config.leaseSeconds] })
        .then(({ rows }) => rows[0]?.display === true);
      answer.catch(() => (this.#display = undefined));
      this.#display = { answer, until: Date.now() + hostsKnownForMs };
    }
    return this.#display.answer;
  }

  /** Puts a `starting` row's launch before the hosts. @throws ApiError usage_unavailable while Redis is away */
  async launch(sessionId: string): Promise<void> {
    try {
      await within(queueWithinMs, requestLaunch(this.#queue, sessionId));
    } catch (cause) {
      throw new ApiError('usage_unavailable', 'Browsers cannot be started right now. Try again.', { cause });
    }
  }

  /** Waits for a host to run it, at most the launch time-out. */
  untilLaunched(sessionId: string): Promise<SessionStanding | undefined> {
    return this.watcher.waitUntilRunning(sessionId, this.#launchTimeoutMs);
  }

  /**
   * Takes a launch back: no host finds the job later, and the row, if there is one, ends. Answers whether a row of it was ended or is
   * ending now.
   */
  async takeBack(sessionId: string, reason: EndReason): Promise<boolean> {
    const ended = await this.end([sessionId], reason);
    await this.cancel(sessionId);
    return ended.length > 0;
  }

  /**
   * Takes the job of an ended row out of the queue. The row alone keeps a late host from starting its browser, so it comes first, and a job
   * that cannot be removed is looked at in vain.
   */
  async cancel(sessionId: string): Promise<void> {
    await within(queueWithinMs, cancelLaunch(this.#queue, sessionId)).catch(() => undefined);
  }

  /** Asks for the end of sessions; ids that are ending or ended are left alone. Answers those it changed. */
  end(sessionIds: readonly string[], reason: EndReason): Promise<readonly string[]> {
    return requestEnd(this.ending, sessionIds, reason);
  }

  /** The same for idle browsers of a pool: one that is leased meanwhile stays. */
  endIdle(sessionIds: readonly string[], reason: EndReason): Promise<readonly string[]> {
    return requestEnd(this.ending, sessionIds, reason, 'idle');
  }

  /**
   * Ends browsers of which nobody but the next to take their slots needs to know when they are gone. Without Redis nobody can take a slot,
   * and their hosts see by themselves what they are not told, so then nobody waits.
   */
  async endAndFree(sessionIds: readonly string[]): Promise<void> {
    const redisAnswers = within(toldWithinMs, this.redis.ping()).then(
      () => true,
      () => false,
    );
    await this.end(sessionIds, 'deleted');
    if (await redisAnswers) await this.untilEnded(sessionIds);
  }

  /** DELETE answers when the browsers are gone and their slots free, or after 5 s; then the slots follow (D33). */
  async untilEnded(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((id) => this.watcher.waitUntilEnded(id, 5_000)));
    await freeEnded(this.ending, sessionIds).catch(() => undefined);
  }

  /** Has a host look at a row that was changed. */
  async tellHost(hostId: string | null, sessionId: string): Promise<void> {
    if (hostId !== null) await notifyHost(this.publisher, hostId, sessionId);
  }

  /** Whether a process listens as this host. Rejects while Redis is away. */
  hostListens(hostId: string): Promise<boolean> {
    return hostListens(this.redis, hostId);
  }

  /** Wakes whoever waits for a free browser in a pool. */
  announceIdle(sessionId: string): Promise<void> {
    return announceSession(this.publisher, { sessionId, status: 'running' });
  }
}
