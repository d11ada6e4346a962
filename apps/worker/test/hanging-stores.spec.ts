import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Server, startRedis } from '@berth/local-stack';
import type { LoginStateEvent } from '@berth/schema';
import { type Account, type HangingPostgres, startHangingPostgres, startWebsite, type Website } from '@berth/testkit';
import type { Follower } from './follower.js';
import { LoginWorld } from './login-world.js';

const toolsDir = fileURLToPath(new URL('../../../.berth/tools', import.meta.url));
/** Longer than any answer is waited for, and than a lease of these tests. */
const hangMs = 8_000;
const scenario = 'identifier-first';

let folder: string;
let postgres: HangingPostgres;
let redis: Server;
let site: Website;
let world: LoginWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-hang-'));
  [postgres, redis, site] = await Promise.all([
    startHangingPostgres(),
    startRedis({ dataDir: join(folder, 'redis'), toolsDir }),
    startWebsite(),
  ]);
  world = await LoginWorld.create({ databaseUrl: postgres.url, redisUrl: redis.url });
  await world.startWorker();
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([postgres.stop(), redis.stop(), site.stop()]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const signalRedis = (name: NodeJS.Signals): void => void process.kill(redis.pid() as number, name);
const hanging = {
  PostgreSQL: { hang: () => postgres.hang(), wake: () => postgres.wake() },
  Redis: { hang: () => signalRedis('SIGSTOP'), wake: () => signalRedis('SIGCONT') },
} as const;

async function hang(store: keyof typeof hanging): Promise<void> {
  hanging[store].hang();
  await delay(hangMs);
  hanging[store].wake();
}

interface Begun {
  readonly account: Account;
  readonly follower: Follower;
  readonly asked: LoginStateEvent;
}

async function begin(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<Begun> {
  const account = site.addAccountFor(scenario);
  const connectionId = await world.connect({ domain: `${scenario}.localhost`, loginUrl: site.startUrl(scenario) });
  await world.call('POST', `/auth/connections/${connectionId}/login`, {});
  await meanwhile();
  const follower = world.follow(connectionId);
  return { account, follower, asked: await follower.paused() };
}

const give = (follower: Follower, state: LoginStateEvent, { username, password }: Account) =>
  world.submit(follower.connectionId, {
    interaction_id: state.interaction_id ?? '',
    field_values: Object.fromEntries((state.fields ?? []).map(({ id, type }) => [id, type === 'identifier' ? username : password])),
  });

/** The browser that the flow began in is the one it ended in, it is gone and its slot free, and each form was sent once. */
async function endedWell({ account, follower }: { readonly account: Account; readonly follower: Follower }): Promise<void> {
  const { flow_status, error_code } = await follower.ended();
  expect({ flow_status, error_code }).toEqual({ flow_status: 'SUCCESS' });
  expect(site.stats.counts({ username: account.username })[scenario]).toMatchObject({
    login: { posts: 1, duplicate: 0 },
    password: { posts: 1, duplicate: 0 },
  });
  const lost = { endReason: { not: 'deleted' } };
  expect(await world.access.prisma.browserSession.findMany({ where: lost, select: { endReason: true, createdAt: true } })).toEqual([]);
  // Usage cannot be read while Redis is being rebuilt from the rows (D29).
  const isCounted = () =>
    world.used().then(
      (used) => used > 0,
      () => true,
    );
  while ((await isCounted()) || (await world.access.prisma.browserSession.count({ where: { deletedAt: null } })) > 0) await delay(50);
}

describe.each(['PostgreSQL', 'Redis'] as const)('%s hanging for eight seconds in the middle of a flow', (store) => {
  it('issue 5.5: while its browser is started, it goes on with that browser', async () => {
    const flow = await begin(() => hang(store));
    await give(flow.follower, flow.asked, flow.account);
    await give(flow.follower, await flow.follower.paused(), flow.account);
    await endedWell(flow);
  }, 120_000);

  it('issue 5.5: while it waits for a person, it goes on when the answer comes', async () => {
    const flow = await begin();
    await hang(store);
    await give(flow.follower, flow.asked, flow.account);
    await give(flow.follower, await flow.follower.paused(), flow.account);
    await endedWell(flow);
  }, 120_000);

  it('issue 5.5: while the website answers the last submit, SUCCESS still comes and nothing is sent twice', async () => {
    const flow = await begin();
    await give(flow.follower, flow.asked, flow.account);
    const next = await flow.follower.paused();
    // Before the website has it, a submit of which no store can be told is asked for again instead of being sent.
    const sent = new Promise<void>((resolve) => site.delayNext({ ms: 2_000, scenario, step: 'password' }, resolve));
    await give(flow.follower, next, flow.account);
    await sent;
    await hang(store);
    await endedWell(flow);
  }, 120_000);
});
