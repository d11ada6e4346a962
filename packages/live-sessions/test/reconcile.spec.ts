import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionUnavailable } from '../src/index.js';
import { keys } from '../src/keys.js';
import { expectInvariant, type Fixture, lapse, newId, startFixture } from './fixture.js';

const GRACE = 60_000;

describe('reconcile', () => {
  let fixture: Fixture;
  let org: string;
  let project: string;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => {
    [org, project] = [newId(), newId()];
    fixture.rows.down = null;
    fixture.rows.afterRead = null;
  });

  const acquire = (member: string, organizationLimit = 10) =>
    fixture.live.acquire({ organizationId: org, projectId: project, member, organizationLimit, projectLimit: null, leaseMs: 30_000 });
  /** A session with row and member. */
  const start = async (member: string): Promise<void> => {
    await acquire(member);
    fixture.rows.insert(org, project, member);
  };
  const held = (member: string) => ({ member, projectId: project });
  const scope = () => ({ organizationId: org, projectId: project });
  /** As if it had been first seen without a row this long ago. */
  const ageSuspect = async (member: string, ms: number): Promise<void> => {
    await fixture.server.admin.zincrby(keys.suspects(org), -ms, `${project}:${member}`);
  };

  it('changes nothing when rows and members agree', async () => {
    await start('a');
    expect(await fixture.live.reconcile(org, GRACE)).toEqual({ skipped: false, restored: [], removed: [], lapsed: [], suspected: [] });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('a row that lost its member has it back, in both scopes', async () => {
    await start('a');
    await fixture.server.admin.zrem(keys.organization(org), `${project}:a`);
    await fixture.server.admin.zrem(keys.project(org, project), `${project}:a`);
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ restored: [held('a')] });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('a member without a row is removed only after the grace', async () => {
    await acquire('a');
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ removed: [], suspected: [held('a')] });
    await ageSuspect('a', GRACE - 30_000);
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ removed: [], suspected: [held('a')] });
    await ageSuspect('a', 30_000);
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ removed: [held('a')], suspected: [] });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 0 });
    expect(await fixture.server.admin.exists(keys.suspects(org))).toBe(0);
  });

  it('a session whose row arrives within the grace is a suspect no more', async () => {
    await acquire('a');
    await fixture.live.reconcile(org, GRACE);
    fixture.rows.insert(org, project, 'a');
    await ageSuspect('a', 2 * GRACE);
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ removed: [], suspected: [] });
    expect(await fixture.server.admin.exists(keys.suspects(org))).toBe(0);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('a session that starts while rows are being read is neither removed nor counted twice', async () => {
    await start('a');
    fixture.rows.afterRead = async () => {
      fixture.rows.afterRead = null;
      await start('b');
    };
    expect(await fixture.live.reconcile(org, 0)).toMatchObject({ removed: [], restored: [] });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2 });
  });

  it('a session that ends while rows are being read is not brought back', async () => {
    await start('a');
    await start('lost');
    await fixture.live.release(scope(), ['lost']); // its row stays: it is to be restored
    fixture.rows.afterRead = async () => {
      fixture.rows.afterRead = null;
      fixture.rows.end(org, 'a');
      await fixture.live.release(scope(), ['a']);
      fixture.rows.end(org, 'lost');
      await fixture.live.release(scope(), ['lost']);
    };
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ restored: [] });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 0 });
  });

  it('a lapsed session is reported for its row to be ended, and its slot stays free', async () => {
    await start('a');
    await lapse(fixture.server.admin, org, project, 'a');
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ lapsed: [held('a')], restored: [] });
    expect(await fixture.live.usage(org)).toMatchObject({ organization: 0 });
  });

  it('D34: a pool whose process died between row and hold is held, lapsed slots included', async () => {
    await fixture.live.resizePool({ ...scope(), poolId: 'p', size: 3, leaseMs: 30_000, organizationLimit: 10, projectLimit: null });
    fixture.rows.insertPool(org, project, 'p', 3);
    await lapse(fixture.server.admin, org, project, 'pool:p:2');
    expect((await fixture.live.reconcile(org, GRACE)).restored).toEqual([held('pool:p:2')]);
    for (const n of [1, 2, 3]) expect(await fixture.server.admin.zscore(keys.organization(org), `${project}:pool:p:${n}`)).toBe('inf');
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 3 });
  });

  it('a deleted pool whose release was lost gives its slots back after the grace; slots taken anew start a new one', async () => {
    const pool = { ...scope(), poolId: 'p', size: 2, leaseMs: 30_000, organizationLimit: 10, projectLimit: null };
    await fixture.live.resizePool(pool);
    await fixture.live.holdPool(pool);
    await fixture.live.reconcile(org, GRACE);
    await fixture.live.resizePool({ ...pool, size: 1 });
    await fixture.live.resizePool(pool); // slot 2 anew
    await ageSuspect('pool:p:1', GRACE);
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ removed: [held('pool:p:1')], suspected: [held('pool:p:2')] });
  });

  it('D29: refuses to run when the rows cannot be read, and changes nothing', async () => {
    await start('a');
    await acquire('orphan');
    await fixture.live.reconcile(org, GRACE);
    await ageSuspect('orphan', 2 * GRACE);
    fixture.rows.down = new Error('postgres is down');
    await expect(fixture.live.reconcile(org, GRACE)).rejects.toThrow(AdmissionUnavailable);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2 });
    fixture.rows.down = null;
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ skipped: false, removed: [held('orphan')] });
  });

  it('runs in one process at a time', async () => {
    await start('a');
    const other = await fixture.another();
    let inner: unknown;
    fixture.rows.afterRead = async () => {
      fixture.rows.afterRead = null;
      inner = await other.reconcile(org, GRACE);
    };
    expect(await fixture.live.reconcile(org, GRACE)).toMatchObject({ skipped: false });
    expect(inner).toMatchObject({ skipped: true });
  });

  it('D29: Redis emptied while it runs is not taken for reconciled', async () => {
    await start('a');
    fixture.rows.afterRead = async () => {
      fixture.rows.afterRead = null;
      await fixture.server.admin.flushall();
    };
    await fixture.live.reconcile(org, GRACE).catch((error: unknown) => expect(error).toBeInstanceOf(AdmissionUnavailable));
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('goes through thousands of members page by page', async () => {
    const members = Array.from({ length: 2_500 }, (_, index) => `m${index}`);
    await Promise.all(members.map((member) => acquire(member, 10_000)));
    for (const member of members.slice(0, 2_400)) fixture.rows.insert(org, project, member);
    fixture.rows.insert(org, project, 'lost');
    const report = await fixture.live.reconcile(org, 0);
    expect(report.restored).toEqual([held('lost')]);
    expect(report.removed).toHaveLength(100);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 2_401 });
  });
});
