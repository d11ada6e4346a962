import { resolve } from 'node:path';
import { type EndingPorts, liveRows, SessionWatcher } from '@berth/browser-fleet';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { type Health, readinessOf } from '@berth/health';
import { connectRedis, connectSubscriber, LiveSessions } from '@berth/live-sessions';
import { locateChromium } from '@berth/local-stack';
import type { Logger } from '@berth/logging';
import { Sealer } from '@berth/secrets';
import type { ChromiumProgram } from './chromium/chromium.js';
import { probeChromium } from './chromium/probe.js';
import { Standby } from './chromium/standby.js';
import type { HostConfig } from './config.js';
import { Doorkeeper } from './gateway/doorkeeper.js';
import { Host } from './host/host.js';
import { HostFolder } from './host/host-folder.js';
import { Registration } from './host/registration.js';
import { Metrics } from './metrics.js';
import { Profiles } from './profile/profiles.js';
import { ProfileSavers } from './profile/savers.js';
import { LaunchPuller } from './sessions/launch-puller.js';
import { BrowserPreparation } from './sessions/preparation.js';
import { SessionRows } from './sessions/session-rows.js';
import { Sessions } from './sessions/sessions.js';

/** One browser host, put together. */
export interface Assembly {
  readonly host: Host;
  readonly sessions: Sessions;
  readonly doorkeeper: Doorkeeper;
  readonly health: Health;
  /** After `host.drain`: closes the stores and gives the folder back. */
  close(): Promise<void>;
}

async function chromiumProgram(config: HostConfig, folder: HostFolder): Promise<ChromiumProgram> {
  const dataDir = resolve(config.dataDir);
  const path = await locateChromium({
    toolsDir: resolve(dataDir, 'tools'),
    ...(config.chromiumPath === undefined ? {} : { path: config.chromiumPath }),
  });
  return { path, sandbox: config.chromiumSandbox, folder: folder.browsers, display: config.display };
}

/** @throws when Chromium does not start or another host of this machine has the same id. */
export async function assemble(config: HostConfig, logger: Logger): Promise<Assembly> {
  const id = config.hostId ?? newId();
  const address = { id, internalUrl: fill(config.hostInternalUrl, id), publicUrl: fill(config.hostPublicUrl, id) };
  const folder = await HostFolder.claim(resolve(config.dataDir), id);
  const program = await chromiumProgram(config, folder);
  const { headful } = await probeChromium(program);
  const database = new Database({
    url: config.databaseUrl,
    maxConnections: config.databasePoolSize,
    applicationName: `berth-browser-host ${id}`,
  });
  const access = unscoped(database);
  const redis = connectRedis(config.redisUrl, (error) => logger.warn({ err: error }, 'redis'));
  const subscriber = connectSubscriber(config.redisUrl, (error) => logger.warn({ err: error }, 'redis subscription'));
  const leaseMs = config.leaseSeconds * 1000;
  const admissions = new LiveSessions({ redis, rows: liveRows(access, leaseMs), leaseMs });
  const ending: EndingPorts = {
    access,
    admissions,
    redis,
    onReleaseFailed: (sessionId, error) => logger.warn({ err: error, session_id: sessionId }, 'slot not released, it lapses'),
  };
  const sealer = new Sealer({ current: config.secretKey, previous: config.secretKeysPrevious });
  const rows = new SessionRows(ending, address);
  const watcher = new SessionWatcher(access, subscriber);
  const launchTimeoutMs = config.launchTimeoutSeconds * 1000;
  const savers = new ProfileSavers({ watcher, sealer, launchTimeoutMs, logger });
  const preparation = new BrowserPreparation(new Profiles(access, sealer, savers), program);
  const standby = new Standby(program, config.hostWarmBrowsers, logger, (browser) => preparation.ahead(browser));
  const sessions = new Sessions({ rows, redis, standby, preparation, capacity: config.hostCapacity, launchTimeoutMs, logger });
  const host = new Host({
    id,
    deadHosts: folder.deadHosts,
    rows,
    sessions,
    standby,
    admissions,
    ending,
    subscriber,
    watcher,
    logger,
    registration: new Registration(access, { ...address, capacity: config.hostCapacity, headful }),
    puller: new LaunchPuller(config.redisUrl, sessions, logger),
    leaseSeconds: config.leaseSeconds,
    memoryLimitBytes: config.browserMemoryMb * 1024 * 1024,
  });
  const metrics = new Metrics(sessions, standby, config.hostCapacity);
  return {
    host,
    sessions,
    doorkeeper: new Doorkeeper(sessions, sealer, leaseMs),
    health: {
      readiness: () => readinessOf({ name: 'host', stopping: host.draining, stores: { postgres: database, redis } }),
      metrics: () => metrics.text(),
    },
    close: async () => {
      watcher.stop();
      redis.disconnect();
      subscriber.disconnect();
      await database.close();
      await folder.leave();
    },
  };
}

const fill = (template: string, hostId: string): string => template.replaceAll('{host_id}', hostId).replace(/\/+$/, '');
