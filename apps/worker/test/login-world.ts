import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cdpUrl, type EndingPorts, type LaunchQueue, liveRows, openLaunchQueue, requestEnd, requestLaunch, SessionWatcher } from '@berth/browser-fleet';
import { Database, newId, type ProjectScope } from '@berth/database';
import { projectScope, unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { connectRedis, LiveSessions } from '@berth/live-sessions';
import { findFreePort, type GuardedProcess, spawnGuarded, terminate } from '@berth/local-stack';
import { connectionChannel, type FlowStore, type LoginJob, loginJobOptions, loginQueueName, PublishedState, redisPublisher, startFlow, storeAnswer } from '@berth/login-flow';
import type { LoginStateEvent, SubmitLogin } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import { createTenant, freshStores, type FreshStores, testChromium } from '@berth/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const secretKey = 'c4'.repeat(32);
const leaseSeconds = 2;

export interface ConnectionChoices {
  readonly domain: string;
  readonly loginUrl: string;
  readonly allowedDomains?: readonly string[];
  readonly profileId?: string;
}

/** Stores, one browser host and as many workers as a test wants, all real processes; the test itself plays the API's part. */
export class LoginWorld {
  readonly #processes = new Set<GuardedProcess>();
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'berth-login-test-'));
  readonly #subscriber: Redis;
  readonly #sessionSubscriber: Redis;
  readonly sealer = new Sealer({ current: secretKey });
  readonly access: UnscopedAccess;
  readonly redis: Redis;
  readonly admissions: LiveSessions;
  readonly watcher: SessionWatcher;
  readonly store: FlowStore;
  readonly #launches: LaunchQueue;
  readonly #logins: Queue<LoginJob>;
  /** Everything the processes wrote, to look for secrets in it. */
  log = '';

  private constructor(readonly stores: FreshStores, readonly database: Database, readonly scope: ProjectScope) {
    this.access = unscoped(database);
    this.redis = connectRedis(stores.redisUrl);
    this.#subscriber = new Redis(stores.redisUrl);
    this.#sessionSubscriber = new Redis(stores.redisUrl);
    this.admissions = new LiveSessions({ redis: this.redis, rows: liveRows(this.access, leaseSeconds * 1000), leaseMs: leaseSeconds * 1000 });
    this.watcher = new SessionWatcher(this.access, this.#sessionSubscriber);
    this.#launches = openLaunchQueue(stores.redisUrl);
    this.#logins = new Queue(loginQueueName, { connection: { url: stores.redisUrl } });
    const ending: EndingPorts = { access: this.access, admissions: this.admissions, redis: this.redis };
    this.store = {
      database, sealer: this.sealer, publicUrl: 'https://berth.test', pauseMs: 60_000, totalMs: 300_000, publisher: redisPublisher(this.redis, () => undefined),
      endBrowser: async ({ sessionId }) => {
        await requestEnd(ending, [sessionId], 'deleted');
        await this.watcher.waitUntilEnded(sessionId, 5_000);
      },
    };
  }

  static async create(): Promise<LoginWorld> {
    const stores = await freshStores();
    const database = new Database({ url: stores.databaseUrl });
    const { organizationId, defaultProjectId } = await createTenant(database);
    const world = new LoginWorld(stores, database, projectScope(organizationId, defaultProjectId));
    if (world.redis.status !== 'ready') await once(world.redis, 'ready');
    await world.watcher.start();
    await world.#launches.waitUntilReady();
    await world.#start('browser-host', { BERTH_HOST_PORT: String(await findFreePort()), BERTH_CHROMIUM_PATH: testChromium(), BERTH_CHROMIUM_SANDBOX: 'false', BERTH_HOST_WARM_BROWSERS: '1' });
    return world;
  }

  startWorker(env: Record<string, string> = {}): Promise<GuardedProcess> {
    return findFreePort().then((port) => this.#start('worker', { BERTH_WORKER_PORT: String(port), BERTH_SWEEP_SECONDS: '1', BERTH_PUBLIC_URL: 'https://berth.test', ...env }));
  }

  /** A connection as `POST /auth/connections` makes it. */
  async connect({ domain, loginUrl, allowedDomains = [], profileId }: ConnectionChoices): Promise<string> {
    const { organizationId, projectId } = this.scope;
    const [id, newProfile] = [newId(), newId()];
    if (profileId === undefined) await this.access.prisma.profile.create({ data: { id: newProfile, organizationId, projectId, name: `p-${newProfile.slice(0, 8)}` } });
    await this.access.prisma.authConnection.create({ data: { id, organizationId, projectId, profileId: profileId ?? newProfile, domain, loginUrl, allowedDomains: [...allowedDomains] } });
    return id;
  }

  /** A flow as `POST …/login` starts it: slot, rows, launch, job. */
  async login(connectionId: string, type: 'LOGIN' | 'REAUTH' = 'LOGIN'): Promise<Follower> {
    const follower = await this.follow(connectionId);
    const sessionId = newId();
    const { organizationId, projectId } = this.scope;
    const admitted = await this.admissions.acquire({ organizationId, projectId, member: sessionId, leaseMs: leaseSeconds * 1000, organizationLimit: 100, projectLimit: null });
    if (!admitted.admitted) throw new Error('no slot');
    const started = await startFlow(this.store, this.scope, { connectionId, type, sessionId, headless: true });
    if (started.kind !== 'started') throw new Error(started.kind);
    await requestLaunch(this.#launches, sessionId);
    const job = { flowId: started.flow.id, epoch: 0 };
    await this.#logins.add('login', job, loginJobOptions(job));
    return follower;
  }

  async submit(connectionId: string, body: SubmitLogin): Promise<void> {
    const stored = await storeAnswer(this.store, this.scope, connectionId, body);
    if (stored.kind === 'refused') throw new Error(`${stored.code}: ${stored.message}`);
  }

  async follow(connectionId: string): Promise<Follower> {
    const follower = new Follower(connectionId);
    this.#subscriber.on('message', (channel, message) => {
      if (channel === connectionChannel(connectionId)) follower.hear(PublishedState.parse(JSON.parse(message)));
    });
    await this.#subscriber.subscribe(connectionChannel(connectionId));
    return follower;
  }

  /** An on-demand browser with a profile, as `POST /browsers` makes it; answers its session id. */
  async openBrowser(profileId: string): Promise<string> {
    const id = newId();
    const { organizationId, projectId } = this.scope;
    await this.admissions.acquire({ organizationId, projectId, member: id, leaseMs: leaseSeconds * 1000, organizationLimit: 100, projectLimit: null });
    await this.access.prisma.browserSession.create({ data: { id, organizationId, projectId, kind: 'on_demand', headless: true, timeoutSeconds: 60, profileId } });
    await requestLaunch(this.#launches, id);
    return id;
  }

  /** Address of the door of a running session. */
  async doorOf(sessionId: string): Promise<string> {
    const standing = await this.watcher.waitUntilRunning(sessionId, 10_000);
    if (standing?.hostInternalUrl == null) throw new Error('the session does not run');
    return cdpUrl(standing.hostInternalUrl, standing, this.sealer);
  }

  async used(): Promise<number> {
    return (await this.admissions.usage(this.scope.organizationId)).organization;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes].map((one) => one.stop()));
    await Promise.all([this.#launches.close(), this.#logins.close()]);
    this.watcher.stop();
    for (const redis of [this.redis, this.#subscriber, this.#sessionSubscriber]) redis.disconnect();
    await this.database.close();
    await this.stores.drop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #start(app: 'worker' | 'browser-host', env: Record<string, string>): Promise<GuardedProcess> {
    const guarded = await spawnGuarded(process.execPath, [join(root, 'apps', app, 'dist/main.js')], {
      env: {
        PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir(), BERTH_DATABASE_URL: this.stores.databaseUrl, BERTH_REDIS_URL: this.stores.redisUrl, BERTH_SECRET_KEY: secretKey,
        BERTH_DATA_DIR: this.#dataDir, BERTH_LEASE_SECONDS: String(leaseSeconds), BERTH_LOG_LEVEL: 'info', BERTH_DATABASE_POOL_SIZE: '6', ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'], stop: terminate(15_000),
    });
    this.#processes.add(guarded);
    void guarded.exited.then(() => this.#processes.delete(guarded));
    const opened = new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.log += chunk.toString();
        if (/"msg":"(worker|browser host) is open"/.test(chunk.toString())) resolve();
      };
      guarded.child.stdout?.on('data', read);
      guarded.child.stderr?.on('data', read);
      void guarded.exited.then(({ code }) => reject(new Error(`${app} ended with ${String(code)}:\n${this.log.slice(-2_000)}`)));
    });
    await opened;
    return guarded;
  }
}

/** Hears the states of one connection, in order, and waits for those a test cares about. */
export class Follower {
  readonly states: LoginStateEvent[] = [];
  #newest = 0;
  #read = 0;
  readonly #wakes = new Set<() => void>();

  constructor(readonly connectionId: string) {}

  hear({ sequence, state }: PublishedState): void {
    if (sequence <= this.#newest) throw new Error('a state came out of order');
    this.#newest = sequence;
    this.states.push(state);
    for (const wake of [...this.#wakes]) wake();
  }

  /** The next state after those already taken that is `wanted`. @throws after `withinMs` with what was heard instead. */
  async next(wanted: (state: LoginStateEvent) => boolean, withinMs = 25_000): Promise<LoginStateEvent> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const place = this.states.findIndex((state, index) => index >= this.#read && wanted(state));
      const found = this.states[place];
      if (found !== undefined) {
        this.#read = place + 1;
        return found;
      }
      const heard = await new Promise<boolean>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#wakes.delete(wake);
          resolve(true);
        };
        const timer = setTimeout(() => {
          this.#wakes.delete(wake);
          resolve(false);
        }, Math.max(0, deadline - Date.now()));
        this.#wakes.add(wake);
      });
      if (!heard) throw new Error(`the flow did not get there; ${this.story()}`);
    }
  }

  /** The states heard, one a line, for messages of failed tests. */
  story(): string {
    return this.states.map((state) => [state.flow_status, state.flow_step, state.fields?.map(({ type }) => type), state.choices?.map(({ label }) => label), state.website_error, state.error_code].filter(Boolean).join(' · ')).join('\n');
  }

  paused(withinMs?: number): Promise<LoginStateEvent> {
    return this.next((state) => state.flow_status !== 'IN_PROGRESS' || state.flow_step.startsWith('AWAITING'), withinMs);
  }

  ended(withinMs?: number): Promise<LoginStateEvent> {
    return this.next((state) => state.flow_status !== 'IN_PROGRESS', withinMs);
  }
}
