import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserPool, BrowserSession } from '@berth/schema';
import { browserProcesses, slotsSettleAt, type Tenant } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { HostDoors } from '../src/browser-pools/host-doors.js';
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

it('D34: nobody waits longer than they wanted to for a pool whose browsers all hang', async () => {
  const tenant = await api.tenant();
  const {
    pool,
    hosts: [host],
  } = await spread(tenant, 1);
  const hanging = browserProcesses(host?.dataDir ?? '');
  expect(hanging.length).toBeGreaterThan(0);
  for (const pid of hanging) process.kill(pid, 'SIGSTOP');
  try {
    expect((await acquire(tenant, pool, 1)).status).toBe(204);
  } finally {
    for (const pid of hanging) process.kill(pid, 'SIGCONT');
  }
});

it('D34: a host that is still putting a browser right is not taken for silent, and the browser is as new when it is handed out', async () => {
  const tenant = await api.tenant();
  const { pool } = await spread(tenant, 1);
  const { body: used } = await acquire(tenant, pool, 0);
  const browser = await chromium.connectOverCDP(used.cdp_ws_url);
  const page = browser.contexts()[0]?.pages()[0];
  // A page that hangs closes half a second late.
  page?.evaluate('for (;;) {}').catch(() => undefined);
  const released = await api.call('POST', `/browser_pools/${pool.id}/release`, { key: tenant.key, body: { session_id: used.session_id } });
  expect(released.status).toBe(204);
  const next = await acquire(tenant, pool, 0);
  expect(next.status).toBe(200);
  expect(api.app.get(HostDoors).shut).toEqual({ refused: [], silent: [] });
  const fresh = await chromium.connectOverCDP(next.body.cdp_ws_url);
  expect(fresh.contexts().flatMap((context) => context.pages().map((tab) => tab.url()))).toEqual(['about:blank']);
  await Promise.all([browser.close(), fresh.close()]);
});

it('issue 4: slots of a pool whose deletion was committed by a process that died right after are free again, long before a lease is over', async () => {
  const tenant = await api.tenant();
  const { pool } = await spread(tenant, 1);
  await Promise.all(hosts.splice(0).map((host) => host.kill('SIGTERM')));
  await unscoped(api.database).pool.query(
    `WITH deleted AS (UPDATE browser_pools SET deleted_at = now() WHERE id = $1)
     UPDATE browser_sessions SET status = 'ended', deleted_at = now() WHERE pool_id = $1`,
    [pool.id],
  );
  await slotsSettleAt(api.database, api.stores.redisUrl, tenant.organizationId, 0);
});
