import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { liveRows } from '@berth/browser-fleet';
import type { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { connectRedis, LiveSessions } from '@berth/live-sessions';

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
 * Projects. Where reads are tested there are a hundred thousand, too many to ask one after the other; each answer has its time limit, too
 * short to ask all of them at once.
 */
const askedAtOnce = 200;

/**
 * The invariant of admission, for every test that moves slots: used = live on-demand rows + pool reservations + login browsers, in the
 * organization and in each of its projects. Assert that `used` equals `held`. Answers both, read one after the other: ask when nothing is
 * under way, or ask again.
 */
export async function countSlots(database: Database, redisUrl: string, organizationId: string): Promise<SlotCount> {
  const access = unscoped(database);
  const source = liveRows(access, restoredForMs);
  const rows = await source.rowsOf(organizationId);
  const { rows: projects } = await access.pool.query<{ id: string }>('SELECT id FROM projects WHERE organization_id = $1', [
    organizationId,
  ]);
  const redis = connectRedis(redisUrl);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  try {
    const live = new LiveSessions({ redis, rows: source, leaseMs: shortestLeaseMs });
    // The organization first: it is what restores the counts that all its projects are then read from.
    const { organization } = await live.usage(organizationId);
    const slotsOf = async (id: string) => [id, (await live.usage(organizationId, id)).project ?? 0] as const;
    const used: Awaited<ReturnType<typeof slotsOf>>[] = [];
    for (let first = 0; first < projects.length; first += askedAtOnce) {
      const asked = projects.slice(first, first + askedAtOnce).map(({ id }) => slotsOf(id));
      used.push(...(await Promise.all(asked)));
    }
    const held: Record<string, number> = Object.fromEntries(projects.map(({ id }) => [id, 0]));
    for (const { projectId } of rows) held[projectId] = (held[projectId] ?? 0) + 1;
    return { used: { organization, projects: Object.fromEntries(used) }, held: { organization: rows.length, projects: held } };
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
