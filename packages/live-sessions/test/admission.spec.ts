import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Admission, type Caps, connectRedis, LiveSessions } from '../src/index.js';
import { keys } from '../src/keys.js';
import { expectInvariant, type Fixture, lapse, newId, startFixture } from './fixture.js';

describe('admission', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture.stop());

  const acquire = (organizationId: string, projectId: string, member: string, caps: Caps): Promise<Admission> =>
    fixture.live.acquire({ organizationId, projectId, member, leaseMs: 30_000, ...caps });

  it('D27: admits up to the cap, counting the new session, and refuses the next one with the figures it saw', async () => {
    const [org, project] = [newId(), newId()];
    const caps = { organizationLimit: 2, projectLimit: null };
    expect(await acquire(org, project, 'a', caps)).toEqual({
      admitted: true,
      organization: { limit: 2, used: 1 },
      project: { limit: null, used: 1 },
    });
    expect(await acquire(org, project, 'b', caps)).toEqual({
      admitted: true,
      organization: { limit: 2, used: 2 },
      project: { limit: null, used: 2 },
    });
    expect(await acquire(org, project, 'c', caps)).toEqual({ admitted: false, full: 'organization', limit: 2, used: 2 });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2 });
  });

  it("D28: the project's cap is reported first, and a refusal takes nothing in either scope", async () => {
    const [org, project, other] = [newId(), newId(), newId()];
    const caps = { organizationLimit: 1, projectLimit: 1 };
    await acquire(org, project, 'a', caps);
    expect(await acquire(org, project, 'b', caps)).toEqual({ admitted: false, full: 'project', limit: 1, used: 1 });
    expect(await acquire(org, other, 'c', caps)).toEqual({ admitted: false, full: 'organization', limit: 1, used: 1 });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1, [other]: 0 });
  });

  it('a retry of an admitted acquire is admitted at the cap and counted once', async () => {
    const [org, project] = [newId(), newId()];
    const caps = { organizationLimit: 2, projectLimit: 2 };
    await acquire(org, project, 'a', caps);
    expect(await acquire(org, project, 'a', caps)).toMatchObject({ admitted: true, organization: { used: 1 }, project: { used: 1 } });
    await acquire(org, project, 'b', caps);
    expect(await acquire(org, project, 'a', caps)).toMatchObject({ admitted: true, organization: { used: 2 }, project: { used: 2 } });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2 });
  });

  it('a lapsed member asks the caps again: refused at the cap, counted once below it', async () => {
    const [org, project] = [newId(), newId()];
    await acquire(org, project, 'a', { organizationLimit: 1, projectLimit: null });
    await lapse(fixture.server.admin, org, project, 'a');
    await acquire(org, project, 'b', { organizationLimit: 1, projectLimit: null });
    expect(await acquire(org, project, 'a', { organizationLimit: 1, projectLimit: null })).toMatchObject({ admitted: false, used: 1 });
    expect(await acquire(org, project, 'a', { organizationLimit: 2, projectLimit: null })).toMatchObject({
      admitted: true,
      organization: { used: 2 },
    });
  });

  it('D26: a cap lowered below usage refuses and never makes usage negative', async () => {
    const [org, project] = [newId(), newId()];
    for (const member of ['a', 'b', 'c']) await acquire(org, project, member, { organizationLimit: 3, projectLimit: null });
    expect(await acquire(org, project, 'd', { organizationLimit: 1, projectLimit: null })).toEqual({
      admitted: false,
      full: 'organization',
      limit: 1,
      used: 3,
    });
    await fixture.live.release({ organizationId: org, projectId: project }, ['a', 'a', 'b', 'c']);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 0 });
  });

  it('20 parallel releases of one session free its slot once and tell so once', async () => {
    const [org, project] = [newId(), newId()];
    await acquire(org, project, 'a', { organizationLimit: 5, projectLimit: null });
    await acquire(org, project, 'b', { organizationLimit: 5, projectLimit: null });
    const scope = { organizationId: org, projectId: project };
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.live.release(scope, ['a'])));
    expect(answers.flat()).toEqual(['a']);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('renew prolongs live members of several projects in one go and names those that are gone', async () => {
    const [org, project, other] = [newId(), newId(), newId()];
    const caps = { organizationLimit: 10, projectLimit: null };
    for (const member of ['a', 'b', 'c']) await acquire(org, project, member, caps);
    await acquire(org, other, 'd', caps);
    await fixture.live.release({ organizationId: org, projectId: project }, ['b']);
    await lapse(fixture.server.admin, org, project, 'c');
    const before = Number(await fixture.server.admin.zscore(keys.organization(org), `${project}:a`));
    const members = [...['a', 'b', 'c'].map((member) => ({ member, projectId: project })), { member: 'd', projectId: other }];
    const gone = await fixture.live.renew({ organizationId: org, members, leaseMs: 60_000 });
    expect(gone).toEqual([
      { member: 'b', projectId: project },
      { member: 'c', projectId: project },
    ]);
    for (const key of [keys.organization(org), keys.project(org, project)]) {
      expect(Number(await fixture.server.admin.zscore(key, `${project}:a`))).toBeGreaterThan(before + 20_000);
    }
    expect(await fixture.live.usage(org, project)).toEqual({ organization: 2, project: 1 });
  });

  it('renew never shortens a lease', async () => {
    const [org, project] = [newId(), newId()];
    await acquire(org, project, 'a', { organizationLimit: 10, projectLimit: null });
    const before = await fixture.server.admin.zscore(keys.organization(org), `${project}:a`);
    await fixture.live.renew({ organizationId: org, members: [{ member: 'a', projectId: project }], leaseMs: 1_000 });
    expect(await fixture.server.admin.zscore(keys.organization(org), `${project}:a`)).toBe(before);
  });

  it('renews 2 000 members in batches', async () => {
    const [org, project] = [newId(), newId()];
    const members = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    await Promise.all(members.map((member) => acquire(org, project, member, { organizationLimit: 5_000, projectLimit: null })));
    await fixture.live.release({ organizationId: org, projectId: project }, ['m700', 'm1999']);
    const gone = await fixture.live.renew({
      organizationId: org,
      members: members.map((member) => ({ member, projectId: project })),
      leaseMs: 60_000,
    });
    expect(gone.map((held) => held.member)).toEqual(['m700', 'm1999']);
    expect(await fixture.live.release({ organizationId: org, projectId: project }, members)).toHaveLength(1_998);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 0 });
  });

  it('with 100 000 dead leases nothing is refused for them, and the sweep deletes them in bounded steps', async () => {
    const [org, project] = [newId(), newId()];
    expect(await fixture.live.usage(org)).toEqual({ organization: 0, project: null }); // builds the ready marker
    const hourAgo = Date.now() - 3_600_000;
    for (let first = 0; first < 100_000; first += 10_000) {
      const dead = Array.from({ length: 10_000 }, (_, index): [number, string] => [hourAgo, `${project}:dead${first + index}`]).flat();
      await fixture.server.admin.zadd(keys.organization(org), ...dead);
      await fixture.server.admin.zadd(keys.project(org, project), ...dead);
    }
    expect(await acquire(org, project, 'a', { organizationLimit: 1, projectLimit: 1 })).toMatchObject({
      admitted: true,
      organization: { used: 1 },
    });
    expect(await fixture.live.sweep(org)).toBe(500);
    expect(await fixture.server.admin.zcard(keys.organization(org))).toBe(99_501);
    expect(await fixture.live.sweep(org, 100_000)).toBe(99_500);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('the sweep leaves members that died lately, so that reconcile still finds their rows to end', async () => {
    const [org, project] = [newId(), newId()];
    await acquire(org, project, 'a', { organizationLimit: 5, projectLimit: null });
    await lapse(fixture.server.admin, org, project, 'a');
    expect(await fixture.live.sweep(org)).toBe(0);
  });

  it('a prepared process loads nothing at its first call', async () => {
    const redis = connectRedis(fixture.server.url);
    try {
      const live = new LiveSessions({ redis, rows: { rowsOf: async () => [] }, leaseMs: 30_000 });
      await live.prepare();
      await fixture.server.admin.config('RESETSTAT');
      await live.usage(newId());
      expect(await fixture.server.admin.info('commandstats')).not.toContain('cmdstat_script|load');
    } finally {
      redis.disconnect();
    }
  });

  it('D29: preparing without Redis rejects, and does not hang', async () => {
    const redis = connectRedis('redis://127.0.0.1:1');
    try {
      await expect(new LiveSessions({ redis, rows: { rowsOf: async () => [] } }).prepare()).rejects.toThrow();
    } finally {
      redis.disconnect();
    }
  });

  it('ids that could reach into another key are refused', async () => {
    await expect(fixture.live.usage('a}:{b')).rejects.toThrow(TypeError);
    await expect(acquire(newId(), 'x:y', 'a', { organizationLimit: 1, projectLimit: null })).rejects.toThrow(TypeError);
  });

  describe('pools', () => {
    const pool = (organizationId: string, projectId: string, size: number, caps: Caps) => ({
      organizationId,
      projectId,
      poolId: 'p',
      size,
      leaseMs: 30_000,
      ...caps,
    });

    it('D34: a size is reserved whole or not at all, and counts beside on-demand sessions', async () => {
      const [org, project] = [newId(), newId()];
      const caps = { organizationLimit: 10, projectLimit: 5 };
      await acquire(org, project, 'a', caps);
      expect(await fixture.live.resizePool(pool(org, project, 5, caps))).toEqual({ admitted: false, full: 'project', limit: 5, used: 1 });
      await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
      expect(await fixture.live.resizePool(pool(org, project, 4, caps))).toMatchObject({
        admitted: true,
        organization: { used: 5 },
        project: { used: 5 },
      });
      expect(await acquire(org, project, 'b', caps)).toMatchObject({ admitted: false, full: 'project' });
      await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 5 });
    });

    it('D34: growing takes the difference or changes nothing; shrinking is never refused; repeating takes nothing twice', async () => {
      const [org, project] = [newId(), newId()];
      const caps = { organizationLimit: 6, projectLimit: null };
      await fixture.live.resizePool(pool(org, project, 4, caps));
      expect(await fixture.live.resizePool(pool(org, project, 7, caps))).toEqual({
        admitted: false,
        full: 'organization',
        limit: 6,
        used: 4,
      });
      expect(await fixture.live.resizePool(pool(org, project, 6, caps))).toMatchObject({ admitted: true, organization: { used: 6 } });
      expect(await fixture.live.resizePool(pool(org, project, 6, caps))).toMatchObject({ admitted: true, organization: { used: 6 } });
      expect(await fixture.live.resizePool(pool(org, project, 2, { organizationLimit: 1, projectLimit: 1 }))).toMatchObject({
        admitted: true,
        organization: { used: 2 },
      });
      await fixture.live.releasePool({ organizationId: org, projectId: project, poolId: 'p' });
      await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 0 });
    });

    it('D34: a size above a cap is refused at the first slot too many, whatever the size', async () => {
      const [org, project] = [newId(), newId()];
      await fixture.live.usage(org);
      await fixture.server.admin.config('RESETSTAT');
      expect(await fixture.live.resizePool(pool(org, project, 1_000_000, { organizationLimit: 100, projectLimit: 3 }))).toEqual({
        admitted: false,
        full: 'project',
        limit: 3,
        used: 0,
      });
      expect(await fixture.live.resizePool(pool(org, project, 1_000_000, { organizationLimit: 100, projectLimit: null }))).toEqual({
        admitted: false,
        full: 'organization',
        limit: 100,
        used: 0,
      });
      const looked = /cmdstat_zscore:calls=(\d+)/.exec(await fixture.server.admin.info('commandstats'))?.[1];
      expect(Number(looked)).toBe(4 + 101);
    });

    it('a reservation lapses with its lease until its row is committed, then holds', async () => {
      const [org, project] = [newId(), newId()];
      const caps = { organizationLimit: 10, projectLimit: null };
      await fixture.live.resizePool(pool(org, project, 2, caps));
      await lapse(fixture.server.admin, org, project, 'pool:p:1');
      await lapse(fixture.server.admin, org, project, 'pool:p:2');
      expect(await fixture.live.usage(org)).toMatchObject({ organization: 0 });
      await fixture.live.resizePool(pool(org, project, 2, caps));
      await fixture.live.holdPool({ organizationId: org, projectId: project, poolId: 'p', size: 2 });
      expect(await fixture.server.admin.zscore(keys.organization(org), `${project}:pool:p:2`)).toBe('inf');
      await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2 });
    });

    it('racing growths of several pools take exactly what is free', async () => {
      const [org, project] = [newId(), newId()];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fixture.live.resizePool({ ...pool(org, project, 7, { organizationLimit: 100, projectLimit: 90 }), poolId: `p${index}` }),
        ),
      );
      expect(answers.filter((answer) => answer.admitted)).toHaveLength(12);
      await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 84 });
    });
  });
});
