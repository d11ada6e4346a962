import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserPool, BrowserSession, OrganizationLimits } from '@berth/schema';
import { browserProcesses, type Tenant, testChromium } from '@berth/testkit';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { type Answer, FaultWorld } from './fault-world.js';
import { type AppProcess, type HostProcess, launchSettlesWithinMs, until } from './processes.js';

let world: FaultWorld;
beforeAll(async () => {
  world = await FaultWorld.start();
});
afterEach(() => world.endPassing());
afterAll(() => world.stop());

describe('API processes', () => {
  it('issue 4: thirty creates race through three API processes at a cap of 5: exactly 5 are admitted', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 5 });
    const apis = [world.survivor, ...(await Promise.all([world.startPassing(), world.startPassing()]))];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => world.create(apis[index % 3] as AppProcess, tenant)));
    // The body of any other refusal is shown by a failure: which one it was tells where to look.
    const outcomes = answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${JSON.stringify(body)}`));
    expect(outcomes.filter((outcome) => !outcome.startsWith('429 {"code":"concurrency_limit_exceeded"'))).toEqual(Array(5).fill('200'));
    await world.settlesAt(tenant, 5);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });

  it('issue 4: an API process killed between acquire and insert leaves no slot taken', async () => {
    const tenant = await world.tenant();
    const victim = await world.startPassing();
    await world.call(world.survivor, tenant, 'GET', '/org/limits');
    const locker = new pg.Client(world.fresh.databaseUrl);
    await locker.connect();
    let lost: Promise<unknown> | undefined;
    try {
      await locker.query('BEGIN; LOCK TABLE browser_sessions IN SHARE ROW EXCLUSIVE MODE');
      lost = world.create(victim, tenant).catch(() => 'lost');
      const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO browser_sessions%'`;
      // Asked from outside of the locking transaction, which would be shown the same snapshot of activity again and again.
      await until(async () => (await world.pool.query(waiting)).rowCount === 1);
      await victim.kill('SIGKILL');
      // The backend would insert all the same once the lock is gone, without a client: that is the other test.
      await world.pool.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
      await until(async () => (await world.pool.query(waiting)).rowCount === 0);
    } finally {
      await locker.end();
    }
    expect(await lost).toBe('lost');
    expect(await world.rowsOf(tenant, 'true')).toEqual([]);
    await world.settlesAt(tenant, 0, launchSettlesWithinMs);
  });

  it('issue 4: an API process killed after the insert: the row is ended and its slot comes back', async () => {
    const tenant = await world.tenant();
    world.host.child.kill('SIGSTOP');
    try {
      const victim = await world.startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '60' });
      const lost = world.create(victim, tenant).catch(() => 'lost');
      await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length === 1);
      await victim.kill('SIGKILL');
      expect(await lost).toBe('lost');
      await until(async () => (await world.rowsOf(tenant, `status = 'ended'`)).length === 1, 25_000);
    } finally {
      world.host.child.kill('SIGCONT');
    }
    await world.settlesAt(tenant, 0);
    expect(await world.listed(tenant)).toEqual([]);
  });

  it('D28, house: no host claims in time: 529, the row ended, the slot given back and the job gone, so that no host launches it later', async () => {
    const tenant = await world.tenant();
    await world.host.kill('SIGTERM');
    const hurried = await world.startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '1' });
    const refused = await world.call(hurried, tenant, 'POST', '/browsers');
    expect([refused.status, refused.body.code]).toEqual([529, 'capacity_exhausted']);
    await world.settlesAt(tenant, 0);
    expect(await world.redis.admin.llen('bull:berth-launches:wait')).toBe(0);
    await world.startHost();
  });
});

/** Chromium as it is while a host looks at it, then one that takes its time. */
function slowChromium(seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-slow-chromium-'));
  const path = join(folder, 'chromium');
  writeFileSync(path, `#!/bin/sh\n[ -e "$0.slow" ] && sleep ${seconds}\nexec ${testChromium()} "$@"\n`, { mode: 0o755 });
  return { path, slow: () => writeFileSync(`${path}.slow`, ''), remove: () => rmSync(folder, { recursive: true }) };
}

/** A create whose connection can be destroyed at any moment. */
function beginCreate({ key }: Tenant, headers: Record<string, string> = {}) {
  const call = request(`${world.survivor.url}/browsers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': '2', ...headers },
  });
  const answered = new Promise<number>((resolve) => {
    call.on('error', () => resolve(0));
    call.on('response', (response) =>
      response
        .on('error', () => resolve(0))
        .on('end', () => resolve(response.statusCode ?? 0))
        .resume(),
    );
  });
  const heard = new Promise((resolve) => call.once('continue', resolve));
  call.write('{}');
  return { answered, heard, destroy: () => call.destroy() };
}

async function withTableLocked(lock: string, work: () => Promise<void>): Promise<void> {
  const locker = new pg.Client(world.fresh.databaseUrl);
  await locker.connect();
  try {
    await locker.query(`BEGIN; LOCK TABLE ${lock}`);
    await work();
  } finally {
    await locker.end();
  }
}

const waitsForLock = (on: string) => async (): Promise<boolean> =>
  (
    await world.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [`%${on}%`],
    )
  ).rowCount !== 0;

describe('a client that goes away while its browser is created', () => {
  it('issue 4: in the middle of its request', async () => {
    const tenant = await world.tenant();
    // Most of the body never comes; the server says when it has the head.
    const create = beginCreate(tenant, { 'content-length': '100', expect: '100-continue' });
    await create.heard;
    create.destroy();
    expect(await create.answered).toBe(0);
    await world.settlesAt(tenant, 0);
    expect(await world.rowsOf(tenant, 'true')).toEqual([]);
  });

  it('issue 4: before its slot is taken', async () => {
    const tenant = await world.tenant();
    // The corridor has the key by now; what waits for the table is the caps.
    await world.listed(tenant);
    await withTableLocked('organizations IN ACCESS EXCLUSIVE MODE', async () => {
      const create = beginCreate(tenant);
      await until(waitsForLock('FROM organizations'));
      create.destroy();
      expect(await create.answered).toBe(0);
    });
    await world.settlesAt(tenant, 0);
  });

  it('issue 4: between slot and row', async () => {
    const tenant = await world.tenant();
    await withTableLocked('browser_sessions IN SHARE ROW EXCLUSIVE MODE', async () => {
      const create = beginCreate(tenant);
      await until(waitsForLock('INSERT INTO browser_sessions'));
      create.destroy();
      expect(await create.answered).toBe(0);
    });
    await world.settlesAt(tenant, 0);
    expect(await world.rowsOf(tenant, `status <> 'ended'`)).toEqual([]);
  });

  it('issue 4: while it waits for a host', async () => {
    const tenant = await world.tenant();
    world.host.child.kill('SIGSTOP');
    try {
      const create = beginCreate(tenant);
      await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length === 1);
      create.destroy();
      expect(await create.answered).toBe(0);
      await until(async () => (await world.rowsOf(tenant, `status = 'ended' AND end_reason = 'deleted'`)).length === 1);
    } finally {
      world.host.child.kill('SIGCONT');
    }
    await world.settlesAt(tenant, 0);
    expect(await world.rowsOf(tenant, 'started_at IS NOT NULL')).toEqual([]);
  });

  it('issue 4: while the host starts its browser', async () => {
    const tenant = await world.tenant();
    const program = slowChromium(2);
    await world.host.kill('SIGTERM');
    await world.startHost({ BERTH_CHROMIUM_PATH: program.path, BERTH_HOST_WARM_BROWSERS: '0' });
    program.slow();
    try {
      const create = beginCreate(tenant);
      await until(async () => (await world.rowsOf(tenant, `status = 'starting' AND host_id IS NOT NULL`)).length === 1);
      create.destroy();
      expect(await create.answered).toBe(0);
      await world.settlesAt(tenant, 0);
      expect(await world.rowsOf(tenant, 'started_at IS NOT NULL')).toEqual([]);
    } finally {
      await world.host.kill('SIGTERM');
      program.remove();
      await world.startHost();
    }
  });

  it('issue 4: at any other moment: whoever has no answer has no browser', async () => {
    const tenant = await world.tenant();
    const answered: number[] = [];
    for (let afterMs = 0; afterMs <= 240; afterMs += 12) {
      const create = beginCreate(tenant);
      await Promise.race([pause(afterMs), create.answered]);
      create.destroy();
      answered.push(await create.answered);
    }
    const kept = answered.filter((status) => status === 200).length;
    await until(async () => (await world.rowsOf(tenant, `status IN ('starting', 'ending')`)).length === 0);
    const left = (await world.listed(tenant)).length;
    expect(left).toBeGreaterThanOrEqual(kept);
    // An answer on the wire when its reader left was sent for all the server knows; that browser ends by its idle time-out. Such are few.
    expect(left - kept).toBeLessThanOrEqual((answered.length - kept) / 2);
    await world.settlesAt(tenant, left);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });
});

describe('a host that is gone before its browser is there, and another that has room', () => {
  let program: ReturnType<typeof slowChromium>;
  let tenant: Tenant;
  let doomed: HostProcess;
  /** Holds the one place of the other host until the doomed one has the launch. */
  let occupant: BrowserSession;
  beforeAll(async () => {
    await world.host.kill('SIGTERM');
    await world.startHost({ BERTH_HOST_CAPACITY: '1' });
  });
  beforeEach(async () => {
    tenant = await world.tenant();
    occupant = await world.running(tenant);
    program = slowChromium(60);
    doomed = await world.startPassingHost({ BERTH_HOST_ID: 'doomed', BERTH_CHROMIUM_PATH: program.path, BERTH_HOST_WARM_BROWSERS: '0' });
    program.slow();
  });
  afterEach(() => program.remove());
  afterAll(async () => {
    await world.host.kill('SIGTERM');
    await world.startHost();
  });

  const makeRoom = () => world.call(world.survivor, tenant, 'DELETE', `/browsers/${occupant.session_id}`);

  /** Its one browser is listed, counted and there, and is the only one. */
  async function gotItsBrowser(create: Promise<Answer<BrowserSession>>): Promise<void> {
    const { status, body } = await create;
    expect([status, body]).toEqual([200, expect.objectContaining({ session_id: expect.any(String) })]);
    await world.settlesAt(tenant, 1);
    expect(browserProcesses(doomed.dataDir)).toEqual([]);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toEqual([body.session_id]);
    const browser = await chromium.connectOverCDP(body.cdp_ws_url);
    expect(await browser.contexts()[0]?.pages()[0]?.evaluate('1 + 1')).toBe(2);
    await browser.close();
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'issue 4: %s while Chromium starts: the create gets its one browser from the other',
    async (signal) => {
      const create = world.create(world.survivor, tenant);
      await until(async () => (await world.rowsOf(tenant, `status = 'starting' AND host_id = 'doomed'`)).length === 1);
      await makeRoom();
      await doomed.kill(signal);
      await gotItsBrowser(create);
    },
  );

  it('issue 4: SIGKILL between pulling the launch and claiming its row: the same', async () => {
    const patient = await world.startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '20' });
    const locker = new pg.Client(world.fresh.databaseUrl);
    await locker.connect();
    await locker.query(`
      CREATE FUNCTION hold_claim() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(4); RETURN NEW; END';
      CREATE TRIGGER hold_claim BEFORE UPDATE OF host_id ON browser_sessions FOR EACH ROW EXECUTE FUNCTION hold_claim();
      SELECT pg_advisory_lock(4)`);
    let create: Promise<Answer<BrowserSession>>;
    try {
      create = world.create(patient, tenant);
      await until(waitsForLock('SET host_id'));
      await doomed.kill('SIGKILL');
      await world.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%SET host_id%'`,
      );
      await until(async () => !(await waitsForLock('SET host_id')()));
    } finally {
      await locker.query('DROP TRIGGER hold_claim ON browser_sessions; DROP FUNCTION hold_claim');
      await locker.end();
    }
    await makeRoom();
    await gotItsBrowser(create);
  });

  it('issue 4: SIGKILL, and a new host of the same name: the launch is handed on as well', async () => {
    const create = world.create(world.survivor, tenant);
    await until(async () => (await world.rowsOf(tenant, `status = 'starting' AND host_id = 'doomed'`)).length === 1);
    await doomed.kill('SIGKILL');
    const [again] = await Promise.all([world.startPassingHost({ BERTH_HOST_ID: 'doomed' }), makeRoom()]);
    const { status } = await create;
    expect(status).toBe(200);
    await again.kill('SIGTERM');
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });

  it('D28: nobody else has room: 529, and the slot is given back', async () => {
    const create = world.call(world.survivor, tenant, 'POST', '/browsers');
    await until(async () => (await world.rowsOf(tenant, `status = 'starting' AND host_id = 'doomed'`)).length === 1);
    await doomed.kill('SIGKILL');
    const { status, body } = await create;
    expect([status, body.code]).toEqual([529, 'capacity_exhausted']);
    await world.settlesAt(tenant, 1);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });
});

describe('hosts and browsers', () => {
  it('issue 4: a host killed with SIGKILL: its sessions are ended, unlisted and their slots free within a lease', async () => {
    const tenant = await world.tenant();
    await Promise.all([world.running(tenant), world.running(tenant)]);
    await world.settlesAt(tenant, 2);
    await world.host.kill('SIGKILL');
    await until(async () => (await world.listed(tenant)).length === 0);
    await world.settlesAt(tenant, 0);
    await world.startHost();
  });

  it('D34: a host killed with the browsers of a pool, one of them leased: the lease ends, the reservation stays, and the pool refills at the next host', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 2 });
    const pool = (await world.call<BrowserPool>(world.survivor, tenant, 'POST', '/browser_pools', { size: 2 })).body;
    const filled = async () =>
      (await world.call<BrowserPool>(world.survivor, tenant, 'GET', `/browser_pools/${pool.id}`)).body.available_count === 2;
    const acquire = () => world.call<BrowserSession>(world.survivor, tenant, 'POST', `/browser_pools/${pool.id}/acquire`, {});
    await until(filled);
    const lost = (await acquire()).body;
    await world.settlesAt(tenant, 2);
    await world.host.kill('SIGKILL');
    await world.startHost();
    await until(filled, 30_000);
    expect(await world.listed(tenant)).toEqual([]);
    await world.settlesAt(tenant, 2);
    const next = (await acquire()).body;
    expect(next.session_id).not.toBe(lost.session_id);
    await (await chromium.connectOverCDP(next.cdp_ws_url)).close();
    expect((await world.call(world.survivor, tenant, 'DELETE', `/browser_pools/${pool.id}`, { force: true })).status).toBe(204);
    await world.settlesAt(tenant, 0);
  });

  it('issue 4: a Chromium killed with SIGKILL: its session is unlisted and its slot free, the others go on', async () => {
    const tenant = await world.tenant();
    const [doomed, kept] = [await world.running(tenant), await world.running(tenant)];
    const cdp = await chromium.connectOverCDP(doomed.cdp_ws_url);
    const { processInfo } = await (await cdp.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
    process.kill(processInfo.find(({ type }) => type === 'browser')?.id ?? 0, 'SIGKILL');
    await until(() => !cdp.isConnected());
    await world.settlesAt(tenant, 1);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toEqual([kept.session_id]);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });

  it('D33: DELETE answers with the slot free, also when whoever ended the row has not come to it yet', async () => {
    const tenant = await world.tenant();
    const { session_id: id } = await world.running(tenant);
    // The half of an end that another process has done so far.
    await world.pool.query(
      `UPDATE browser_sessions SET status = 'ended', ending_at = now(), deleted_at = now(), end_reason = 'deleted' WHERE id = $1`,
      [id],
    );
    expect((await world.call(world.survivor, tenant, 'DELETE', `/browsers/${id}`)).status).toBe(204);
    expect((await world.call<OrganizationLimits>(world.survivor, tenant, 'GET', '/org/limits')).body.concurrent_sessions_used).toBe(0);
    await world.settlesAt(tenant, 0);
  });

  it('issue 4: twenty parallel DELETEs of one session release once: the slots of the others stay taken', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 2 });
    const [doomed] = [await world.running(tenant), await world.running(tenant)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.call(world.survivor, tenant, 'DELETE', `/browsers/${doomed.session_id}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
    await world.settlesAt(tenant, 1);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });
});
