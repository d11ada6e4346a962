import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserSession, ErrorBody, OrganizationLimits } from '@berth/schema';
import { countSlots, createTenant, freshStores, type FreshStores, type Tenant } from '@berth/testkit';
import pg from 'pg';
import { type RedisProcess, startRedisProcess } from '../../../packages/live-sessions/test/redis-process.js';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.js';
import { type AppProcess, startApiProcess, startHostProcess, until } from './processes.js';

let fresh: FreshStores;
let redis: RedisProcess;
let proxy: DatabaseProxy;
let database: Database;
let survivor: AppProcess;
let host: AppProcess;
/** API processes of one test. */
const passing: AppProcess[] = [];
const stores = () => ({ databaseUrl: fresh.databaseUrl, redisUrl: redis.url });

beforeAll(async () => {
  [fresh, redis] = await Promise.all([freshStores(), startRedisProcess()]);
  proxy = await startDatabaseProxy(fresh.databaseUrl);
  database = new Database({ url: fresh.databaseUrl });
  survivor = await startApiProcess({ databaseUrl: proxy.url, redisUrl: redis.url }, { BERTH_LAUNCH_TIMEOUT_SECONDS: '8' });
  host = await startHostProcess({ databaseUrl: proxy.url, redisUrl: redis.url });
});
afterEach(() => Promise.all(passing.splice(0).map((api) => api.kill())));
afterAll(async () => {
  await host.kill('SIGTERM');
  await survivor.kill('SIGTERM');
  await database.close();
  await proxy.close();
  await redis.stop();
  await fresh.drop();
});

async function startPassing(env: Record<string, string> = {}): Promise<AppProcess> {
  const api = await startApiProcess(stores(), env);
  passing.push(api);
  return api;
}

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

async function call<T = ErrorBody>(api: AppProcess, tenant: Tenant, method: string, path: string, signal?: AbortSignal): Promise<Answer<T>> {
  const answer = await fetch(`${api.url}${path}`, { method, headers: { authorization: `Bearer ${tenant.key}` }, ...(signal === undefined ? {} : { signal }) });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

const create = (api: AppProcess, tenant: Tenant) => call<BrowserSession>(api, tenant, 'POST', '/browsers');
/** A browser that runs; after an outage creates may be refused for a moment more. */
async function running(tenant: Tenant): Promise<BrowserSession> {
  let answer: Answer<BrowserSession> | undefined;
  await until(async () => (answer = await create(survivor, tenant).catch(() => undefined))?.status === 200);
  return (answer as Answer<BrowserSession>).body;
}
const listed = async (tenant: Tenant) => (await call<BrowserSession[]>(survivor, tenant, 'GET', '/browsers')).body;
const rowsOf = async (tenant: Tenant, where: string) =>
  (await unscoped(database).pool.query<{ id: string }>(`SELECT id FROM browser_sessions WHERE organization_id = $1 AND ${where}`, [tenant.organizationId])).rows;

/** Used equals what rows hold, and is this. Asked until it is so: slots come back within a lease. */
async function settlesAt(tenant: Tenant, expected: number, deadlineMs = 15_000): Promise<void> {
  const count = () => countSlots(database, redis.url, tenant.organizationId);
  await until(async () => {
    const { used, held } = await count().catch(() => ({ used: { organization: -1 }, held: { organization: -1 } }));
    return used.organization === expected && held.organization === expected;
  }, deadlineMs).catch(() => undefined);
  const { used, held } = await count();
  expect(used).toEqual(held);
  expect(used.organization).toBe(expected);
}

describe('faults while browsers are created', () => {
  it('issue 4: thirty creates race through three API processes at a cap of 5: exactly 5 are admitted', async () => {
    const tenant = await createTenant(database, { maxConcurrentSessions: 5 });
    const apis = [survivor, ...(await Promise.all([startPassing(), startPassing()]))];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create(apis[index % 3] as AppProcess, tenant)));
    // The body of any other refusal is shown by a failure: which one it was tells where to look.
    const outcomes = answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${JSON.stringify(body)}`));
    expect(outcomes.filter((outcome) => !outcome.startsWith('429 {"code":"concurrency_limit_exceeded"'))).toEqual(Array(5).fill('200'));
    await settlesAt(tenant, 5);
    await Promise.all((await listed(tenant)).map(({ session_id: id }) => call(survivor, tenant, 'DELETE', `/browsers/${id}`)));
    await settlesAt(tenant, 0);
  });

  it('issue 4: an API process killed between acquire and insert leaves no slot taken', async () => {
    const tenant = await createTenant(database);
    const victim = await startPassing();
    await call(survivor, tenant, 'GET', '/org/limits');
    const locker = new pg.Client(fresh.databaseUrl);
    await locker.connect();
    let lost: Promise<unknown> | undefined;
    try {
      await locker.query('BEGIN; LOCK TABLE browser_sessions IN SHARE ROW EXCLUSIVE MODE');
      lost = create(victim, tenant).catch(() => 'lost');
      const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO browser_sessions%'`;
      // Asked from outside of the locking transaction, which would be shown the same snapshot of activity again and again.
      await until(async () => (await unscoped(database).pool.query(waiting)).rowCount === 1);
      await victim.kill('SIGKILL');
      // The backend would insert all the same once the lock is gone, without a client: that is the other test.
      await unscoped(database).pool.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
      await until(async () => (await unscoped(database).pool.query(waiting)).rowCount === 0);
    } finally {
      await locker.end();
    }
    expect(await lost).toBe('lost');
    expect(await rowsOf(tenant, 'true')).toEqual([]);
    await settlesAt(tenant, 0);
  });

  it('issue 4: an API process killed after the insert: the row is ended and its slot comes back', async () => {
    const tenant = await createTenant(database);
    await host.kill('SIGTERM');
    const victim = await startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '60' });
    const lost = create(victim, tenant).catch(() => 'lost');
    await until(async () => (await rowsOf(tenant, `status = 'starting'`)).length === 1);
    await victim.kill('SIGKILL');
    expect(await lost).toBe('lost');
    await settlesAt(tenant, 0, 25_000);
    expect(await listed(tenant)).toEqual([]);
  });

  it('D28, house: no host claims in time: 529, the row ended, the slot given back and the job gone, so that no host launches it later', async () => {
    const tenant = await createTenant(database);
    const hurried = await startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '1' });
    const refused = await call(hurried, tenant, 'POST', '/browsers');
    expect([refused.status, refused.body.code]).toEqual([529, 'capacity_exhausted']);
    await settlesAt(tenant, 0);
    expect(await redis.admin.llen('bull:berth-launches:wait')).toBe(0);
  });

  it('issue 4: a client that goes away while its browser starts leaves no browser behind', async () => {
    const tenant = await createTenant(database);
    const leaving = new AbortController();
    const lost = call(survivor, tenant, 'POST', '/browsers', leaving.signal).catch(() => 'lost');
    await until(async () => (await rowsOf(tenant, `status = 'starting'`)).length === 1);
    leaving.abort();
    expect(await lost).toBe('lost');
    await until(async () => (await rowsOf(tenant, `status = 'ended' AND end_reason = 'deleted'`)).length === 1);
    await settlesAt(tenant, 0);
    host = await startHostProcess({ databaseUrl: proxy.url, redisUrl: redis.url });
    // The host takes launches by now, and finds none of this tenant.
    expect(await rowsOf(tenant, 'started_at IS NOT NULL')).toEqual([]);
  });

  it('issue 4: a host killed with SIGKILL: its sessions are ended, unlisted and their slots free within a lease', async () => {
    const tenant = await createTenant(database);
    await running(tenant);
    await host.kill('SIGKILL');
    await until(async () => (await listed(tenant)).length === 0);
    await settlesAt(tenant, 0);
    host = await startHostProcess({ databaseUrl: proxy.url, redisUrl: redis.url });
  });

  it('D29: Redis hanging for 5 s: usage reads null, creates answer 503, and the running browser stays counted', async () => {
    const tenant = await createTenant(database);
    const kept = await running(tenant);
    redis.signal('SIGSTOP');
    try {
      const stopped = pause(5_000);
      expect((await call<OrganizationLimits>(survivor, tenant, 'GET', '/org/limits')).body.concurrent_sessions_used).toBeNull();
      const refused = await call(survivor, tenant, 'POST', '/browsers');
      expect([refused.status, refused.body.code]).toEqual([503, 'usage_unavailable']);
      await stopped;
    } finally {
      redis.signal('SIGCONT');
    }
    await settlesAt(tenant, 1);
    expect((await listed(tenant)).map(({ session_id: id }) => id)).toEqual([kept.session_id]);
    await call(survivor, tenant, 'DELETE', `/browsers/${kept.session_id}`);
    await settlesAt(tenant, 0);
  });

  it('D29: Redis emptied, then restarted empty: usage is rebuilt before the next admission, so the cap holds', async () => {
    const tenant = await createTenant(database, { maxConcurrentSessions: 1 });
    const kept = await running(tenant);
    await redis.admin.flushall();
    expect((await create(survivor, tenant)).status).toBe(429);
    await redis.restart();
    await until(async () => (await create(survivor, tenant)).status === 429);
    await settlesAt(tenant, 1);
    await call(survivor, tenant, 'DELETE', `/browsers/${kept.session_id}`);
    await settlesAt(tenant, 0);
  });

  it('issue 4: PostgreSQL hanging for 5 s, longer than a lease: the running browser is neither ended nor uncounted', async () => {
    const tenant = await createTenant(database);
    const kept = await running(tenant);
    proxy.freeze();
    await pause(5_000);
    proxy.thaw();
    await running(tenant);
    await settlesAt(tenant, 2);
    expect((await listed(tenant)).map(({ session_id: id }) => id)).toContain(kept.session_id);
    await Promise.all((await listed(tenant)).map(({ session_id: id }) => call(survivor, tenant, 'DELETE', `/browsers/${id}`)));
    await settlesAt(tenant, 0);
  });
});
