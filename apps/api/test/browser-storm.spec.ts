import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Tenant } from '@berth/testkit';
import { FaultWorld } from './fault-world.js';
import type { AppProcess } from './processes.js';

const stormMs = process.env.BERTH_TEST_LONG === '1' ? 20_000 : 5_000;
const callers = 64;
const cap = 5;

let world: FaultWorld;
beforeAll(async () => {
  world = await FaultWorld.start();
  await world.host.kill('SIGTERM');
  await world.startHost({ BERTH_HOST_CAPACITY: '2' });
});
afterAll(() => world.stop());

/** One caller: asks for a browser again and again, and ends each that it gets. Counts the answers by status. */
async function call(api: AppProcess, tenant: Tenant, until: number, counts: Map<number, number>): Promise<void> {
  while (Date.now() < until) {
    const { status, body } = await world.create(api, tenant);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status === 200) expect((await world.call(api, tenant, 'DELETE', `/browsers/${body.session_id}`)).status).toBe(204);
  }
}

it('issue 4: 64 callers over three API processes at a cap of 5, hosts with room for 2: 200, 429 or 529 and nothing else, and no slot is left', async () => {
  const tenant = await world.tenant({ maxConcurrentSessions: cap });
  const apis = await Promise.all([1, 2, 3].map(() => world.startPassing({ BERTH_LAUNCH_TIMEOUT_SECONDS: '2' })));
  const counts = new Map<number, number>();
  const until = Date.now() + stormMs;
  await Promise.all(Array.from({ length: callers }, (_, index) => call(apis[index % apis.length] as AppProcess, tenant, until, counts)));
  expect([...counts.keys()].filter((status) => ![200, 429, 529].includes(status))).toEqual([]);
  expect(counts.get(200)).toBeGreaterThan(0);
  expect(counts.get(429)).toBeGreaterThan(0);
  await world.settlesAt(tenant, 0);
}, 120_000);
