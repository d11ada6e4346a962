import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectRedis, LiveSessions } from '../src/index.js';
import { keys } from '../src/keys.js';
import { startRedisProcess, type RedisProcess } from './redis-process.js';
import { TableOfRows } from './rows.js';

export interface Fixture {
  readonly server: RedisProcess;
  readonly redis: Redis;
  readonly rows: TableOfRows;
  readonly live: LiveSessions;
  /** Another process's view: a connection and an instance of its own on the same rows. */
  another(): Promise<LiveSessions>;
  stop(): Promise<void>;
}

export async function startFixture(serverArgs: readonly string[] = [], leaseMs = 30_000): Promise<Fixture> {
  const server = await startRedisProcess(serverArgs);
  const rows = new TableOfRows();
  const clients: Redis[] = [];
  const connect = async (): Promise<LiveSessions> => {
    const redis = connectRedis(server.url);
    clients.push(redis);
    if (redis.status !== 'ready') await once(redis, 'ready');
    return new LiveSessions({ redis, rows, leaseMs });
  };
  const live = await connect();
  return {
    server,
    rows,
    live,
    redis: clients[0]!,
    another: connect,
    async stop() {
      for (const client of clients) client.disconnect();
      await server.stop();
    },
  };
}

/** Fresh ids, so that tests share a Redis without seeing each other. */
export const newId = (): string => randomUUID();

/** Lets a member's lease be over, without waiting for it. */
export async function lapse(admin: Redis, organizationId: string, projectId: string, member: string, agoMs = 1): Promise<void> {
  const [seconds] = await admin.time();
  const ended = Number(seconds) * 1_000 - 1_000 - agoMs;
  for (const key of [keys.organization(organizationId), keys.project(organizationId, projectId)]) {
    await admin.zadd(key, 'XX', ended, `${projectId}:${member}`);
  }
}

/**
 * The invariant of admission: used = live rows, for the organization and for each project, and every member is in exactly
 * the two sets it belongs to with one lease.
 */
export async function expectInvariant(
  live: LiveSessions,
  admin: Redis,
  organizationId: string,
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
  const inOrganization = pairs(await admin.zrange(keys.organization(organizationId), '0', '-1', 'WITHSCORES'));
  const inProjects = [];
  for (const [projectId, count] of Object.entries(expected)) {
    expect(await live.usage(organizationId, projectId)).toEqual({ organization: total, project: count });
    inProjects.push(...pairs(await admin.zrange(keys.project(organizationId, projectId), '0', '-1', 'WITHSCORES')));
  }
  expect(inProjects.sort()).toEqual(inOrganization.sort());
}

function pairs(flat: string[]): string[] {
  return flat.flatMap((value, index) => (index % 2 === 0 ? [`${value} until ${flat[index + 1]}`] : []));
}
