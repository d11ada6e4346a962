import { setTimeout as delay } from 'node:timers/promises';
import {
  DeadHosts,
  type EndingPorts,
  endRow,
  handOn,
  hostChannel,
  HostNotice,
  parseNotice,
  type SessionWatcher,
  type Subscriber,
} from '@berth/browser-fleet';
import { exclusively } from '@berth/database/unscoped';
import type { Admissions } from '@berth/live-sessions';
import type { Logger } from '@berth/logging';
import type { Standby } from '../chromium/standby.js';
import type { LaunchPuller } from '../sessions/launch-puller.js';
import { LeaseRenewal } from '../sessions/lease-renewal.js';
import type { SessionRows } from '../sessions/session-rows.js';
import type { Sessions } from '../sessions/sessions.js';
import { endOversized } from '../sessions/memory-watch.js';
import { Repeated } from './repeated.js';
import type { Registration } from './registration.js';

export interface HostParts {
  readonly id: string;
  /** Ids of hosts that died on this machine and have left nothing that lives. */
  readonly deadHosts: readonly string[];
  readonly registration: Registration;
  readonly rows: SessionRows;
  readonly sessions: Sessions;
  readonly standby: Standby;
  readonly puller: LaunchPuller;
  readonly admissions: Admissions;
  readonly ending: EndingPorts;
  readonly subscriber: Subscriber & { readonly status: string };
  /** Hears on the same subscription. */
  readonly watcher: SessionWatcher;
  readonly leaseSeconds: number;
  readonly memoryLimitBytes: number;
  readonly logger: Logger;
}

/** Of the 30 s that a stop may take (D55): time for the browsers to end, profiles saved. */
const drainWithinMs = 25_000;
const memoryEveryMs = 5_000;
/** While Redis is away nobody can say that a row was changed. */
const deafLookMs = 500;

/** The life of this host: it opens, beats, and drains. */
export class Host {
  #draining = false;
  readonly #repeated: Repeated[] = [];

  constructor(private readonly parts: HostParts) {}

  get draining(): boolean {
    return this.#draining;
  }

  /** Ends what a former life under the same id and dead hosts of this machine left, or hands it on, registers, and takes launches. */
  async open(): Promise<void> {
    const { rows, ending, registration, standby, puller, subscriber, watcher, id, sessions, logger, leaseSeconds } = this.parts;
    const dead = [id, ...this.parts.deadHosts];
    await handOn(ending.access, 's.host_id = ANY($1)', dead);
    const left = await rows.ofHosts(dead);
    await Promise.all(left.map((row) => endRow(ending, row.id, 'host_lost')));
    if (left.length > 0) logger.warn({ sessions: left.length }, 'ended sessions of hosts that died here');
    await registration.beat(false);
    subscriber.on('message', this.#hear);
    await subscriber.subscribe(hostChannel(id));
    await watcher.start();
    standby.refill();
    puller.start();
    const every = (ms: number, what: string, work: () => Promise<unknown>): void => {
      this.#repeated.push(new Repeated(ms, work, (error) => logger.warn({ err: error }, `${what} failed`)));
    };
    const leaseMs = leaseSeconds * 1000;
    const thirdMs = leaseMs / 3;
    const leases = new LeaseRenewal({ sessions, admissions: this.parts.admissions, leaseMs, logger });
    const deadHosts = new DeadHosts(ending, leaseSeconds);
    every(thirdMs, 'heartbeat', () => registration.beat(this.#draining));
    every(thirdMs, 'renewal', () => leases.round());
    every(thirdMs, 'comparison with rows', () => sessions.compareWithRows());
    every(deafLookMs, 'comparison with rows', async () => (subscriber.status === 'ready' ? undefined : sessions.compareWithRows()));
    // Hosts watch over each other, so that a dead one's sessions end even when no API process lives.
    every(thirdMs, 'sweep of dead hosts', () =>
      exclusively(ending.access.pool, DeadHosts.lockName, async () => void (await deadHosts.endSessions())),
    );
    every(memoryEveryMs, 'memory watch', async () => endOversized(sessions, this.parts.memoryLimitBytes, logger));
  }

  /** Takes no more launches, hands on those under way and ends every browser; leases are renewed until the last one is settled. */
  async drain(): Promise<void> {
    const { registration, puller, sessions, standby, logger } = this.parts;
    this.#draining = true;
    await registration.beat(true).catch((error: unknown) => logger.warn({ err: error }, 'draining not announced'));
    await puller.stop();
    const ends = Promise.all(sessions.all.map((session) => sessions.end(session, 'host_stopped')));
    await Promise.race([Promise.all([ends, standby.stop()]), delay(drainWithinMs, undefined, { ref: false })]);
    await Promise.all(this.#repeated.map((work) => work.stop()));
    await registration.leave().catch((error: unknown) => logger.warn({ err: error }, 'host not unregistered'));
  }

  readonly #hear = (channel: string, message: string): void => {
    if (channel !== hostChannel(this.parts.id)) return;
    const notice = parseNotice(HostNotice, message);
    if (notice === undefined) return;
    this.parts.sessions
      .look(notice.sessionId)
      .catch((error: unknown) => this.parts.logger.warn({ err: error }, 'a notice was not followed'));
  };
}
