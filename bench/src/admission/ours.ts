import { randomUUID } from 'node:crypto';
import { LiveSessions } from '@berth/live-sessions';
import type { Redis } from 'ioredis';
import type { Contender } from './measure.js';

const LEASE_MS = 600_000;

export interface Scene {
  /** Sessions that are there already. */
  readonly live: number;
  /** API processes that the callers are spread over. Within one, calls of the same turn go to Redis together. */
  readonly processes?: number;
  /** When the sessions end, ms from now; negative for dead ones. */
  readonly sessionsEnd?: number;
}

/** The service's own class, an instance for each process that is played; all talk over the one connection, as the floor does. */
export async function ours(redis: Redis, { live, processes = 1, sessionsEnd = LEASE_MS }: Scene): Promise<Contender> {
  const [organizationId, projectId] = [randomUUID(), randomUUID()];
  const all = Array.from({ length: processes }, () => new LiveSessions({ redis, rows: { rowsOf: async () => [] }, leaseMs: LEASE_MS }));
  for (const sessions of all) await sessions.usage(organizationId);
  for (let first = 0; first < live; first += 5_000) {
    const page = Array.from({ length: Math.min(5_000, live - first) }, (_, index): [number, string] => [
      Date.now() + sessionsEnd,
      `${projectId}:${randomUUID()}-${index}`,
    ]).flat();
    await redis.zadd(`berth:{${organizationId}}:live`, ...page);
    await redis.zadd(`berth:{${organizationId}}:live:${projectId}`, ...page);
  }
  const heldBy = (member: string): LiveSessions => all[Number(member.slice(1)) % processes] as LiveSessions;
  return {
    acquire: (member) =>
      heldBy(member).acquire({
        organizationId,
        projectId,
        member,
        organizationLimit: 1_000_000,
        projectLimit: 1_000_000,
        leaseMs: LEASE_MS,
      }),
    release: (member) => heldBy(member).release({ organizationId, projectId }, [member]),
  };
}
