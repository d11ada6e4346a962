import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  announceSession, cancelLaunch, type EndingPorts, type EndReason, type LaunchQueue, notifyHost, openLaunchQueue, requestEnd, requestLaunch, type SessionStanding, SessionWatcher,
} from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { LiveSessions } from '@berth/live-sessions';
import type { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { REDIS, SUBSCRIBER } from '../stores.module.js';
import { unlessAborted, within } from './patience.js';
import { launchFailed, usageUnavailable } from './refusals.js';

/** A queue command that takes longer was not heard; the caller goes by the row. */
const queueWithinMs = 1_000;
/** DELETE waits this long for the browser to be gone (D33). */
const endWithinMs = 5_000;

/** The browser hosts, as the API's features see them: start a browser for a row, end browsers, hear what became of them. */
@Injectable()
export class Fleet implements OnModuleInit, OnApplicationShutdown {
  readonly ending: EndingPorts;
  readonly watcher: SessionWatcher;
  readonly #queue: LaunchQueue;
  readonly #launchTimeoutMs: number;
  readonly #leaseSeconds: number;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(Database) database: Database,
    @Inject(LiveSessions) admissions: LiveSessions,
    @Inject(REDIS) redis: Redis,
    @Inject(SUBSCRIBER) subscriber: Redis,
  ) {
    this.ending = { access: unscoped(database), admissions, redis };
    // Shared with other listeners of this process; the watcher hears only its own channel.
    this.watcher = new SessionWatcher(this.ending.access, subscriber);
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
    await within(queueWithinMs, this.#queue.close()).catch(() => undefined);
  }

  /** Asks the hosts for the browser of a `starting` row. Repeating it queues nothing twice. @throws ApiError usage_unavailable while Redis is away */
  async launch(sessionId: string): Promise<void> {
    try {
      await within(queueWithinMs, requestLaunch(this.#queue, sessionId));
    } catch (error) {
      throw usageUnavailable(error);
    }
  }

  /**
   * Waits until the browser runs, at most `BERTH_LAUNCH_TIMEOUT_SECONDS`. When it throws, the caller takes the launch back.
   * @throws ApiError capacity_exhausted (529), conflict, service_unavailable, or whatever `signal` was aborted with
   */
  async untilLaunched(sessionId: string, signal: AbortSignal): Promise<SessionStanding> {
    const standing = await unlessAborted(signal, this.watcher.waitUntilRunning(sessionId, this.#launchTimeoutMs));
    if (standing?.status !== 'running') throw launchFailed(standing);
    return standing;
  }

  /**
   * The way back of a launch: ends the row (or asks its host to), and removes the job so that it cannot start a browser later. Answers whether there was a row
   * to end; its slot is freed with it.
   */
  async takeBack(sessionId: string, reason: EndReason): Promise<boolean> {
    const ended = await requestEnd(this.ending, [sessionId], reason);
    // The row keeps a late host from announcing the browser, so a job that cannot be removed is only looked at in vain.
    await within(queueWithinMs, cancelLaunch(this.#queue, sessionId)).catch(() => undefined);
    return ended.length > 0;
  }

  /** Asks for the end of sessions of the caller's tenant and waits for nothing. Ids that are ending or ended are left alone; answers those it changed. */
  async end(sessionIds: readonly string[], reason: EndReason): Promise<readonly string[]> {
    return sessionIds.length === 0 ? [] : requestEnd(this.ending, sessionIds, reason);
  }

  /** Resolves when the browsers are gone and their slots free, or after 5 s; then the slots follow (D33). */
  async untilEnded(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((id) => this.watcher.waitUntilEnded(id, endWithinMs)));
  }

  /** Tells a session's host that its row has changed. */
  async tellHost(hostId: string | null, sessionId: string): Promise<void> {
    if (hostId !== null) await notifyHost(this.ending.redis, hostId, sessionId);
  }

  /** Wakes whoever waits for a browser that is free again. */
  announceIdle(sessionId: string): Promise<void> {
    return announceSession(this.ending.redis, { sessionId, status: 'running' });
  }

  /** Removes launches whose rows have ended, so that hosts need not look at them in vain. */
  async forgetLaunches(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((id) => within(queueWithinMs, cancelLaunch(this.#queue, id)).catch(() => undefined)));
  }

  /** Whether every living host has a display: launches go to whoever has room, so one host without is too many (D30 `headless: false`). */
  async canShowWindows(): Promise<boolean> {
    const { rows } = await this.ending.access.pool.query<{ headful: boolean | null }>({
      name: 'fleet-headful',
      text: `SELECT bool_and(headful) AS headful FROM browser_hosts WHERE NOT draining AND heartbeat_at > now() - make_interval(secs => $1)`,
      values: [this.#leaseSeconds],
    });
    return rows[0]?.headful === true;
  }
}
