import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  cancelLaunch, type EndingPorts, type EndReason, type LaunchQueue, notifyHost, openLaunchQueue, requestEnd, requestLaunch, type SessionStanding, SessionWatcher,
} from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { LiveSessions } from '@berth/live-sessions';
import { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { REDIS } from '../stores.module.js';
import { unlessAborted, within } from './patience.js';
import { launchFailed, usageUnavailable } from './refusals.js';

/** A queue command that takes longer was not heard; the caller goes by the row. */
const queueWithinMs = 1_000;
/** DELETE waits this long for the browser to be gone (D33). */
const endWithinMs = 5_000;

/** The browser hosts, as the API's features see them: start a browser for a row, end browsers, hear what became of them. */
@Injectable()
export class Fleet implements OnModuleInit, OnApplicationShutdown {
  readonly ports: EndingPorts;
  readonly watcher: SessionWatcher;
  readonly #queue: LaunchQueue;
  readonly #subscriber: Redis;
  readonly #launchTimeoutMs: number;
  readonly #leaseSeconds: number;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(Database) database: Database,
    @Inject(LiveSessions) admissions: LiveSessions,
    @Inject(REDIS) redis: Redis,
  ) {
    this.ports = { access: unscoped(database), admissions, redis };
    this.#subscriber = new Redis(config.redisUrl, { maxRetriesPerRequest: null, retryStrategy: (attempt) => Math.min(50 * attempt, 500) });
    this.#subscriber.on('error', () => undefined);
    this.watcher = new SessionWatcher(this.ports.access, this.#subscriber);
    this.#queue = openLaunchQueue(config.redisUrl);
    this.#launchTimeoutMs = config.launchTimeoutSeconds * 1_000;
    this.#leaseSeconds = config.leaseSeconds;
  }

  onModuleInit(): void {
    // Not awaited: while Redis is away the watcher looks by itself.
    this.watcher.start().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    this.watcher.stop();
    this.#subscriber.disconnect();
    await within(queueWithinMs, this.#queue.close()).catch(() => undefined);
  }

  /** Asks the hosts for the browser of a `starting` row. Repeating it queues nothing twice. @throws ApiError usage_unavailable when Redis is away */
  async queueLaunch(sessionId: string): Promise<void> {
    try {
      await within(queueWithinMs, requestLaunch(this.#queue, sessionId));
    } catch (error) {
      throw usageUnavailable(error);
    }
  }

  /**
   * Asks the hosts for the browser of a `starting` row and waits until it runs, at most `BERTH_LAUNCH_TIMEOUT_SECONDS`. When it throws, the caller takes
   * the launch back. @throws ApiError capacity_exhausted (529), usage_unavailable, or whatever `signal` was aborted with
   */
  async launch(sessionId: string, signal: AbortSignal): Promise<SessionStanding> {
    const waited = this.watcher.waitUntilRunning(sessionId, this.#launchTimeoutMs);
    await this.queueLaunch(sessionId);
    const standing = await unlessAborted(signal, waited);
    if (standing?.status !== 'running') throw launchFailed(standing);
    return standing;
  }

  /**
   * The way back of a launch: ends the row (or asks its host to), and removes the job so that it cannot start a browser later. Answers whether there was a row
   * to end; its slot is freed with it.
   */
  async takeBack(sessionId: string, reason: EndReason): Promise<boolean> {
    const ended = await requestEnd(this.ports, [sessionId], reason);
    // The row keeps a late host from announcing the browser, so a job that cannot be removed is only looked at in vain.
    await within(queueWithinMs, cancelLaunch(this.#queue, sessionId)).catch(() => undefined);
    return ended.length > 0;
  }

  /** Asks for the end of sessions of the caller's tenant, and waits until they are gone and their slots free, at most 5 s (D33). Repeating it is harmless. */
  async end(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await requestEnd(this.ports, sessionIds, 'deleted');
    await Promise.all(sessionIds.map((id) => this.watcher.waitUntilEnded(id, endWithinMs)));
  }

  /** Asks for the end of sessions and waits for nothing. */
  async requestEnd(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length > 0) await requestEnd(this.ports, sessionIds, 'deleted');
  }

  /** Tells a session's host that its row has changed. */
  async notifyHost(hostId: string, sessionId: string): Promise<void> {
    await notifyHost(this.ports.redis, hostId, sessionId);
  }

  /** Whether every living host has a display: launches go to whoever has room, so one host without is too many (D30 `headless: false`). */
  async canShowWindows(): Promise<boolean> {
    const { rows } = await this.ports.access.pool.query<{ headful: boolean | null }>({
      name: 'fleet-headful',
      text: `SELECT bool_and(headful) AS headful FROM browser_hosts WHERE NOT draining AND heartbeat_at > now() - make_interval(secs => $1)`,
      values: [this.#leaseSeconds],
    });
    return rows[0]?.headful === true;
  }
}
