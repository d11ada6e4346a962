import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PrismaClient, unscoped } from '@berth/database/unscoped';
import { LiveSessions } from '@berth/live-sessions';
import type { BrowserPool, BrowserSession, ErrorBody, OrganizationLimits } from '@berth/schema';
import { countSlots, type Tenant, testChromium, usageOf } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type AppProcess, startHostProcess, until } from './processes.js';

let api: ApiFixture;
let prisma: PrismaClient;
beforeAll(async () => {
  api = await startApi({ BERTH_LEASE_SECONDS: '2', BERTH_LAUNCH_TIMEOUT_SECONDS: '20', BERTH_RECONCILE_SECONDS: '1' });
  prisma = unscoped(api.database).prisma;
}, 60_000);
afterAll(() => api.stop(), 60_000);

const used = async ({ organizationId }: Tenant): Promise<number> => (await usageOf(api.app.get(LiveSessions), organizationId)).organization;

async function expectCounted({ organizationId }: Tenant): Promise<void> {
  const { used: counted, held } = await countSlots(api.database, api.stores.redisUrl, organizationId);
  expect(counted).toEqual(held);
}

/** A create whose connection can be destroyed. */
function beginCreate({ key }: Tenant): { readonly destroy: () => void } {
  const { hostname, port } = new URL(api.url);
  const call = request({
    hostname,
    port,
    path: '/browsers',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  call.on('error', () => undefined);
  call.end('{}');
  return { destroy: () => call.destroy() };
}

// No host runs here until a test starts one, so every create waits in the launch queue.
describe('creates that come to nothing', () => {
  it('issue 4: a client that goes away while its create waits for a host gives the slot back at once, and no host launches it later', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    const create = beginCreate(tenant);
    await until(
      async () => (await prisma.browserSession.count({ where: { organizationId: tenant.organizationId, status: 'starting' } })) === 1,
    );
    expect(await used(tenant)).toBe(1);
    create.destroy();
    await until(async () => (await used(tenant)) === 0, 15_000);
    const row = await prisma.browserSession.findFirstOrThrow({ where: { organizationId: tenant.organizationId } });
    expect([row.status, row.endReason, row.hostId]).toEqual(['ended', 'deleted', null]);
    await expectCounted(tenant);
  }, 90_000);

  it('issue 4: a client that goes away before its row is written leaves neither row nor slot', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    await used(tenant);
    await unscoped(api.database).prisma.$transaction(
      async (lock) => {
        // Reads go on; whoever inserts waits here.
        await lock.$executeRaw`LOCK TABLE browser_sessions IN SHARE MODE`;
        const create = beginCreate(tenant);
        await until(async () => (await used(tenant)) === 1);
        create.destroy();
      },
      { timeout: 20_000 },
    );
    await until(async () => (await used(tenant)) === 0, 15_000);
    expect(await prisma.browserSession.count({ where: { organizationId: tenant.organizationId, NOT: { status: 'ended' } } })).toBe(0);
    await expectCounted(tenant);
  }, 90_000);

  it('D7: a name that is taken is 409 before the cap is 429, for browsers and pools alike', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    expect((await api.call('POST', '/browser_pools', { key: tenant.key, body: { name: 'full', size: 1 } })).status).toBe(201);
    const pool = await api.call<ErrorBody>('POST', '/browser_pools', { key: tenant.key, body: { name: 'full', size: 1 } });
    expect([pool.status, pool.body.code]).toEqual([409, 'conflict']);
    await prisma.browserSession.updateMany({ where: { organizationId: tenant.organizationId }, data: { name: 'taken' } });
    await until(
      async () =>
        (
          await prisma.browserSession.updateMany({
            where: { organizationId: tenant.organizationId, deletedAt: null },
            data: { name: 'taken' },
          })
        ).count > 0,
    );
    const browser = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key, body: { name: 'taken' } });
    expect([browser.status, browser.body.code, browser.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
    expect((await api.call('POST', '/browsers', { key: tenant.key, body: { name: 'other' } })).status).toBe(429);
    await api.call('DELETE', '/browser_pools/full', { key: tenant.key });
  }, 90_000);

  it('D34: slots of a pool whose deletion died before it freed them come back, though no row of the organization holds a slot', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 2 });
    const { body } = await api.call<BrowserPool>('POST', '/browser_pools', { key: tenant.key, body: { size: 2 } });
    expect(await used(tenant)).toBe(2);
    // What the deleting process leaves when it is killed after its commit.
    await prisma.browserPool.update({ where: { id: body.id }, data: { deletedAt: new Date() } });
    await until(async () => (await used(tenant)) === 0, 15_000);
    expect(await prisma.browserSession.count({ where: { poolId: body.id, NOT: { status: 'ended' } } })).toBe(0);
  }, 90_000);

  it('issue 4: a browser that cannot be started is 503 with Retry-After and costs no slot', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    const folder = mkdtempSync(join(tmpdir(), 'berth-broken-chromium-'));
    const program = join(folder, 'chromium');
    // Chromium as it is while the host starts, then one that ends at once.
    writeFileSync(program, `#!/bin/sh\n[ -e "$0.broken" ] && exit 1\nexec ${testChromium()} "$@"\n`, { mode: 0o755 });
    const broken = await startHostProcess(api.stores, { BERTH_CHROMIUM_PATH: program, BERTH_HOST_WARM_BROWSERS: '0' });
    writeFileSync(`${program}.broken`, '');
    try {
      for (const _ of [1, 2]) {
        const reply = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key });
        expect([reply.status, reply.body.code]).toEqual([503, 'internal_error']);
        expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
        await until(async () => (await used(tenant)) === 0, 15_000);
      }
      await expectCounted(tenant);
    } finally {
      await broken.kill('SIGTERM');
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});

describe('caps that change while browsers run', () => {
  let host: AppProcess;
  beforeAll(async () => {
    host = await startHostProcess(api.stores, { BERTH_LAUNCH_TIMEOUT_SECONDS: '20' });
  }, 60_000);
  afterAll(() => host.kill('SIGTERM'), 60_000);

  it('D26: a cap lowered below usage kills nothing, reads 0 available, and usage is never negative on the way down', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 5 });
    const start = async (): Promise<string> => (await api.call<BrowserSession>('POST', '/browsers', { key: tenant.key })).body.session_id;
    const ids = [await start(), await start()];
    const figures = async () => {
      const { body } = await api.call<OrganizationLimits>('GET', '/org/limits', { key: tenant.key });
      return [body.concurrent_sessions_used, body.concurrent_sessions_available];
    };
    expect(await figures()).toEqual([2, 3]);
    await prisma.organization.update({ where: { id: tenant.organizationId }, data: { maxConcurrentSessions: 1 } });
    await until(async () => (await figures())[1] === 0);
    expect(await figures()).toEqual([2, 0]);
    const refused = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key });
    expect([refused.status, refused.body.details]).toEqual([429, [{ code: 'organization', message: 'limit 1, used 2' }]]);
    const seen: (number | null | undefined)[] = [];
    for (const id of ids) {
      await Promise.all(Array.from({ length: 5 }, () => api.call('DELETE', `/browsers/${id}`, { key: tenant.key })));
      seen.push((await figures())[0]);
    }
    expect(seen).toEqual([1, 0]);
    await expectCounted(tenant);
  }, 60_000);
});
