import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cdpUrl,
  type EndingPorts,
  type LaunchQueue,
  liveRows,
  openLaunchQueue,
  requestEnd,
  requestLaunch,
  type SessionStanding,
  SessionWatcher,
} from '@berth/browser-fleet';
import { type BrowserSessionRow, Database, newId } from '@berth/database';
import { unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { connectRedis, LiveSessions } from '@berth/live-sessions';
import { findFreePort } from '@berth/local-stack';
import { createLogger } from '@berth/logging';
import { Sealer } from '@berth/secrets';
import {
  createTenant,
  everySlotSettles,
  freshStores,
  type FreshStores,
  slotsSettleAt,
  type Tenant,
  testChromium,
  usageOf,
} from '@berth/testkit';
import { Redis } from 'ioredis';
import { readHostConfig } from '../src/config.js';
import { type RunningHost, startHost } from '../src/start.js';

export type SessionChoices = Partial<{
  kind: 'on_demand' | 'pool' | 'login';
  timeoutSeconds: number;
  startUrl: string;
  viewport: { width: number; height: number };
  kioskMode: boolean;
  profileId: string;
  profileSaveChanges: boolean;
}>;

/** Hardly a stall of the machine lets one lapse. */
const calmLeaseSeconds = 20;
/** For tests of what becomes of leases that lapse, seconds. */
export const shortLeaseSeconds = 2;
const secretKey = 'c4'.repeat(32);

/**
 * A tenant and what the API has in hand: admission, rows, launch queue. Hosts are started on it, in this process or as processes of their
 * own.
 */
export class TestFleet {
  readonly secretKey = secretKey;
  readonly sealer = new Sealer({ current: secretKey });
  readonly database: Database;
  readonly access: UnscopedAccess;
  readonly redis: Redis;
  readonly admissions: LiveSessions;
  readonly watcher: SessionWatcher;
  readonly queue: LaunchQueue;
  readonly dataDir = mkdtempSync(join(tmpdir(), 'berth-host-test-'));
  readonly #subscriber: Redis;
  readonly #hosts = new Set<RunningHost>();

  private constructor(
    readonly stores: FreshStores,
    database: Database,
    readonly tenant: Tenant,
    private readonly leaseSeconds: number,
  ) {
    this.database = database;
    this.access = unscoped(database);
    this.redis = connectRedis(stores.redisUrl);
    this.admissions = new LiveSessions({
      redis: this.redis,
      rows: liveRows(this.access, this.leaseSeconds * 1000),
      leaseMs: this.leaseSeconds * 1000,
    });
    this.#subscriber = new Redis(stores.redisUrl);
    this.watcher = new SessionWatcher(this.access, this.#subscriber);
    this.queue = openLaunchQueue(stores.redisUrl);
  }

  static async create(leaseSeconds = calmLeaseSeconds): Promise<TestFleet> {
    const stores = await freshStores();
    const database = new Database({ url: stores.databaseUrl });
    const fleet = new TestFleet(stores, database, await createTenant(database), leaseSeconds);
    if (fleet.redis.status !== 'ready') await once(fleet.redis, 'ready');
    await fleet.queue.waitUntilReady();
    await fleet.watcher.start();
    return fleet;
  }

  get ports(): EndingPorts {
    return { access: this.access, admissions: this.admissions, redis: this.redis };
  }

  /** The environment of a host on this fleet's stores. */
  async environment(changes: Record<string, string> = {}): Promise<Record<string, string>> {
    return {
      BERTH_DATABASE_URL: this.stores.databaseUrl,
      BERTH_REDIS_URL: this.stores.redisUrl,
      BERTH_SECRET_KEY: secretKey,
      BERTH_DATA_DIR: this.dataDir,
      BERTH_LEASE_SECONDS: String(this.leaseSeconds),
      BERTH_HOST_PORT: String(await findFreePort()),
      BERTH_CHROMIUM_PATH: testChromium(),
      BERTH_CHROMIUM_SANDBOX: 'false',
      BERTH_HOST_WARM_BROWSERS: '0',
      BERTH_LOG_LEVEL: 'fatal',
      BERTH_DATABASE_POOL_SIZE: '4',
      ...changes,
    };
  }

  async startHost(changes: Record<string, string> = {}): Promise<RunningHost> {
    const config = readHostConfig(await this.environment(changes));
    const host = await startHost(config, createLogger({ name: 'browser-host', level: config.logLevel }));
    this.#hosts.add(host);
    return host;
  }

  async stopHost(host: RunningHost): Promise<void> {
    this.#hosts.delete(host);
    await host.stop();
  }

  async stopHosts(): Promise<void> {
    await Promise.all([...this.#hosts].map((host) => this.stopHost(host)));
  }

  /** As the API does it: slot, row, launch. */
  async request(choices: SessionChoices = {}): Promise<string> {
    const id = newId();
    const { organizationId, defaultProjectId: projectId } = this.tenant;
    await this.admissions.acquire({ organizationId, projectId, member: id, leaseMs: 15_000, organizationLimit: 100, projectLimit: null });
    await this.access.prisma.browserSession.create({
      data: { id, organizationId, projectId, kind: choices.kind ?? 'on_demand', headless: true, timeoutSeconds: 60, ...choices },
    });
    await requestLaunch(this.queue, id);
    return id;
  }

  async run(choices: SessionChoices = {}): Promise<SessionStanding> {
    const id = await this.request(choices);
    const standing = await this.watcher.waitUntilRunning(id, 20_000);
    if (standing?.status !== 'running')
      throw new Error(`session ${id} is ${standing?.status ?? 'unknown'} (${standing?.endReason ?? 'no reason'})`);
    return standing;
  }

  cdp(session: SessionStanding): string {
    return cdpUrl(session.hostPublicUrl ?? '', session, this.sealer);
  }

  /** As DELETE does it. */
  async end(sessionId: string): Promise<boolean> {
    await requestEnd(this.ports, [sessionId], 'deleted');
    return this.watcher.waitUntilEnded(sessionId, 30_000);
  }

  async row(sessionId: string): Promise<BrowserSessionRow> {
    return this.access.prisma.browserSession.findUniqueOrThrow({ where: { id: sessionId } });
  }

  /** Slots that admission counts for the organization now. */
  async used(): Promise<number> {
    return (await usageOf(this.admissions, this.tenant.organizationId)).organization;
  }

  /** The invariant of admission holds, with this many slots in use. */
  async settlesAt(slots: number): Promise<void> {
    await slotsSettleAt(this.database, this.stores.redisUrl, this.tenant.organizationId, slots);
  }

  async newProfile(): Promise<string> {
    const id = newId();
    await this.access.prisma.profile.create({
      data: { id, organizationId: this.tenant.organizationId, projectId: this.tenant.defaultProjectId },
    });
    return id;
  }

  /** Ends by the invariant of admission: hosts that stop end their browsers and free their slots. */
  async close(): Promise<void> {
    await this.stopHosts();
    await everySlotSettles(this.database, this.stores.redisUrl);
    this.watcher.stop();
    await this.queue.close();
    this.redis.disconnect();
    this.#subscriber.disconnect();
    await this.database.close();
    await this.stores.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits for a condition of the outside world, looking often; fails with `what` when it does not come. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
