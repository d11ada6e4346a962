import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BrowserPool, BrowserSession } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type HostProcess, startHostProcess, until } from './processes.js';

// So long that whatever is noticed in a test is not noticed by silence.
const lease = { BERTH_LEASE_SECONDS: '60' };

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi(lease);
});
afterAll(() => api.stop());

const hosts: HostProcess[] = [];
const pools: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  // First, or they refill at the hosts of the next test.
  await Promise.all(pools.splice(0).map((remove) => remove()));
  await Promise.all(
    hosts.splice(0).map(async (host) => {
      host.child.kill('SIGCONT');
      await host.kill('SIGTERM');
    }),
  );
});

/** A pool with one browser on each of some hosts, in the order in which they are handed out. */
async function spread(tenant: Tenant, size: number): Promise<{ readonly pool: BrowserPool; readonly hosts: readonly HostProcess[] }> {
  const pool = (await api.call<BrowserPool>('POST', '/browser_pools', { key: tenant.key, body: { size } })).body;
  pools.push(() => api.call('DELETE', `/browser_pools/${pool.id}`, { key: tenant.key, body: { force: true } }));
  for (let available = 1; available <= size; available += 1) {
    hosts.push(await startHostProcess(api.stores, { ...lease, BERTH_HOST_CAPACITY: '1', BERTH_HOST_WARM_BROWSERS: '0' }));
    await until(
      async () => (await api.call<BrowserPool>('GET', `/browser_pools/${pool.id}`, { key: tenant.key })).body.available_count === available,
    );
  }
  return { pool, hosts: [...hosts] };
}

const acquire = (tenant: Tenant, { id }: BrowserPool, seconds: number) =>
  api.call<BrowserSession>('POST', `/browser_pools/${id}/acquire`, { key: tenant.key, body: { acquire_timeout_seconds: seconds } });

const on = (session: BrowserSession, host: HostProcess | undefined): boolean => session.cdp_ws_url.includes(new URL(host?.url ?? '').host);

it('D34: of a filled pool of which one host has just been killed, what lives is handed out, and then nothing', async () => {
  const tenant = await api.tenant();
  const {
    pool,
    hosts: [first, second],
  } = await spread(tenant, 2);
  await first?.kill('SIGKILL');
  const leased = await acquire(tenant, pool, 0);
  expect([leased.status, on(leased.body, second)]).toEqual([200, true]);
  await (await chromium.connectOverCDP(leased.body.cdp_ws_url)).close();
  expect((await acquire(tenant, pool, 0)).status).toBe(204);
  expect((await api.call<BrowserSession[]>('GET', '/browsers', { key: tenant.key })).body.map(({ session_id: id }) => id)).toEqual([
    leased.body.session_id,
  ]);
});

it('D34: a host that does not answer is passed over while another has a browser, and is used when none has: it may only be slow', async () => {
  const tenant = await api.tenant();
  const {
    pool,
    hosts: [first, second],
  } = await spread(tenant, 2);
  first?.child.kill('SIGSTOP');
  expect(on((await acquire(tenant, pool, 0)).body, second)).toBe(true);
  expect(on((await acquire(tenant, pool, 0)).body, first)).toBe(true);
});
