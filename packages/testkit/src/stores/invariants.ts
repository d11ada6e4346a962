import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { liveRows } from '@berth/browser-fleet';
import type { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { connectRedis, LiveSessions, type Usage } from '@berth/live-sessions';
import type { Redis } from 'ioredis';

export interface SlotCount {
  /** Slots that admission counts. */
  readonly used: { readonly organization: number; readonly projects: Readonly<Record<string, number>> };
  /** Slots that rows hold: live browsers outside pools, and whole pools. */
  readonly held: { readonly organization: number; readonly projects: Readonly<Record<string, number>> };
}

/**
 * Asking may rebuild an organization that nobody has kept ready (D29), so the one who counts must not do it worse than an app: what it
 * restores lasts until a host renews it, whatever lease that host has, and its marker goes before the shortest lease of any test can lapse.
 */
const restoredForMs = 30_000;
const shortestLeaseMs = 1_500;

/**
 * Projects that Redis has ever counted anything in: where reads are tested there are a hundred thousand, and all but a few have never run a
 * browser. Read from the keys rather than from the rows, so slots of a project that is no row any more are seen too.
 */
async function countedProjects(redis: Redis, organizationId: string): Promise<readonly string[]> {
  const prefix = `berth:{${organizationId}}:live:`;
  const found = new Set<string>();
  for await (const page of redis.scanStream({ match: `${prefix}*`, count: 1_000 }) as AsyncIterable<string[]>) {
    for (const key of page) found.add(key.slice(prefix.length));
  }
  return [...found];
}

/** Who counts is in no hurry: what a busy machine did not answer within the time of a read (D29) is asked once more. */
export async function usageOf(live: LiveSessions, organizationId: string, projectId?: string): Promise<Usage> {
  return until(() => live.usage(organizationId, projectId), 15_000);
}

/**
 * The invariant of admission, for every test that moves slots: used = live on-demand rows + pool reservations + login browsers, in the
 * organization and in each of its projects. Assert that `used` equals `held`. Answers both, read one after the other: ask when nothing is
 * under way, or ask again.
 */
export async function countSlots(database: Database, redisUrl: string, organizationId: string): Promise<SlotCount> {
  const access = unscoped(database);
  const source = liveRows(access, restoredForMs);
  const rows = await source.rowsOf(organizationId);
  const redis = connectRedis(redisUrl);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  try {
    const live = new LiveSessions({ redis, rows: source, leaseMs: shortestLeaseMs });
    // The organization first: it is what restores the counts that all its projects are then read from.
    const { organization } = await usageOf(live, organizationId);
    const held: Record<string, number> = {};
    for (const { projectId } of rows) held[projectId] = (held[projectId] ?? 0) + 1;
    const used: Record<string, number> = {};
    for (const id of new Set([...Object.keys(held), ...(await countedProjects(redis, organizationId))])) {
      used[id] = (await usageOf(live, organizationId, id)).project ?? 0;
      held[id] ??= 0;
    }
    return { used: { organization, projects: used }, held: { organization: rows.length, projects: held } };
  } finally {
    redis.disconnect();
  }
}

async function until<T>(ask: () => Promise<T>, withinMs: number): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(50);
  }
}

/**
 * The invariant in every organization there is, for the end of a world of tests: whatever a test has left behind, it is counted as what it
 * is.
 */
export async function everySlotSettles(database: Database, redisUrl: string, withinMs = 15_000): Promise<void> {
  const { rows } = await unscoped(database).pool.query<{ id: string }>('SELECT id FROM organizations');
  for (const { id } of rows) {
    await until(async () => {
      const { used, held } = await countSlots(database, redisUrl, id);
      deepStrictEqual(used, held, 'used is not what rows hold');
    }, withinMs);
  }
}

/**
 * Waits until the invariant holds with exactly `expected` slots in use, and throws what was counted last when it does not come: slots of
 * whatever crashed come back within a lease.
 */
export async function slotsSettleAt(
  database: Database,
  redisUrl: string,
  organizationId: string,
  expected: number,
  withinMs = 15_000,
): Promise<SlotCount> {
  return until(async () => {
    const count = await countSlots(database, redisUrl, organizationId);
    deepStrictEqual(count.used, count.held, 'used is not what rows hold');
    deepStrictEqual(count.used.organization, expected, 'another number of slots is in use');
    return count;
  }, withinMs);
}
