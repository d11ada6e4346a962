import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { OrganizationLimits } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { FaultWorld } from './fault-world.js';
import { launchSettlesWithinMs, until } from './processes.js';

const outageMs = 5_000;

let world: FaultWorld;
beforeAll(async () => {
  world = await FaultWorld.start();
});
afterEach(() => world.endPassing());
afterAll(() => world.stop());

/**
 * Creates, one after the other, that are under way when the fault comes: it meets every stage of them. Resolves when the first has a row;
 * the answers come later.
 */
async function underWay(tenant: Tenant, creates = 12): Promise<{ readonly answers: Promise<readonly number[]> }> {
  const answers = Promise.all(
    Array.from({ length: creates }, async (_, index) => {
      await pause(index * 15);
      return world.create(world.survivor, tenant).then(
        ({ status }) => status,
        () => 0,
      );
    }),
  );
  await until(async () => (await world.rowsOf(tenant, `status = 'starting'`)).length > 0);
  return { answers };
}

/** Nothing but success, 429, 503 and 529 was answered, and what the fault left settles at what is listed; then all of it ends. */
async function settles(tenant: Tenant, statuses: readonly number[]): Promise<void> {
  expect(statuses.filter((status) => ![200, 429, 503, 529].includes(status))).toEqual([]);
  await until(async () => (await world.rowsOf(tenant, `status IN ('starting', 'ending')`)).length === 0, 30_000);
  await world.settlesAt(tenant, (await world.rowsOf(tenant, `status = 'running'`)).length, launchSettlesWithinMs);
  await world.endAll(tenant);
  await world.settlesAt(tenant, 0);
}

describe('Redis', () => {
  it('D29: hanging for 5 s: usage reads null, creates answer 503, and the running browser stays counted', async () => {
    const tenant = await world.tenant();
    const kept = await world.running(tenant);
    world.redis.signal('SIGSTOP');
    try {
      const stopped = pause(outageMs);
      expect((await world.call<OrganizationLimits>(world.survivor, tenant, 'GET', '/org/limits')).body.concurrent_sessions_used).toBeNull();
      const refused = await world.call(world.survivor, tenant, 'POST', '/browsers');
      expect([refused.status, refused.body.code]).toEqual([503, 'usage_unavailable']);
      await stopped;
    } finally {
      world.redis.signal('SIGCONT');
    }
    await world.settlesAt(tenant, 1);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toEqual([kept.session_id]);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });

  it('D29: killed in the middle of creates and back, empty, after 5 s: no slot is lost, and the browser that ran runs on', async () => {
    const tenant = await world.tenant();
    const kept = await world.running(tenant);
    const creates = await underWay(tenant);
    await world.redis.kill();
    await pause(outageMs);
    await world.redis.restart();
    const statuses = await creates.answers;
    expect(statuses).toContain(503);
    await until(async () => (await world.create(world.survivor, tenant)).status === 200);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toContain(kept.session_id);
    await settles(tenant, statuses);
  });

  it('D29: emptied in the middle of creates: the cap holds over the rebuild, and no slot is lost', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 4 });
    const creates = await underWay(tenant);
    await world.redis.admin.flushall();
    const statuses = await creates.answers;
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(4);
    await settles(tenant, statuses);
  });

  it('D29: emptied, then restarted empty: usage is rebuilt before the next admission, so the cap holds', async () => {
    const tenant = await world.tenant({ maxConcurrentSessions: 1 });
    await world.running(tenant);
    await world.redis.admin.flushall();
    expect((await world.create(world.survivor, tenant)).status).toBe(429);
    await world.redis.restart();
    await until(async () => (await world.create(world.survivor, tenant)).status === 429);
    await world.settlesAt(tenant, 1);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });
});

describe('PostgreSQL', () => {
  it('issue 4: hanging for 5 s, longer than a lease: the running browser is neither ended nor uncounted', async () => {
    const tenant = await world.tenant();
    const kept = await world.running(tenant);
    world.proxy.freeze();
    await pause(outageMs);
    world.proxy.thaw();
    await world.running(tenant);
    await world.settlesAt(tenant, 2);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toContain(kept.session_id);
    await world.endAll(tenant);
    await world.settlesAt(tenant, 0);
  });

  it('issue 4: hanging in the middle of creates for longer than it is waited for: creates are answered meanwhile, no slot is lost, and the browser that ran runs on', async () => {
    const tenant = await world.tenant();
    const kept = await world.running(tenant);
    const creates = await underWay(tenant);
    world.proxy.freeze();
    let statuses: readonly number[];
    try {
      statuses = await creates.answers;
    } finally {
      world.proxy.thaw();
    }
    expect(statuses).toContain(503);
    await world.running(tenant);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toContain(kept.session_id);
    await settles(tenant, statuses);
  });

  it('issue 4: gone with all its connections in the middle of creates, and back after 5 s: no slot is lost, and the browser that ran runs on', async () => {
    const tenant = await world.tenant();
    const kept = await world.running(tenant);
    const creates = await underWay(tenant);
    world.proxy.cut();
    await pause(outageMs);
    world.proxy.mend();
    const statuses = await creates.answers;
    expect(statuses).toContain(503);
    await world.running(tenant);
    expect((await world.listed(tenant)).map(({ session_id: id }) => id)).toContain(kept.session_id);
    await settles(tenant, statuses);
  });
});
