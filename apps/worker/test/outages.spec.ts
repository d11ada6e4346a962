import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type GuardedProcess, type Server, startRedis } from '@berth/local-stack';
import type { AuthConnection, LoginStateEvent } from '@berth/schema';
import { type Account, startWebsite, type Website } from '@berth/testkit';
import type { Follower } from './follower.js';
import { killed, LoginWorld } from './login-world.js';

const toolsDir = fileURLToPath(new URL('../../../.berth/tools', import.meta.url));
const outageMs = 5_000;
const pauseSeconds = 12;

let folder: string;
let redis: Server;
let site: Website;
let world: LoginWorld;
let worker: GuardedProcess;
const scenario = 'identifier-first';

const openRedis = (port?: number): Promise<Server> =>
  startRedis({ dataDir: join(folder, 'redis'), toolsDir, ...(port !== undefined && { port }) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-outage-'));
  [redis, site] = await Promise.all([openRedis(), startWebsite()]);
  world = await LoginWorld.create({ redisUrl: redis.url });
  worker = await world.startWorker();
}, 90_000);
afterAll(async () => {
  await world.close();
  await Promise.all([redis.stop(), site.stop()]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function begin(): Promise<{ readonly account: Account; readonly follower: Follower; readonly asked: LoginStateEvent }> {
  const account = site.addAccountFor(scenario);
  const follower = await loginOnceAdmitted(await world.connect({ domain: `${scenario}.localhost`, loginUrl: site.startUrl(scenario) }));
  return { account, follower, asked: await follower.paused() };
}

/** After an outage the API says 503 until its own connections are back; a client tries again. */
async function loginOnceAdmitted(connectionId: string): Promise<Follower> {
  for (const deadline = Date.now() + 30_000; ;) {
    try {
      return await world.login(connectionId);
    } catch (error) {
      if (!String(error).includes('answered 503') || Date.now() > deadline) throw error;
      await delay(100);
    }
  }
}

/** Ends of browsers follow the state; they are waited for, the test's own time-out is the limit. */
async function untilFree(): Promise<void> {
  while ((await world.used()) > 0 || (await world.access.prisma.browserSession.count({ where: { kind: 'login', deletedAt: null } })) > 0)
    await delay(50);
}

const give = (follower: Follower, state: LoginStateEvent, { username, password }: Account) =>
  world.submit(follower.connectionId, {
    interaction_id: state.interaction_id ?? '',
    field_values: Object.fromEntries((state.fields ?? []).map(({ id, type }) => [id, type === 'identifier' ? username : password])),
  });

const sentOnce = (account: Account) =>
  expect(site.stats.counts({ username: account.username })[scenario]).toMatchObject({
    login: { posts: 1, duplicate: 0 },
    password: { posts: 1, duplicate: 0 },
  });

/** Redis away for five seconds while `meanwhile` happens; what it had written to disk is there again afterwards. */
async function withoutRedis(meanwhile: () => Promise<void>): Promise<void> {
  const port = Number(new URL(redis.url).port);
  await redis.stop();
  const back = delay(outageMs).then(() => openRedis(port));
  try {
    await meanwhile();
  } finally {
    redis = await back;
  }
}

describe('Redis away for five seconds in the middle of a flow', () => {
  it('issue 5.5: an answer given meanwhile is taken, and the flow goes on to SUCCESS', async () => {
    const { account, follower, asked } = await begin();
    await withoutRedis(() => give(follower, asked, account));
    const next = await follower.paused();
    expect(next.fields?.map(({ type }) => type)).toEqual(['password']);
    await give(follower, next, account);
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    sentOnce(account);
  }, 120_000);

  it('issue 5.5: while the website answers the last submit, SUCCESS still comes', async () => {
    const { account, follower, asked } = await begin();
    await give(follower, asked, account);
    const next = await follower.paused();
    site.delayNext({ ms: 2_000, scenario, step: 'password' });
    await give(follower, next, account);
    await withoutRedis(async () => undefined);
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    sentOnce(account);
  }, 120_000);
});

describe('an API that is killed in the middle of a flow', () => {
  it('issue 5.5: its followers come back to the newest state, and the flow goes on to SUCCESS', async () => {
    const { account, follower, asked } = await begin();
    await world.killApi();
    await world.startApi();
    await give(follower, asked, account);
    const next = await follower.paused();
    await give(follower, next, account);
    await world.killApi();
    await world.startApi();
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    sentOnce(account);
  }, 120_000);
});

describe('D39: never IN_PROGRESS past its deadline', () => {
  // A worker of their own: elsewhere a flow must not lapse while a slow machine starts a process again.
  beforeAll(() => killed(worker));
  beforeEach(async () => {
    worker = await world.startWorker({ BERTH_FLOW_PAUSE_SECONDS: String(pauseSeconds) });
  });

  it('with no worker left: the API ends it EXPIRED at its step, without an error code, and frees browser and slot', async () => {
    const { follower } = await begin();
    await killed(worker);
    const end = await follower.ended();
    expect(end).toMatchObject({ flow_status: 'EXPIRED', flow_step: 'AWAITING_INPUT' });
    expect(end.error_code).toBeUndefined();
    await untilFree();
  }, 120_000);

  it('with every process dead until then: the first API that comes back ends it', async () => {
    const { follower } = await begin();
    const record = await world.call<AuthConnection>('GET', `/auth/connections/${follower.connectionId}`);
    await Promise.all([killed(worker), world.killApi()]);
    await delay(Date.parse(record.flow_expires_at ?? '') - Date.now());
    await world.startApi();
    expect(await follower.ended()).toMatchObject({ flow_status: 'EXPIRED', flow_step: 'AWAITING_INPUT' });
    await untilFree();
  }, 120_000);
});
