import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserPool, BrowserSession, ErrorBody, Project } from '@berth/schema';
import { countSlots, type Tenant } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { type ApiFixture, type Reply, startApi } from './api-fixture.js';
import { type AppProcess, longLease, startApiProcess, startHostProcess, until } from './processes.js';

let api: ApiFixture;
let host: AppProcess;
beforeAll(async () => {
  api = await startApi(longLease);
  host = await startHostProcess(api.stores, longLease);
});
afterAll(async () => {
  await host.kill('SIGTERM');
  await api.stop();
});

const post = <T = ErrorBody>(tenant: Tenant, path: string, body: unknown = {}): Promise<Reply<T>> =>
  api.call('POST', path, { key: tenant.key, body });
const getPool = async (tenant: Tenant, id: string): Promise<BrowserPool> =>
  (await api.call<BrowserPool>('GET', `/browser_pools/${id}`, { key: tenant.key })).body;
const used = async (tenant: Tenant): Promise<number> => {
  const counted = await countSlots(api.database, api.stores.redisUrl, tenant.organizationId);
  expect(counted.used).toEqual(counted.held);
  return counted.used.organization;
};

async function filledPool(tenant: Tenant, body: Record<string, unknown>): Promise<BrowserPool> {
  const { body: pool, status } = await post<BrowserPool>(tenant, '/browser_pools', body);
  expect(status).toBe(201);
  await until(async () => (await getPool(tenant, pool.id)).available_count === body['size']);
  return pool;
}

const acquire = (tenant: Tenant, id: string, seconds = 20): Promise<Reply<BrowserSession>> =>
  post(tenant, `/browser_pools/${id}/acquire`, { acquire_timeout_seconds: seconds });
const remove = (tenant: Tenant, id: string) => api.call('DELETE', `/browser_pools/${id}`, { key: tenant.key, body: { force: true } });

/** Backends of the connections that were last used to ask a pool for a browser. */
const askers = async (): Promise<readonly number[]> => {
  const asked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%FOR UPDATE OF s SKIP LOCKED%' AND pid <> pg_backend_pid()`;
  return (await unscoped(api.database).pool.query<{ pid: number }>(asked)).rows.map(({ pid }) => pid);
};

describe('browser pools', () => {
  it('D34: the size is reserved whole at create, or 429 and nothing is made', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 2 });
    const refused = await post(tenant, '/browser_pools', { size: 3 });
    expect([refused.status, refused.body.details]).toEqual([429, [{ code: 'organization', message: 'limit 2, used 0' }]]);
    expect(await used(tenant)).toBe(0);
    const { body: pool } = await post<BrowserPool>(tenant, '/browser_pools', { size: 2, name: 'p' });
    expect(await used(tenant)).toBe(2);
    expect((await post(tenant, '/browsers')).status).toBe(429);
    expect((await post(tenant, '/browser_pools', { size: 1, name: 'q' })).status).toBe(429);
    // A taken name is told before a full cap (D7).
    expect((await post(tenant, '/browser_pools', { size: 1, name: 'p' })).status).toBe(409);
    expect((await remove(tenant, pool.id)).status).toBe(204);
    expect(await used(tenant)).toBe(0);
  });

  it('D27, D34: DELETE answers with every slot free, also when browsers of the pool were ending already', async () => {
    for (const before of ['flush', 'release', 'grow'] as const) {
      const tenant = await api.tenant();
      const pool = await filledPool(tenant, { size: 1 });
      if (before === 'release')
        await post(tenant, `/browser_pools/${pool.id}/release`, {
          session_id: (await acquire(tenant, pool.id)).body.session_id,
          reuse: false,
        });
      else {
        if (before === 'grow') await api.call('PATCH', `/browser_pools/${pool.id}`, { key: tenant.key, body: { size: 2 } });
        await post(tenant, `/browser_pools/${pool.id}/flush`);
      }
      expect([before, (await remove(tenant, pool.id)).status]).toEqual([before, 204]);
      expect([before, await used(tenant)]).toEqual([before, 0]);
    }
  });

  it('D34: acquire hands out a running browser that is listed with its pool; an idle one is not listed; with none free it is 204', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1, name: 'one' });
    expect((await api.call<unknown[]>('GET', '/browsers', { key: tenant.key })).body).toEqual([]);
    const leased = await acquire(tenant, 'one');
    expect([leased.status, leased.body.pool]).toEqual([200, { id: pool.id, name: 'one' }]);
    expect((await api.call<unknown[]>('GET', '/browsers', { key: tenant.key })).body).toHaveLength(1);
    expect((await acquire(tenant, pool.id, 0)).status).toBe(204);
    expect((await getPool(tenant, pool.id)).acquired_count).toBe(1);
    const inUse = await api.call<ErrorBody>('DELETE', `/browser_pools/${pool.id}`, { key: tenant.key });
    expect([inUse.status, inUse.body.code]).toEqual([400, 'resource_in_use']);
    await remove(tenant, pool.id);
    expect(await used(tenant)).toBe(0);
  });

  it('D34: release with reuse gives the same browser to the next caller under new addresses; without reuse a new one', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1 });
    const first = (await acquire(tenant, pool.id)).body;
    const stranger = await post(tenant, `/browser_pools/${pool.id}/release`, { session_id: 'nothing' });
    expect([stranger.status, stranger.body.details?.[0]?.message]).toEqual([400, expect.stringMatching(/^session_id: /)]);
    expect((await post(tenant, `/browser_pools/${pool.id}/release`, { session_id: first.session_id })).status).toBe(204);
    const second = (await acquire(tenant, pool.id)).body;
    expect(second.session_id).toBe(first.session_id);
    expect(second.cdp_ws_url).not.toBe(first.cdp_ws_url);
    await (await chromium.connectOverCDP(second.cdp_ws_url)).close();
    await expect(chromium.connectOverCDP(first.cdp_ws_url)).rejects.toThrow();
    expect((await post(tenant, `/browser_pools/${pool.id}/release`, { session_id: second.session_id, reuse: false })).status).toBe(204);
    const third = (await acquire(tenant, pool.id)).body;
    expect(third.session_id).not.toBe(first.session_id);
    await remove(tenant, pool.id);
    expect(await used(tenant)).toBe(0);
  });

  it('D31, D34: the address that acquire hands out works at once, however soon after a release; the one before opens nothing any more', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1, timeout_seconds: 600 });
    const connect = (session: BrowserSession) => chromium.connectOverCDP(session.cdp_ws_url);
    let current = (await acquire(tenant, pool.id)).body;
    for (let round = 0; round < 8; round += 1) {
      const browser = await connect(current);
      expect((await post(tenant, `/browser_pools/${pool.id}/release`, { session_id: current.session_id })).status).toBe(204);
      const next = (await acquire(tenant, pool.id)).body;
      const ours = await connect(next);
      await expect(connect(current)).rejects.toThrow();
      await until(() => !browser.isConnected());
      // Whatever notice of the former lease is still on its way, it does not cost us the door.
      await (await ours.contexts()[0]?.newPage())?.close();
      current = next;
    }
    await remove(tenant, pool.id);
    expect(await used(tenant)).toBe(0);
  });

  it('D34: whoever waits for a browser of a pool that is deleted is answered 404, here and in another process', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1 });
    expect((await acquire(tenant, pool.id)).status).toBe(200);
    const another = await startApiProcess(api.stores, longLease);
    const before = await askers();
    const elsewhere = fetch(`${another.url}/browser_pools/${pool.id}/acquire`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ acquire_timeout_seconds: 20 }),
    });
    // Nobody asks in this process meanwhile.
    await until(async () => (await askers()).some((pid) => !before.includes(pid)));
    const here = [acquire(tenant, pool.id), acquire(tenant, pool.id)];
    expect((await remove(tenant, pool.id)).status).toBe(204);
    for (const { status, body } of await Promise.all(here))
      expect([status, body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    const there = await elsewhere;
    expect([there.status, await there.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    await another.kill('SIGTERM');
    expect(await used(tenant)).toBe(0);
  });

  it('D34: browsers of a host that has not been heard of for a lease are not handed out; they are when it is back', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1 });
    host.child.kill('SIGSTOP');
    try {
      await unscoped(api.database).pool.query(`UPDATE browser_hosts SET heartbeat_at = now() - interval '1 minute'`);
      expect((await acquire(tenant, pool.id, 0)).status).toBe(204);
    } finally {
      host.child.kill('SIGCONT');
    }
    expect((await acquire(tenant, pool.id)).status).toBe(200);
    await remove(tenant, pool.id);
    expect(await used(tenant)).toBe(0);
  });

  it('D34: DELETE of a leased browser ends the lease and the pool refills; a waiting acquire gets the new one', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 1 });
    const first = (await acquire(tenant, pool.id)).body;
    const waiting = acquire(tenant, pool.id);
    await api.call('DELETE', `/browsers/${first.session_id}`, { key: tenant.key });
    const second = await waiting;
    expect([second.status, second.body.session_id === first.session_id]).toEqual([200, false]);
    expect(await used(tenant)).toBe(1);
    await remove(tenant, pool.id);
  });

  it('D34: growing reserves the difference or 429 and nothing changes; shrinking never touches leased browsers and the reservation falls as leases end', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 3 });
    const pool = await filledPool(tenant, { size: 2 });
    const patch = (body: unknown) => api.call<BrowserPool & ErrorBody>('PATCH', `/browser_pools/${pool.id}`, { key: tenant.key, body });
    expect((await patch({ size: 4 })).status).toBe(429);
    expect((await getPool(tenant, pool.id)).browser_pool_config.size).toBe(2);
    expect(await used(tenant)).toBe(2);
    expect((await patch({ size: 3 })).status).toBe(200);
    expect(await used(tenant)).toBe(3);
    const leases = [(await acquire(tenant, pool.id)).body, (await acquire(tenant, pool.id)).body];
    expect((await patch({ size: 1 })).body).toMatchObject({ acquired_count: 2, available_count: 0 });
    expect(await used(tenant)).toBe(2);
    await post(tenant, `/browser_pools/${pool.id}/release`, { session_id: leases[0]?.session_id });
    await until(async () => (await used(tenant).catch(() => -1)) === 1);
    expect((await api.call('GET', `/browsers/${leases[1]?.session_id}`, { key: tenant.key })).status).toBe(200);
    await remove(tenant, pool.id);
    expect(await used(tenant)).toBe(0);
  });

  it('D34: flush replaces every idle browser and leaves leased ones', async () => {
    const tenant = await api.tenant();
    const pool = await filledPool(tenant, { size: 2 });
    const leased = (await acquire(tenant, pool.id)).body;
    expect((await post(tenant, `/browser_pools/${pool.id}/flush`)).status).toBe(204);
    await until(async () => (await getPool(tenant, pool.id)).available_count === 1);
    expect((await api.call('GET', `/browsers/${leased.session_id}`, { key: tenant.key })).status).toBe(200);
    await remove(tenant, pool.id);
  });

  it('D20: a pool of an archived project stays reserved but is neither leased nor refilled; reactivation restores it', async () => {
    const tenant = await api.tenant();
    const { body: project } = await post<Project>(tenant, '/org/projects', { name: 'second' });
    const inProject = { key: tenant.key, project: project.id };
    const { body: pool } = await api.call<BrowserPool>('POST', '/browser_pools', { ...inProject, body: { size: 1 } });
    await until(async () => (await api.call<BrowserPool>('GET', `/browser_pools/${pool.id}`, inProject)).body.available_count === 1);
    await api.call('PATCH', `/org/projects/${project.id}`, { key: tenant.key, body: { status: 'archived' } });
    expect((await api.call('POST', `/browser_pools/${pool.id}/acquire`, { ...inProject, body: {} })).status).toBe(404);
    expect(await used(tenant)).toBe(1);
    await api.call('PATCH', `/org/projects/${project.id}`, { key: tenant.key, body: { status: 'active' } });
    expect((await api.call('POST', `/browser_pools/${pool.id}/acquire`, { ...inProject, body: {} })).status).toBe(200);
    await api.call('DELETE', `/browser_pools/${pool.id}`, { ...inProject, body: { force: true } });
    expect(await used(tenant)).toBe(0);
  });

  it('D34: two API processes never fill a pool twice nor lease one browser to two callers', async () => {
    const tenant = await api.tenant();
    const other = await startApiProcess(api.stores, longLease);
    try {
      const pool = await filledPool(tenant, { size: 3 });
      const at = (url: string) =>
        fetch(`${url}/browser_pools/${pool.id}/acquire`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
          body: '{"acquire_timeout_seconds":0}',
        });
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => at(index % 2 === 0 ? api.url : other.url)));
      const ids = await Promise.all(
        answers.filter(({ status }) => status === 200).map(async (answer) => ((await answer.json()) as BrowserSession).session_id),
      );
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(8 - ids.length);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(3);
      expect(await used(tenant)).toBe(3);
      await remove(tenant, pool.id);
    } finally {
      await other.kill('SIGTERM');
    }
  });
});
