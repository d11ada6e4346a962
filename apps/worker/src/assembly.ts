import { setTimeout as delay } from 'node:timers/promises';
import {
  type EndingPorts,
  freeEnded,
  launchLeaseMs,
  liveRows,
  openLaunchQueue,
  requestEnd,
  requestLaunch,
  SessionWatcher,
} from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { type Health, readinessOf } from '@berth/health';
import { connectRedis, connectSubscriber, LiveSessions } from '@berth/live-sessions';
import { type FlowStore, loginJobOptions, openLoginQueue, redisPublisher, sweepFlows } from '@berth/login-flow';
import type { Logger } from '@berth/logging';
import { Sealer } from '@berth/secrets';
import type { WorkerConfig } from './config.js';
import { classifyPage } from './discovery/classify.js';
import { Holds } from './login/holds.js';
import type { BrowserPorts } from './login/login-browser.js';
import { LoginProcessor } from './login/processor.js';
import { checkDueConnections, type CheckPorts } from './maintenance/health-checks.js';
import { Metrics } from './metrics.js';
import { every } from './schedule.js';
import { warmUp } from './warm-up.js';

/** One worker, put together. */
export interface Assembly {
  readonly health: Health;
  /** Begins to take flows and to sweep. */
  open(): Promise<void>;
  /** Hands its flows over and closes its stores (D55). */
  close(): Promise<void>;
}

/** How long ending a browser is waited for; one that takes longer is ended by the sweep (D33). */
const endWithinMs = 5_000;
const stopWithinMs = 5_000;

export function assemble(config: WorkerConfig, logger: Logger): Assembly {
  const database = new Database({ url: config.databaseUrl, maxConnections: config.databasePoolSize, applicationName: 'berth-worker' });
  const access = unscoped(database);
  const sealer = new Sealer({ current: config.secretKey, previous: config.secretKeysPrevious });
  const warn =
    (what: string) =>
    (error: unknown): void =>
      logger.warn({ err: error }, what);
  const redis = connectRedis(config.redisUrl, warn('redis'));
  const subscriber = () => connectSubscriber(config.redisUrl, warn('redis subscription'));
  const [sessionsHeard, answersHeard] = [subscriber(), subscriber()];
  const watcher = new SessionWatcher(access, sessionsHeard);
  const launches = openLaunchQueue(config.redisUrl, warn('launch queue'));
  const queue = openLoginQueue(config.redisUrl, warn('login queue'));
  const leaseMs = config.leaseSeconds * 1000;
  const admissions = new LiveSessions({ redis, rows: liveRows(access, leaseMs), leaseMs });
  const ending: EndingPorts = { access, redis, admissions, onReleaseFailed: (_id, error) => warn('slot not released, it lapses')(error) };
  const store: FlowStore = {
    database,
    sealer,
    publicUrl: config.publicUrl,
    pauseMs: config.flowPauseSeconds * 1000,
    totalMs: config.flowTotalSeconds * 1000,
    publisher: redisPublisher(redis, warn('state not published, followers read it')),
    endBrowser: async ({ sessionId }) => {
      await requestEnd(ending, [sessionId], 'deleted');
      await watcher.waitUntilEnded(sessionId, endWithinMs);
      await freeEnded(ending, [sessionId]).catch(warn('slot not released, it lapses'));
    },
  };
  const holds = new Holds(store, answersHeard, warn('ownership not renewed'));
  const metrics = new Metrics(() => holds.size);
  const reading = { classify: classifyPage, quiet: { quietMs: config.discoveryQuietMs, maxMs: config.discoveryQuietMaxMs } };
  const browsers: BrowserPorts = { watcher, launches, sealer, launchTimeoutMs: config.launchTimeoutSeconds * 1000 };
  const processor = new LoginProcessor({
    ...reading,
    store,
    holds,
    queue,
    browsers,
    maxSteps: config.flowMaxSteps,
    logger,
    onEnd: (outcome) => metrics.jobEnded(outcome),
  });
  let stopping = false;
  const sweep = async (): Promise<void> => {
    const { skipped: _skipped, ...done } = await sweepFlows(store, (job) => queue.add('login', job, loginJobOptions(job)));
    for (const [what, count] of Object.entries(done)) metrics.swept(what, count);
  };
  const checks: CheckPorts = {
    ...reading,
    access,
    admissions,
    store,
    browsers,
    leaseMs: launchLeaseMs(config),
    plans: config.planLimits,
    enqueue: async (sessionId, job) => {
      await requestLaunch(launches, sessionId);
      await queue.add('login', job, loginJobOptions(job));
    },
  };
  const stops: (() => Promise<void>)[] = [];
  return {
    health: {
      readiness: () => readinessOf({ name: 'worker', stopping, stores: { postgres: database, redis } }),
      metrics: () => metrics.text(),
    },
    open: async () => {
      await Promise.all([watcher.start(), warmUp(store).catch(warn('not warmed up'))]);
      processor.open(config.redisUrl, config.workerConcurrency);
      stops.push(
        every(config.sweepSeconds * 1000, sweep, warn('sweep')),
        every(config.sweepSeconds * 1000, () => checkDueConnections(checks), warn('health checks')),
      );
    },
    close: async () => {
      stopping = true;
      // A check under way may be waiting for a slow website; its browser is ended by its own idle limit.
      await Promise.race([Promise.all(stops.map((stop) => stop())), delay(stopWithinMs, undefined, { ref: false })]);
      await processor.close();
      watcher.stop();
      await Promise.all([queue.close(), launches.close()]);
      for (const connection of [redis, sessionsHeard, answersHeard]) connection.disconnect();
      await database.close();
    },
  };
}
