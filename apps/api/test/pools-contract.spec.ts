import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PrismaClient, unscoped } from '@berth/database/unscoped';
import { LiveSessions } from '@berth/live-sessions';
import { BrowserPool, type BrowserPool as Pool, type BrowserSession, type ErrorBody } from '@berth/schema';
import { countSlots, type Tenant, usageOf } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type AppProcess, startHostProcess, until as untilTrue } from './processes.js';

/** What a pool gives back comes back by itself, not because a lease has passed. */
const settings = { BERTH_LEASE_SECONDS: '300', BERTH_LAUNCH_TIMEOUT_SECONDS: '15' };

let api: ApiFixture;
let host: AppProcess;
beforeAll(async () => {
  api = await startApi(settings);
  prisma = unscoped(api.database).prisma;
  host = await startHostProcess(api.stores, settings);
}, 60_000);
afterAll(async () => {
  await host.kill('SIGTERM');
  await api.stop();
}, 60_000);

async function expectCounted({ organizationId }: Tenant): Promise<void> {
  const { used, held } = await countSlots(api.database, api.stores.redisUrl, organizationId);
  expect(used).toEqual(held);
}
const until = (_what: string, condition: () => Promise<boolean>, ms = 40_000) => untilTrue(condition, ms);
let prisma: PrismaClient;

class PoolUser {
  constructor(
    readonly tenant: Tenant,
    readonly id: string,
  ) {}

  static async create(body: object, tenant?: Tenant): Promise<PoolUser> {
    const owner = tenant ?? (await api.tenant());
    const reply = await api.call<Pool>('POST', '/browser_pools', { key: owner.key, body });
    expect(reply.status).toBe(201);
    BrowserPool.parse(reply.body);
    return new PoolUser(owner, reply.body.id);
  }

  call<T>(method: string, path: string, body?: unknown) {
    return api.call<T & ErrorBody>(method, `/browser_pools/${this.id}${path}`, { key: this.tenant.key, body });
  }

  async read(): Promise<Pool> {
    return (await this.call<Pool>('GET', '')).body;
  }

  async filled(available: number): Promise<void> {
    await until(`${available} browsers are available`, async () => (await this.read()).available_count === available, 40_000);
  }

  acquire(body: object = {}) {
    return this.call<BrowserSession>('POST', '/acquire', { acquire_timeout_seconds: 20, ...body });
  }

  async used(): Promise<number> {
    return (await usageOf(api.app.get(LiveSessions), this.tenant.organizationId)).organization;
  }
}

describe('browser pools', () => {
  it('D34: size is reserved whole at create or 429, and nothing is left of a refused one', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 3 });
    const refused = await api.call<ErrorBody>('POST', '/browser_pools', { key: tenant.key, body: { size: 4 } });
    expect([refused.status, refused.body.code, refused.body.details?.length]).toEqual([429, 'concurrency_limit_exceeded', 1]);
    expect(await prisma.browserPool.count({ where: { organizationId: tenant.organizationId } })).toBe(0);
    const pool = await PoolUser.create({ size: 3, name: 'p' }, tenant);
    expect(await pool.used()).toBe(3);
    expect((await api.call('POST', '/browsers', { key: tenant.key })).status).toBe(429);
    const sameName = await api.call<ErrorBody>('POST', '/browser_pools', { key: tenant.key, body: { size: 1, name: 'p' } });
    expect([sameName.status, sameName.body.code]).toEqual([409, 'conflict']);
    expect((await api.call<Pool>('GET', '/browser_pools/p', { key: tenant.key })).body.id).toBe(pool.id);
    await expectCounted(tenant);
    expect((await pool.call('DELETE', '')).status).toBe(204);
    expect(await pool.used()).toBe(0);
  }, 60_000);

  it('D34: acquiring from a filled pool launches nothing; the browser works, release reuses it under new tokens', async () => {
    const pool = await PoolUser.create({ size: 2, viewport: { width: 900, height: 700 } });
    await pool.filled(2);
    const before = await prisma.browserSession.count({ where: { poolId: pool.id } });
    const { status, body: leased } = await pool.acquire({ name: 'mine', tags: { a: 'b' } });
    expect([status, leased.name, leased.pool?.id, leased.viewport]).toEqual([200, 'mine', pool.id, { width: 900, height: 700 }]);
    expect(await prisma.browserSession.count({ where: { poolId: pool.id } })).toBe(before);
    const browser = await chromium.connectOverCDP(leased.cdp_ws_url);
    await browser.close();
    expect(await pool.read()).toMatchObject({ acquired_count: 1, available_count: 1 });
    expect(
      (await api.call<BrowserSession[]>('GET', '/browsers', { key: pool.tenant.key })).body.map(({ session_id }) => session_id),
    ).toEqual([leased.session_id]);

    expect((await pool.call('POST', '/release', { session_id: leased.session_id })).status).toBe(204);
    expect((await api.call('GET', `/browsers/${leased.session_id}`, { key: pool.tenant.key })).status).toBe(404);
    const twice = await pool.call('POST', '/release', { session_id: leased.session_id });
    expect([twice.status, twice.body.details?.[0]?.message]).toEqual([400, expect.stringMatching(/^session_id: /)]);
    const [first, second] = [await pool.acquire(), await pool.acquire()];
    const again = [first, second].find(({ body }) => body.session_id === leased.session_id)!;
    expect(again.body.name).toBeUndefined();
    expect(again.body.cdp_ws_url).not.toBe(leased.cdp_ws_url);
    const reused = await chromium.connectOverCDP(again.body.cdp_ws_url);
    await reused.close();
    await expect(chromium.connectOverCDP(leased.cdp_ws_url, { timeout: 5_000 })).rejects.toThrow();
    expect(await prisma.browserSession.count({ where: { poolId: pool.id } })).toBe(before);
    expect(await pool.used()).toBe(2);
    await pool.call('DELETE', '', { force: true });
  }, 90_000);

  it('D34: an empty pool answers 204 at the time-out, and gives the browser to whoever waits once one is free', async () => {
    const pool = await PoolUser.create({ size: 1 });
    const first = await pool.acquire();
    expect((await pool.acquire({ acquire_timeout_seconds: 0 })).status).toBe(204);
    const waiting = pool.acquire();
    expect((await pool.call('POST', '/release', { session_id: first.body.session_id })).status).toBe(204);
    expect((await waiting).body.session_id).toBe(first.body.session_id);
    expect((await pool.call('POST', '/release', { session_id: first.body.session_id, reuse: false })).status).toBe(204);
    const fresh = await pool.acquire();
    expect(fresh.status).toBe(200);
    expect(fresh.body.session_id).not.toBe(first.body.session_id);
    await pool.call('DELETE', '', { force: true });
  }, 90_000);

  it('D34: DELETE of a leased browser ends the lease and the pool refills; the reservation stays', async () => {
    const pool = await PoolUser.create({ size: 1 });
    const { body } = await pool.acquire();
    expect((await api.call('DELETE', `/browsers/${body.session_id}`, { key: pool.tenant.key })).status).toBe(204);
    expect(await pool.used()).toBe(1);
    await pool.filled(1);
    await pool.call('DELETE', '');
  }, 60_000);

  it('D34: growing reserves the difference or changes nothing; shrinking keeps leased browsers, and the reservation falls as leases end', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 3 });
    const pool = await PoolUser.create({ size: 2 }, tenant);
    const refused = await pool.call('PATCH', '', { size: 4, fill_rate_per_minute: 9 });
    expect(refused.status).toBe(429);
    expect((await pool.read()).browser_pool_config).toEqual({ size: 2, headless: true });
    expect((await pool.call<Pool>('PATCH', '', { size: 3 })).body.browser_pool_config.size).toBe(3);
    expect(await pool.used()).toBe(3);
    const leases = [await pool.acquire(), await pool.acquire()].map(({ body }) => body.session_id);
    expect((await pool.call('PATCH', '', { size: 1 })).status).toBe(200);
    expect(await pool.used()).toBe(2);
    for (const id of leases) expect((await api.call('GET', `/browsers/${id}`, { key: tenant.key })).status).toBe(200);
    await expectCounted(tenant);
    await pool.call('POST', '/release', { session_id: leases[0] });
    await until('the reservation falls to 1', async () => (await pool.used()) === 1);
    expect((await api.call('GET', `/browsers/${leases[1] ?? ''}`, { key: tenant.key })).status).toBe(200);
    await pool.call('DELETE', '', { force: true });
    expect(await pool.used()).toBe(0);
  }, 90_000);

  it('D34: flush replaces idle browsers and leaves the leased one; DELETE while leased is 400 resource_in_use unless forced', async () => {
    const pool = await PoolUser.create({ size: 2 });
    await pool.filled(2);
    const { body: leased } = await pool.acquire();
    const idle = await prisma.browserSession.findFirstOrThrow({ where: { poolId: pool.id, leasedAt: null, status: 'running' } });
    expect((await pool.call('POST', '/flush')).status).toBe(204);
    await until(
      'the idle browser is replaced',
      async () => (await prisma.browserSession.findUniqueOrThrow({ where: { id: idle.id } })).status === 'ended',
    );
    await pool.filled(1);
    expect((await api.call('GET', `/browsers/${leased.session_id}`, { key: pool.tenant.key })).status).toBe(200);
    const refused = await pool.call('DELETE', '');
    expect([refused.status, refused.body.code]).toEqual([400, 'resource_in_use']);
    expect(await pool.used()).toBe(2);
    expect((await pool.call('DELETE', '', { force: true })).status).toBe(204);
    expect(await prisma.browserSession.count({ where: { poolId: pool.id, NOT: { status: 'ended' } } })).toBe(0);
    expect((await pool.call('GET', '')).status).toBe(404);
    await expectCounted(pool.tenant);
  }, 90_000);

  it('D34: fill_rate_per_minute bounds how many browsers start', async () => {
    const pool = await PoolUser.create({ size: 3, fill_rate_per_minute: 1 });
    await pool.filled(1);
    const { body } = await pool.acquire();
    await pool.call('POST', '/release', { session_id: body.session_id, reuse: false });
    await until(
      'the sweep has looked at the pool again',
      async () => (await prisma.browserSession.count({ where: { poolId: pool.id, status: 'ended' } })) === 1,
    );
    expect((await pool.acquire({ acquire_timeout_seconds: 2 })).status).toBe(204);
    expect(await prisma.browserSession.count({ where: { poolId: pool.id } })).toBe(1);
    await pool.call('DELETE', '');
  }, 60_000);

  it('D20: a pool of an archived project stays reserved, is neither leased nor refilled, and comes back', async () => {
    const tenant = await api.tenant();
    const made = await api.call<{ id: string }>('POST', '/org/projects', { key: tenant.key, body: { name: 'shelf' } });
    const project = made.body.id;
    const created = await api.call<Pool>('POST', '/browser_pools', { key: tenant.key, project, body: { size: 1 } });
    const available = async () =>
      (await api.call<Pool>('GET', `/browser_pools/${created.body.id}`, { key: tenant.key, project })).body.available_count;
    await until('the pool is filled', async () => (await available()) === 1, 30_000);
    await api.call('PATCH', `/org/projects/${project}`, { key: tenant.key, body: { status: 'archived' } });
    expect((await api.call<ErrorBody>('POST', `/browser_pools/${created.body.id}/acquire`, { key: tenant.key, project })).body.code).toBe(
      'project_not_found',
    );
    expect((await usageOf(api.app.get(LiveSessions), tenant.organizationId)).organization).toBe(1);
    await api.call('PATCH', `/org/projects/${project}`, { key: tenant.key, body: { status: 'active' } });
    expect(await available()).toBe(1);
    expect((await api.call('DELETE', `/browser_pools/${created.body.id}`, { key: tenant.key, project })).status).toBe(204);
  }, 60_000);

  it('D30, D34: what a pool cannot do is 400 naming the field', async () => {
    const tenant = await api.tenant();
    const faults = async (body: object) =>
      (await api.call<ErrorBody>('POST', '/browser_pools', { key: tenant.key, body })).body.details?.map(
        ({ message }) => message?.split(':')[0],
      );
    expect(await faults({ size: 1, stealth: true, headless: false, chrome_policy: { a: 1 } })).toEqual([
      'headless',
      'stealth',
      'chrome_policy',
    ]);
    expect(await faults({ size: 0 })).toEqual(['size']);
    expect(await faults({ size: 1, profile: { name: 'none' } })).toEqual(['profile']);
    expect(await prisma.browserPool.count({ where: { organizationId: tenant.organizationId } })).toBe(0);
  });
});
