import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionUnavailable } from '../src/index.js';
import { keys } from '../src/keys.js';
import { expectInvariant, type Fixture, newId, startFixture } from './fixture.js';

describe('admission when Redis fails', () => {
  let fixture: Fixture;
  let org: string;
  let project: string;
  beforeEach(async () => {
    // Every write is on disk before it is answered, so that a killed server comes back with all it said yes to.
    fixture = await startFixture(['--appendonly', 'yes', '--appendfsync', 'always']);
    [org, project] = [newId(), newId()];
  });
  afterEach(() => fixture.stop());

  const acquire = (member: string, organizationLimit = 3, live = fixture.live) =>
    live.acquire({ organizationId: org, projectId: project, member, organizationLimit, projectLimit: null, leaseMs: 30_000 });
  const start = async (member: string): Promise<void> => {
    expect(await acquire(member)).toMatchObject({ admitted: true });
    fixture.rows.insert(org, project, member);
  };
  const reconnected = async (): Promise<void> => {
    if (fixture.redis.status !== 'ready') await once(fixture.redis, 'ready');
  };
  /** A connection that was silent for too long is made anew, sooner or later than a test goes on. */
  const answering = async (): Promise<void> => {
    while ((await fixture.redis.ping().catch(() => '')) !== 'PONG') await reconnected();
  };

  it('D29: emptied, it is rebuilt from the rows before the next admission', async () => {
    for (const member of ['a', 'b', 'c']) await start(member);
    await fixture.server.admin.flushall();
    expect(await acquire('d')).toEqual({ admitted: false, full: 'organization', limit: 3, used: 3 });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 3 });
  });

  it('D29: emptied, usage is never read as zero', async () => {
    await start('a');
    await fixture.server.admin.flushall();
    expect(await fixture.live.usage(org, project)).toEqual({ organization: 1, project: 1 });
  });

  it('D29: emptied while Postgres is down, nothing is admitted and usage is unreadable', async () => {
    await start('a');
    await fixture.server.admin.flushall();
    fixture.rows.down = new Error('postgres is down');
    await expect(acquire('b')).rejects.toThrow(AdmissionUnavailable);
    await expect(fixture.live.usage(org)).rejects.toThrow(AdmissionUnavailable);
    fixture.rows.down = null;
    expect(await acquire('b')).toMatchObject({ admitted: true, organization: { used: 2 } });
  });

  it('D29: emptied, hosts that renew bring their members back instead of hearing that they are gone', async () => {
    await start('a');
    await fixture.server.admin.flushall();
    expect(await fixture.live.renew({ organizationId: org, members: [{ member: 'a', projectId: project }], leaseMs: 30_000 })).toEqual([]);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('D29: many processes that find it empty share one rebuild, and the cap holds over it', async () => {
    for (const member of ['a', 'b']) await start(member);
    const processes = [fixture.live, await fixture.another(), await fixture.another()];
    await fixture.server.admin.flushall();
    const readsBefore = fixture.rows.reads;
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => acquire(`n${index}`, 10, processes[index % 3])));
    expect(answers.filter((answer) => answer.admitted)).toHaveLength(8);
    expect(fixture.rows.reads - readsBefore).toBe(2);
  });

  it('D29: restarted with all its data, it is rebuilt all the same', async () => {
    for (const member of ['a', 'b']) await start(member);
    await fixture.server.restart();
    await reconnected();
    const readsBefore = fixture.rows.reads;
    expect(await acquire('c')).toMatchObject({ admitted: true, organization: { used: 3 } });
    expect(fixture.rows.reads).toBeGreaterThan(readsBefore);
  });

  it('D29: restarted from an older dump, marker and all, it is not believed', async () => {
    const dumping = await startFixture();
    try {
      const ask = (member: string) =>
        dumping.live.acquire({
          organizationId: org,
          projectId: project,
          member,
          organizationLimit: 3,
          projectLimit: null,
          leaseMs: 30_000,
        });
      for (const member of ['a', 'b', 'c']) {
        await ask(member);
        dumping.rows.insert(org, project, member);
        if (member === 'a') await dumping.server.admin.save();
      }
      await dumping.server.restart();
      if (dumping.redis.status !== 'ready') await once(dumping.redis, 'ready');
      expect(await dumping.server.admin.zcard(keys.organization(org))).toBe(1);
      expect(await dumping.server.admin.exists(keys.ready(org))).toBe(1);
      expect(await ask('d')).toEqual({ admitted: false, full: 'organization', limit: 3, used: 3 });
    } finally {
      await dumping.stop();
    }
  });

  it('D29: a script stamped with a former life of Redis cannot run, even if the old marker is there', async () => {
    await start('a');
    const marker = await fixture.server.admin.get(keys.ready(org));
    await fixture.server.restart();
    await reconnected();
    expect(await fixture.server.admin.get(keys.ready(org))).toBe(marker);
    const info = await fixture.server.admin.info('server');
    expect(info).not.toContain(marker);
    fixture.rows.down = new Error('postgres is down');
    await expect(acquire('b')).rejects.toThrow(AdmissionUnavailable);
  });

  it('D29: while it is down creates and reads fail, and after it is back all is as it was', async () => {
    await start('a');
    await fixture.server.kill();
    await expect(acquire('b')).rejects.toThrow(AdmissionUnavailable);
    await expect(fixture.live.usage(org)).rejects.toThrow(AdmissionUnavailable);
    await expect(fixture.live.reconcile(org, 1_000)).rejects.toThrow(AdmissionUnavailable);
    await fixture.server.restart();
    await reconnected();
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('D29: while it hangs calls end by themselves, and what they left behind is at most one slot for one lease', async () => {
    await start('a');
    fixture.server.signal('SIGSTOP');
    await expect(fixture.live.usage(org)).rejects.toThrow(AdmissionUnavailable);
    await expect(acquire('b')).rejects.toThrow(AdmissionUnavailable);
    fixture.server.signal('SIGCONT');
    await answering();
    await fixture.live.release({ organizationId: org, projectId: project }, ['b']);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('D29: an answer that has arrived is not taken for none because this process was busy for longer than its patience, first calls included', async () => {
    const busy = (): void => {
      for (const end = Date.now() + 1_200; Date.now() < end;);
    };
    const fresh = await fixture.another();
    const loading = fresh.prepare();
    setImmediate(busy);
    await loading;
    const asked = Promise.all(['a', 'b', 'c', 'd'].map((member) => acquire(member, 3, fresh)));
    process.nextTick(() => setImmediate(busy));
    expect((await asked).filter(({ admitted }) => admitted)).toHaveLength(3);
    const read = fresh.usage(org);
    setImmediate(busy);
    expect(await read).toEqual({ organization: 3, project: null });
  });

  it('a hanging Redis is not asked for the lock of rebuild and reconcile: it would take it late, for a caller that has given up', async () => {
    await start('a');
    await fixture.server.admin.config('RESETSTAT');
    fixture.server.signal('SIGSTOP');
    // As sweeps do: the second one is asked on a connection that is given up before it could give anything back.
    for (let round = 1; round <= 2; round += 1) await expect(fixture.live.reconcile(org, 1_000)).rejects.toThrow(AdmissionUnavailable);
    fixture.server.signal('SIGCONT');
    await answering();
    expect(await fixture.server.admin.info('commandstats')).not.toMatch(/cmdstat_set:/);
    expect(await fixture.server.admin.exists(keys.lock(org))).toBe(0);
    expect(await (await fixture.another()).reconcile(org, 1_000)).toMatchObject({ skipped: false });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('an outage longer than a lease ends with the members rebuilt, not with their slots given away', async () => {
    for (const member of ['a', 'b', 'c']) await start(member);
    // What the outage does: leases and marker run out because nobody could renew them.
    for (const key of [keys.organization(org), keys.project(org, project)]) {
      for (const member of ['a', 'b', 'c']) await fixture.server.admin.zadd(key, 'XX', 1, `${project}:${member}`);
    }
    await fixture.server.admin.pexpire(keys.ready(org), 0);
    expect(await acquire('d')).toEqual({ admitted: false, full: 'organization', limit: 3, used: 3 });
    const members = ['a', 'b', 'c'].map((member) => ({ member, projectId: project }));
    expect(await fixture.live.renew({ organizationId: org, members, leaseMs: 30_000 })).toEqual([]);
  });

  it('a connection killed in mid-flight fails its calls; repeating them counts nothing twice', async () => {
    const members = Array.from({ length: 400 }, (_, index) => `m${index}`);
    await fixture.live.usage(org);
    const inFlight = members.map((member) => acquire(member, 1_000));
    await fixture.server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await Promise.allSettled(inFlight);
    await reconnected();
    const answers = await Promise.all(members.map((member) => acquire(member, 1_000)));
    expect(answers.every((answer) => answer.admitted)).toBe(true);
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 400 });
  });

  it('an operator who flushes the script cache is not noticed', async () => {
    await start('a');
    await fixture.server.admin.script('FLUSH');
    expect(await acquire('b')).toMatchObject({ admitted: true, organization: { used: 2 } });
  });

  it('a session that ends during the rebuild stays ended', async () => {
    await start('a');
    await start('b');
    await fixture.server.admin.flushall();
    fixture.rows.afterRead = async () => {
      fixture.rows.afterRead = null;
      fixture.rows.end(org, 'a');
      await fixture.live.release({ organizationId: org, projectId: project }, ['a']);
    };
    expect(await fixture.live.usage(org)).toEqual({ organization: 1, project: null });
    await expectInvariant(fixture.live, fixture.server.admin, org, { [project]: 1 });
  });

  it('a create caught by the loss between acquire and insert is confirmed by acquiring again, within the cap', async () => {
    await start('a');
    await acquire('creating', 2);
    await fixture.server.admin.flushall();
    expect(await acquire('quick', 2)).toMatchObject({ admitted: true, organization: { used: 2 } });
    fixture.rows.insert(org, project, 'creating');
    expect(await acquire('creating', 2)).toEqual({ admitted: false, full: 'organization', limit: 2, used: 2 });
  });
});
