import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type EndingPorts,
  launchLeaseMs,
  type LaunchQueue,
  liveRows,
  openLaunchQueue,
  requestEnd,
  requestLaunch,
  SessionWatcher,
} from '@berth/browser-fleet';
import { Database, newId, type ProjectScope } from '@berth/database';
import { projectScope, unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { connectRedis, LiveSessions } from '@berth/live-sessions';
import { findFreePort, type GuardedProcess, spawnGuarded, terminate } from '@berth/local-stack';
import { type FlowStore, type LoginJob, loginJobOptions, loginQueueName, redisPublisher, startFlow } from '@berth/login-flow';
import type { AuthConnection, BrowserSession, CreateAuthConnection, LoginStarted, SubmitLogin } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import { createTenant, freshStores, type FreshStores, type Tenant, testChromium, usageOf } from '@berth/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { Follower } from './follower.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const secretKey = 'c4'.repeat(32);
/** No test of this world waits for a lease to end; on a machine that is overrun none may lapse by itself. */
const leaseSeconds = 20;
/** Nor may a launch be given up that only has to wait for the machine, or for a profile that is being saved. */
const launchTimeoutSeconds = 30;
type App = 'api' | 'worker' | 'browser-host';

export interface ConnectionChoices {
  readonly domain: string;
  readonly loginUrl: string;
  readonly allowedDomains?: readonly string[];
}

export interface WorldChoices {
  /** A migrated PostgreSQL of the test's own, to be stopped. */
  readonly databaseUrl?: string;
  /** A Redis of the test's own, to be stopped. */
  readonly redisUrl?: string;
  /** Settings of every process of this world. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The API, one browser host and as many workers as a test wants, all real processes on real stores; the test is a client of the API. */
export class LoginWorld {
  readonly #processes = new Set<GuardedProcess>();
  readonly #followers: Follower[] = [];
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'berth-login-test-'));
  readonly #sessionSubscriber: Redis;
  readonly sealer = new Sealer({ current: secretKey });
  readonly access: UnscopedAccess;
  readonly redis: Redis;
  readonly admissions: LiveSessions;
  readonly watcher: SessionWatcher;
  readonly store: FlowStore;
  readonly scope: ProjectScope;
  readonly #launches: LaunchQueue;
  readonly #logins: Queue<LoginJob>;
  #api: { readonly process: GuardedProcess; readonly port: number } | undefined;
  /** Everything the processes wrote and the API answered, to look for secrets in it. */
  log = '';

  private constructor(
    readonly stores: FreshStores,
    readonly database: Database,
    readonly tenant: Tenant,
    private readonly choices: WorldChoices,
  ) {
    this.access = unscoped(database);
    this.scope = projectScope(tenant.organizationId, tenant.defaultProjectId);
    this.redis = connectRedis(this.#redisUrl);
    this.#sessionSubscriber = new Redis(this.#redisUrl, { maxRetriesPerRequest: null }).on('error', () => undefined);
    this.admissions = new LiveSessions({
      redis: this.redis,
      rows: liveRows(this.access, leaseSeconds * 1000),
      leaseMs: leaseSeconds * 1000,
    });
    this.watcher = new SessionWatcher(this.access, this.#sessionSubscriber);
    this.#launches = openLaunchQueue(this.#redisUrl);
    this.#logins = new Queue<LoginJob>(loginQueueName, { connection: { url: this.#redisUrl } });
    this.#logins.on('error', () => undefined);
    const ending: EndingPorts = { access: this.access, admissions: this.admissions, redis: this.redis };
    this.store = {
      database,
      sealer: this.sealer,
      publicUrl: 'https://berth.test',
      pauseMs: 60_000,
      totalMs: 300_000,
      publisher: redisPublisher(this.redis, () => undefined),
      endBrowser: async ({ sessionId }) => {
        await requestEnd(ending, [sessionId], 'deleted');
        await this.watcher.waitUntilEnded(sessionId, 5_000);
      },
    };
  }

  static async create(choices: WorldChoices = {}): Promise<LoginWorld> {
    const fresh = await freshStores();
    const stores = { ...fresh, databaseUrl: choices.databaseUrl ?? fresh.databaseUrl };
    const database = new Database({ url: stores.databaseUrl });
    const world = new LoginWorld(stores, database, await createTenant(database), choices);
    if (world.redis.status !== 'ready') await once(world.redis, 'ready');
    await world.watcher.start();
    await world.#launches.waitUntilReady();
    await Promise.all([
      world.startApi(),
      world.#start('browser-host', {
        BERTH_HOST_PORT: String(await findFreePort()),
        BERTH_CHROMIUM_PATH: testChromium(),
        BERTH_CHROMIUM_SANDBOX: 'false',
        BERTH_HOST_WARM_BROWSERS: '1',
      }),
    ]);
    return world;
  }

  async startWorker(env: Record<string, string> = {}): Promise<GuardedProcess> {
    return this.#start('worker', { BERTH_WORKER_PORT: String(await findFreePort()), ...env });
  }

  /** Starts the API, at the address it had before if it was killed. */
  async startApi(): Promise<void> {
    const port = this.#api?.port ?? (await findFreePort());
    this.#api = { port, process: await this.#start('api', { BERTH_API_PORT: String(port) }) };
  }

  /** Ends the API without a word. */
  async killApi(): Promise<void> {
    await killed(this.#api?.process);
  }

  /** Answers the body of a success. @throws any other answer, in words */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.tenant.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.log += `${text}\n`;
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** A connection with a profile of its own. */
  async connect({ domain, loginUrl, allowedDomains = [] }: ConnectionChoices): Promise<string> {
    const body: CreateAuthConnection = { domain, profile_name: `p-${newId()}`, login_url: loginUrl, allowed_domains: [...allowedDomains] };
    return (await this.call<AuthConnection>('POST', '/auth/connections', body)).id;
  }

  /** Starts a login and follows its events. */
  async login(connectionId: string): Promise<Follower> {
    await this.call<LoginStarted>('POST', `/auth/connections/${connectionId}/login`, {});
    return this.follow(connectionId);
  }

  /** A REAUTH flow, which only the service itself starts: slot, rows, launch, job. */
  async reauthenticate(connectionId: string): Promise<Follower> {
    const sessionId = newId();
    const { organizationId, projectId } = this.scope;
    const admitted = await this.admissions.acquire({
      organizationId,
      projectId,
      member: sessionId,
      leaseMs: launchLeaseMs({ leaseSeconds, launchTimeoutSeconds }),
      organizationLimit: 100,
      projectLimit: null,
    });
    if (!admitted.admitted) throw new Error('no slot');
    const started = await startFlow(this.store, this.scope, { connectionId, type: 'REAUTH', sessionId, headless: true });
    if (started.kind !== 'started') throw new Error(started.kind);
    await requestLaunch(this.#launches, sessionId);
    const job = { flowId: started.flow.id, epoch: 0 };
    await this.#logins.add('login', job, loginJobOptions(job));
    return this.follow(connectionId);
  }

  async submit(connectionId: string, body: SubmitLogin): Promise<void> {
    await this.call('POST', `/auth/connections/${connectionId}/submit`, body);
  }

  follow(connectionId: string): Follower {
    const follower = new Follower(connectionId, { url: `${this.#apiUrl}/auth/connections/${connectionId}/events`, key: this.tenant.key });
    this.#followers.push(follower);
    return follower;
  }

  openBrowser(profileId: string): Promise<BrowserSession> {
    return this.call<BrowserSession>('POST', '/browsers', { profile: { id: profileId } });
  }

  async used(): Promise<number> {
    return (await usageOf(this.admissions, this.scope.organizationId)).organization;
  }

  async close(): Promise<void> {
    for (const follower of this.#followers) {
      this.log += follower.states.map((state) => `${JSON.stringify(state)}\n`).join('');
      follower.leave();
    }
    await Promise.all([...this.#processes].map((one) => one.stop()));
    await Promise.all([this.#launches.close(), this.#logins.close()]);
    this.watcher.stop();
    for (const redis of [this.redis, this.#sessionSubscriber]) redis.disconnect();
    await this.database.close();
    await this.stores.drop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** What went wrong by the logs so far: warnings, faults, and sessions that ended by themselves. */
  get troubles(): string {
    const isTrouble = (line: string): boolean =>
      /"level":"(warn|error|fatal)"/.test(line) || (line.includes('"msg":"session ended"') && !line.includes('"reason":"deleted"'));
    return this.log.split('\n').filter(isTrouble).join('\n');
  }

  /** Everything any process wrote, the API answered and its streams told, so far. */
  get told(): string {
    return this.log + this.#followers.flatMap(({ states }) => states.map((state) => JSON.stringify(state))).join('\n');
  }

  get #redisUrl(): string {
    return this.choices.redisUrl ?? this.stores.redisUrl;
  }

  get #apiUrl(): string {
    return `http://127.0.0.1:${this.#api?.port ?? 0}`;
  }

  async #start(app: App, env: Record<string, string>): Promise<GuardedProcess> {
    const guarded = await spawnGuarded(process.execPath, [join(root, 'apps', app, 'dist/main.js')], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        TMPDIR: tmpdir(),
        BERTH_DATABASE_URL: this.stores.databaseUrl,
        BERTH_REDIS_URL: this.#redisUrl,
        BERTH_SECRET_KEY: secretKey,
        BERTH_DATA_DIR: this.#dataDir,
        BERTH_LEASE_SECONDS: String(leaseSeconds),
        BERTH_LAUNCH_TIMEOUT_SECONDS: String(launchTimeoutSeconds),
        BERTH_LOG_LEVEL: 'info',
        BERTH_DATABASE_POOL_SIZE: '6',
        BERTH_SWEEP_SECONDS: '1',
        BERTH_PUBLIC_URL: 'https://berth.test',
        ...this.choices.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      stop: terminate(15_000),
    });
    this.#processes.add(guarded);
    void guarded.exited.then(() => this.#processes.delete(guarded));
    await new Promise<void>((resolve, reject) => {
      let heard = '';
      const read = (chunk: Buffer): void => {
        heard += chunk.toString();
        this.log += chunk.toString();
        if (/"msg":"((worker|browser host) is open|Server listening)/.test(heard)) resolve();
      };
      guarded.child.stdout?.on('data', read);
      guarded.child.stderr?.on('data', read);
      void guarded.exited.then(({ code }) => reject(new Error(`${app} ended with ${String(code)}:\n${heard.slice(-2_000)}`)));
    });
    return guarded;
  }
}

/** Ends a process without a word. */
export async function killed(guarded: GuardedProcess | undefined): Promise<void> {
  if (guarded === undefined) return;
  process.kill(guarded.pid, 'SIGKILL');
  await guarded.exited;
}
