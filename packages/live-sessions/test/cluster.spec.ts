import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cluster } from 'ioredis';
import { connectCluster, LiveSessions } from '../src/index.js';
import { keys } from '../src/keys.js';
import { newId } from './fixture.js';
import { type RedisProcess, startRedisProcess } from './redis-process.js';
import { TableOfRows } from './rows.js';

const SLOT_RANGES = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await delay(20);
}

/** Three masters, and one replica of the first. */
async function startCluster(): Promise<RedisProcess[]> {
  const nodes = await Promise.all(
    Array.from({ length: 4 }, () =>
      startRedisProcess([
        '--cluster-enabled',
        'yes',
        '--cluster-node-timeout',
        '1000',
        '--cluster-require-full-coverage',
        'no',
        '--appendonly',
        'yes',
      ]),
    ),
  );
  await Promise.all(SLOT_RANGES.map(([first, last], index) => nodes[index]!.admin.call('CLUSTER', 'ADDSLOTSRANGE', first, last)));
  for (const node of nodes.slice(1)) await node.admin.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]!.port);
  await Promise.all(
    nodes.map((node) => until(async () => /cluster_state:ok[^]*cluster_known_nodes:4/.test(String(await node.admin.cluster('INFO'))))),
  );
  const first = String(await nodes[0]!.admin.call('CLUSTER', 'MYID'));
  await until(async () => (await nodes[3]!.admin.call('CLUSTER', 'REPLICATE', first)) === 'OK');
  await until(async () => (await nodes[3]!.admin.info('replication')).includes('master_link_status:up'));
  return nodes;
}

describe('admission on a Redis Cluster of three masters', () => {
  let nodes: RedisProcess[];
  let redis: Cluster;
  let live: LiveSessions;
  const rows = new TableOfRows();
  beforeAll(async () => {
    nodes = await startCluster();
    redis = connectCluster(nodes.slice(0, 3).map((node) => ({ host: '127.0.0.1', port: node.port })));
    await once(redis, 'ready');
    live = new LiveSessions({ redis, rows });
  });
  afterAll(async () => {
    redis.disconnect();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const acquire = (organizationId: string, projectId: string, member: string, organizationLimit = 5) =>
    live.acquire({ organizationId, projectId, member, organizationLimit, projectLimit: 4, leaseMs: 30_000 });

  /** An organization whose slot is in the given master's range. */
  async function organizationOn(node: number): Promise<string> {
    const [first, last] = SLOT_RANGES[node]!;
    for (;;) {
      const id = newId();
      const slot = Number(await nodes[0]!.admin.call('CLUSTER', 'KEYSLOT', keys.organization(id)));
      if (slot >= first && slot <= last) return id;
    }
  }

  it('every operation works wherever the organization lives, its keys being in one slot', async () => {
    for (const node of [0, 1, 2]) {
      const [org, project] = [await organizationOn(node), newId()];
      const scope = { organizationId: org, projectId: project };
      for (const member of ['a', 'b']) {
        expect(await acquire(org, project, member)).toMatchObject({ admitted: true });
        rows.insert(org, project, member);
      }
      expect(await live.resizePool({ ...scope, poolId: 'p', size: 3, organizationLimit: 5, projectLimit: 4, leaseMs: 30_000 })).toEqual({
        admitted: false,
        full: 'project',
        limit: 4,
        used: 2,
      });
      await live.resizePool({ ...scope, poolId: 'p', size: 2, organizationLimit: 5, projectLimit: 4, leaseMs: 30_000 });
      rows.insertPool(org, project, 'p', 2);
      await live.holdPool({ ...scope, poolId: 'p', size: 2 });
      expect(
        await live.renew({ organizationId: org, members: ['a', 'x'].map((member) => ({ member, projectId: project })), leaseMs: 30_000 }),
      ).toEqual([{ member: 'x', projectId: project }]);
      expect(await live.reconcile(org, 60_000)).toEqual({ skipped: false, restored: [], removed: [], lapsed: [], suspected: [] });
      expect(await live.sweep(org)).toBe(0);
      expect(await live.usage(org, project)).toEqual({ organization: 4, project: 4 });
      rows.end(org, 'a');
      expect(await live.release(scope, ['a'])).toEqual(['a']);
      await live.releasePool({ ...scope, poolId: 'p' });
      expect(await live.usage(org, project)).toEqual({ organization: 1, project: 1 });
      expect(await nodes[node]!.admin.zcard(keys.organization(org))).toBe(1);
    }
  });

  it('D28: bursts over many organizations at once are exact in each', async () => {
    const organizations = Array.from({ length: 12 }, newId);
    const answers = await Promise.all(
      organizations.flatMap((org) =>
        Array.from({ length: 30 }, async (_, index) => ({ org, answer: await acquire(org, index % 2 ? 'one' : 'two', `m${index}`, 7) })),
      ),
    );
    for (const org of organizations) {
      expect(answers.filter((one) => one.org === org && one.answer.admitted)).toHaveLength(7);
      expect(await live.usage(org)).toMatchObject({ organization: 7 });
    }
  });

  it('D29: one node emptied is rebuilt for its organizations, the others go on', async () => {
    const [emptied, other, project] = [await organizationOn(1), await organizationOn(2), newId()];
    for (const org of [emptied, other]) {
      await acquire(org, project, 'a');
      rows.insert(org, project, 'a');
    }
    const readsBefore = rows.reads;
    await nodes[1]!.admin.flushall();
    expect(await live.usage(other)).toMatchObject({ organization: 1 });
    expect(rows.reads).toBe(readsBefore);
    expect(await live.usage(emptied)).toMatchObject({ organization: 1 });
    expect(rows.reads).toBeGreaterThan(readsBefore);
  });

  it('D29: a slot that moves to another node is rebuilt there, whatever came along', async () => {
    const [org, project] = [await organizationOn(1), newId()];
    await acquire(org, project, 'a');
    rows.insert(org, project, 'a');
    const slot = Number(await nodes[0]!.admin.call('CLUSTER', 'KEYSLOT', keys.organization(org)));
    const target = String(await nodes[2]!.admin.call('CLUSTER', 'MYID'));
    // The slot is given away without its keys: the worst a resharding can do.
    await nodes[1]!.admin.flushall();
    for (const node of [2, 1, 0]) await nodes[node]!.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', target);
    expect(await live.usage(org)).toMatchObject({ organization: 1 });
    expect(await nodes[2]!.admin.zcard(keys.organization(org))).toBe(1);
  });

  it('D29: a replica that takes over is not believed: what it missed is rebuilt from the rows', async () => {
    const [org, project] = [await organizationOn(0), newId()];
    for (const member of ['a', 'b']) {
      await acquire(org, project, member, 3);
      rows.insert(org, project, member);
    }
    await until(
      async () => (await nodes[3]!.admin.exists(keys.ready(org)).catch(() => 0)) === 1 || (await nodes[3]!.admin.readonly()) !== 'OK',
    );
    // The last admission never reaches the replica.
    nodes[3]!.signal('SIGSTOP');
    await acquire(org, project, 'c', 3);
    rows.insert(org, project, 'c');
    await nodes[0]!.kill();
    nodes[3]!.signal('SIGCONT');
    await until(async () => (await nodes[3]!.admin.call('CLUSTER', 'FAILOVER', 'TAKEOVER')) === 'OK');
    await until(async () => (await live.usage(org)).organization === 3);
    expect(await acquire(org, project, 'd', 3)).toEqual({ admitted: false, full: 'organization', limit: 3, used: 3 });
  });
});
