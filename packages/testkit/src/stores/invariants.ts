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
 * The invariant of admission, for every test that moves slots: used = live on-demand rows + pool reservations + login browsers, in the organization and in
 * each of its projects. Assert that `used` equals `held`. Answers both, read one after the other: ask when nothing is under way, or ask again.
 */
export async function countSlots(database: Database, redisUrl: string, organizationId: string): Promise<SlotCount> {
  const access = unscoped(database);
  const rows = await liveRows(access, 1_000).rowsOf(organizationId);
  const { rows: projects } = await access.pool.query<{ id: string }>('SELECT id FROM projects WHERE organization_id = $1', [organizationId]);
  const redis = connectRedis(redisUrl);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  try {
    const live = new LiveSessions({ redis, rows: { rowsOf: () => Promise.resolve(rows) } });
    const used: Record<string, number> = {};
    const held: Record<string, number> = {};
    for (const { id } of projects) {
      used[id] = (await live.usage(organizationId, id)).project ?? 0;
      held[id] = rows.filter(({ projectId }) => projectId === id).length;
    }
    return { used: { organization: (await live.usage(organizationId)).organization, projects: used }, held: { organization: rows.length, projects: held } };
  } finally {
    redis.disconnect();
  }
}
