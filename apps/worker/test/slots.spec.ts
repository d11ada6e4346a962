import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '@berth/schema';
import { slotsSettleAt, startWebsite, type Website } from '@berth/testkit';
import { killed, LoginWorld } from './login-world.js';

const scenario = 'identifier-first';

let world: LoginWorld;
let site: Website;
beforeAll(async () => {
  // A person has this long for an answer; nobody gives one here.
  [world, site] = await Promise.all([LoginWorld.create({ env: { BERTH_FLOW_PAUSE_SECONDS: '15' } }), startWebsite()]);
}, 60_000);
afterAll(async () => {
  await world.close();
  await site.stop();
}, 60_000);

const settlesAt = (slots: number) => slotsSettleAt(world.database, world.stores.redisUrl, world.tenant.organizationId, slots, 40_000);

describe('the slot of a login', () => {
  it('issue 4: of a worker that is killed: counted as long as its browser runs, and back when the flow is overdue, though no worker lives', async () => {
    const worker = await world.startWorker();
    const follower = await world.login(await world.connect({ domain: `${scenario}.localhost`, loginUrl: site.startUrl(scenario) }));
    await follower.paused();
    await killed(worker);
    await settlesAt(1);
    expect(await world.call<BrowserSession[]>('GET', '/browsers')).toHaveLength(1);
    expect(await follower.ended()).toMatchObject({ flow_status: 'EXPIRED' });
    await settlesAt(0);
    expect(await world.call<BrowserSession[]>('GET', '/browsers')).toEqual([]);
  });
});
