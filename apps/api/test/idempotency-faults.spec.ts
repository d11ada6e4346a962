import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserPool, BrowserSession } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { type Answer, FaultWorld } from './fault-world.js';
import { type AppProcess, until } from './processes.js';

let world: FaultWorld;
beforeAll(async () => {
  world = await FaultWorld.start();
});
afterEach(() => world.endPassing());
afterAll(() => world.stop());

const create = (api: AppProcess, tenant: Tenant): Promise<Answer<BrowserSession>> =>
  world.call<BrowserSession>(api, tenant, 'POST', '/browsers', { timeout_seconds: 600 }, { 'idempotency-key': 'once' });

/** A create through a process that will be killed, so its answer may never come. */
const lostCreate = (victim: AppProcess, tenant: Tenant): Promise<unknown> => create(victim, tenant).catch(() => 'lost');

const claimedId = async ({ keyId }: Tenant): Promise<string> =>
  (await world.pool.query<{ resource_id: string }>('SELECT resource_id FROM idempotency_records WHERE credential_id = $1', [keyId])).rows[0]
    ?.resource_id ?? 'no claim';

/** Time passes: what a process claimed and does not renew any more is void. */
const lapse = ({ keyId }: Tenant) =>
  world.pool.query(`UPDATE idempotency_records SET claimed_until = now() - interval '1 s' WHERE credential_id = $1`, [keyId]);

/** Until it is called back, nobody writes to the table. */
async function lock(table: string): Promise<() => Promise<void>> {
  const locker = new pg.Client(world.fresh.databaseUrl);
  await locker.connect();
  await locker.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  return () => locker.end();
}

async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lock(table);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

const waiting = (statement: string) => ({
  text: `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
  values: [`%${statement}%`],
});
const waits = (statement: string, count = 1) => until(async () => (await world.pool.query(waiting(statement))).rowCount === count);

/**
 * Kills the process while its statement waits for a lock, and takes the statement back: its backend would carry it out without a client.
 */
async function killWaiting(victim: AppProcess, statement: string): Promise<void> {
  await waits(statement);
  await victim.kill('SIGKILL');
  await world.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [
    (await world.pool.query<{ pid: number }>(waiting(statement))).rows.map(({ pid }) => pid),
  ]);
  await waits(statement, 0);
}

/** One browser, the claim's, that runs, is listed and counted. */
async function expectOneBrowser(tenant: Tenant, { status, body }: Answer<BrowserSession>): Promise<void> {
  expect([status, body.session_id]).toEqual([200, await claimedId(tenant)]);
  expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toEqual([body.session_id]);
  expect(await world.rowsOf(tenant, 'true')).toEqual([{ id: body.session_id }]);
  await world.settlesAt(tenant, 1);
  await (await chromium.connectOverCDP(body.cdp_ws_url)).close();
  expect((await create(world.survivor, tenant)).body).toEqual(body);
  await world.endAll(tenant);
  await world.settlesAt(tenant, 0);
}

describe('a create with an Idempotency-Key whose API process is killed: the retry through another process answers with the one browser', () => {
  it('D36, issue 4: between slot and row', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    const victim = await world.startPassing();
    await whileLocked('browser_sessions', async () => {
      void lostCreate(victim, tenant);
      await killWaiting(victim, 'INSERT INTO browser_sessions');
    });
    expect(await world.rowsOf(tenant, 'true')).toEqual([]);
    await lapse(tenant);
    // The slot is the dead process's still, and at a cap of one there is no other.
    await expectOneBrowser(tenant, await create(world.survivor, tenant));
  });

  it('D36, issue 4: between row and launch', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    const victim = await world.startPassing();
    try {
      await whileLocked('browser_sessions', async () => {
        void lostCreate(victim, tenant);
        await waits('INSERT INTO browser_sessions');
        world.redis.signal('SIGSTOP');
      });
      await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length === 1);
      await victim.kill('SIGKILL');
    } finally {
      world.redis.signal('SIGCONT');
    }
    expect(await world.redis.admin.llen('bull:berth-launches:wait')).toBe(0);
    await lapse(tenant);
    await expectOneBrowser(tenant, await create(world.survivor, tenant));
  });

  it('D36, issue 4: while it waits for a host; the claim lapses by itself', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    const victim = await world.startPassing();
    world.host.child.kill('SIGSTOP');
    try {
      void lostCreate(victim, tenant);
      await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length === 1);
      await victim.kill('SIGKILL');
    } finally {
      world.host.child.kill('SIGCONT');
    }
    await expectOneBrowser(tenant, await create(world.survivor, tenant));
  });

  it('D36, issue 4: after the launch, before its answer is recorded', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    const victim = await world.startPassing();
    world.host.child.kill('SIGSTOP');
    try {
      void lostCreate(victim, tenant);
      await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length === 1);
      await whileLocked('idempotency_records', async () => {
        world.host.child.kill('SIGCONT');
        await killWaiting(victim, 'SET sealed_answer');
      });
    } finally {
      world.host.child.kill('SIGCONT');
    }
    expect(await world.rowsOf(tenant, `status = 'running'`)).toHaveLength(1);
    await lapse(tenant);
    await expectOneBrowser(tenant, await create(world.survivor, tenant));
  });

  it('D36, D34: after a lease from a pool, before its answer is recorded: the same browser, leased once', async () => {
    const tenant = await world.tenant();
    const pool = (await world.call<BrowserPool>(world.survivor, tenant, 'POST', '/browser_pools', { size: 2 })).body;
    const look = async () => (await world.call<BrowserPool>(world.survivor, tenant, 'GET', `/browser_pools/${pool.id}`)).body;
    await until(async () => (await look()).available_count === 2);
    const acquire = (api: AppProcess) =>
      world.call<BrowserSession>(api, tenant, 'POST', `/browser_pools/${pool.id}/acquire`, {}, { 'idempotency-key': 'once' });
    const victim = await world.startPassing();
    const unlockSessions = await lock('browser_sessions');
    void acquire(victim).catch(() => 'lost');
    await waits('SET leased_at');
    await whileLocked('idempotency_records', async () => {
      await unlockSessions();
      await killWaiting(victim, 'SET sealed_answer');
    });
    const leased = await world.rowsOf(tenant, 'leased_at IS NOT NULL');
    expect(leased).toHaveLength(1);
    await lapse(tenant);
    const { status, body } = await acquire(world.survivor);
    expect([status, body.session_id, (await look()).acquired_count]).toEqual([200, leased[0]?.id, 1]);
    await world.call(world.survivor, tenant, 'DELETE', `/browser_pools/${pool.id}`, { force: true });
    await world.settlesAt(tenant, 0);
  });

  it('D36: a browser that is over by then is no answer: the retry is refused, and the next one makes another', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    const victim = await world.startPassing();
    await whileLocked('browser_sessions', async () => {
      void lostCreate(victim, tenant);
      await killWaiting(victim, 'INSERT INTO browser_sessions');
    });
    await world.pool.query(
      `INSERT INTO browser_sessions (id, organization_id, project_id, kind, status, headless, timeout_seconds, started_at, ending_at, deleted_at, end_reason)
       VALUES ($1, $2, $3, 'on_demand', 'ended', true, 600, now(), now(), now(), 'idle_timeout')`,
      [await claimedId(tenant), tenant.organizationId, tenant.defaultProjectId],
    );
    await lapse(tenant);
    expect((await create(world.survivor, tenant)).status).toBe(503);
    const next = await create(world.survivor, tenant);
    expect([next.status, (await world.listed(tenant)).map(({ session_id: id }) => id)]).toEqual([200, [next.body.session_id]]);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });
});

it('D36: a process that only stood still and the one that took its claim over answer with the same browser', async () => {
  const tenant = await world.tenant({ maxConcurrentSessions: 1 });
  const slow = await world.startPassing();
  const answers = await whileLocked('browser_sessions', async () => {
    const first = create(slow, tenant);
    await waits('INSERT INTO browser_sessions');
    await lapse(tenant);
    const second = create(world.survivor, tenant);
    await waits('INSERT INTO browser_sessions', 2);
    return [first, second];
  });
  const [first, second] = (await Promise.all(answers)) as [Answer<BrowserSession>, Answer<BrowserSession>];
  expect([first.status, first.body.session_id]).toEqual([200, second.body.session_id]);
  await expectOneBrowser(tenant, second);
});
