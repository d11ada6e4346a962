import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserPool, BrowserSession } from '@berth/schema';
import { browserProcesses, createTenant, freshStores, type FreshStores, slotsSettleAt, type Tenant } from '@berth/testkit';
import { type AppProcess, launchSettlesWithinMs, startApiProcess, startHostProcess, until } from './processes.js';

let stores: FreshStores;
let database: Database;
beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl });
});
afterAll(async () => {
  await database.close();
  await stores.drop();
});

async function call<T>(api: AppProcess, { key }: Tenant, method: string, path: string, body: object = {}): Promise<T> {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

async function filled(api: AppProcess, tenant: Tenant, { id }: BrowserPool, size: number): Promise<void> {
  await until(async () => (await call<BrowserPool>(api, tenant, 'GET', `/browser_pools/${id}`)).available_count === size);
}

it('issue 4: three API processes and the host killed at once, one API started again: nothing is listed that is not there, nothing runs that is not listed, every slot is back', async () => {
  const tenant = await createTenant(database);
  const apis = (await Promise.all([1, 2, 3].map(() => startApiProcess(stores)))) as [AppProcess, AppProcess, AppProcess];
  const host = await startHostProcess(stores);
  const pool = await call<BrowserPool>(apis[0], tenant, 'POST', '/browser_pools', { size: 2 });
  await filled(apis[0], tenant, pool, 2);
  await Promise.all([
    call(apis[1], tenant, 'POST', '/browsers'),
    call(apis[2], tenant, 'POST', '/browsers'),
    call(apis[1], tenant, 'POST', `/browser_pools/${pool.id}/acquire`),
  ]);
  expect(await call<unknown[]>(apis[0], tenant, 'GET', '/browsers')).toHaveLength(3);
  const underWay: Promise<unknown>[] = [];
  const starting = () => unscoped(database).pool.query(`SELECT 1 FROM browser_sessions WHERE status = 'starting' AND kind = 'on_demand'`);
  let answered = 0;
  // Some of them must be caught while they start, however fast the others were.
  await until(async () => {
    if (answered === underWay.length)
      for (let one = 0; one < 9; one += 1)
        underWay.push(
          call(apis[one % 3] as AppProcess, tenant, 'POST', '/browsers')
            .catch(() => 'lost')
            .finally(() => (answered += 1)),
        );
    return (await starting()).rowCount !== 0;
  });
  await Promise.all([...apis, host].map((app) => app.kill('SIGKILL')));
  await Promise.all(underWay);

  const survivor = await startApiProcess(stores);
  await until(async () => (await call<unknown[]>(survivor, tenant, 'GET', '/browsers')).length === 0, launchSettlesWithinMs);
  await until(() => browserProcesses(host.dataDir).length === 0);
  // What is left is the pool's reservation.
  await slotsSettleAt(database, stores.redisUrl, tenant.organizationId, 2, launchSettlesWithinMs);
  await until(
    async () =>
      (await unscoped(database).pool.query(`SELECT 1 FROM browser_sessions WHERE status <> 'ended' AND kind <> 'pool'`)).rowCount === 0,
    launchSettlesWithinMs,
  );

  const next = await startHostProcess(stores);
  await filled(survivor, tenant, pool, 2);
  const session = await call<BrowserSession>(survivor, tenant, 'POST', '/browsers');
  expect((await call<BrowserSession[]>(survivor, tenant, 'GET', '/browsers')).map(({ session_id: id }) => id)).toEqual([
    session.session_id,
  ]);
  await slotsSettleAt(database, stores.redisUrl, tenant.organizationId, 3, launchSettlesWithinMs);
  await next.kill('SIGTERM');
  await survivor.kill('SIGTERM');
}, 180_000);
