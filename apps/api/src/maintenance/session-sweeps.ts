import { DeadHosts, endRow, endStaleEnding, endUnclaimedLaunches } from '@berth/browser-fleet';
import { type Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { LiveSessions } from '@berth/live-sessions';
import type { Fleet } from '../admission/fleet.js';
import type { ApiConfig } from '../config.js';
import type { Sweep } from './sweep-schedule.js';

/** The create that waited for a launch gives it up by itself; a row older than this has lost its create. */
const afterLaunchSeconds = 5;
/** A living host confirms an end within seconds, or within 15 s when it saves a profile first. */
const staleEndingSeconds = 60;
const deadMembersAtOnce = 500;

/**
 * Organizations that hold a slot according to their rows, and those whose pools were deleted lately: the slots of a pool never lapse, so when the process that
 * deleted it died before it freed them, only the reconciler can. What else Redis holds lapses by itself.
 */
async function organizationsWithSlots(database: Database): Promise<string[]> {
  const { rows } = await unscoped(database).pool.query<{ id: string }>(
    `SELECT organization_id AS id FROM browser_sessions WHERE status <> 'ended' UNION SELECT organization_id FROM browser_pools WHERE deleted_at IS NULL OR deleted_at > now() - interval '7 days'`,
  );
  return rows.map(({ id }) => id);
}

/** Their jobs go with them: with no host there to look at them in vain, they would stay in the queue for good. */
async function endLostLaunches(fleet: Fleet, olderThanSeconds: number): Promise<void> {
  await Promise.all((await endUnclaimedLaunches(fleet.ending, olderThanSeconds)).map((id) => fleet.cancel(id)));
}

/** What crashed processes leave behind, and who cleans it up. */
export function sessionSweeps(database: Database, live: LiveSessions, fleet: Fleet, config: ApiConfig): readonly Sweep[] {
  const { leaseSeconds, launchTimeoutSeconds, reconcileSeconds } = config;
  const leaseMs = leaseSeconds * 1_000;
  const deadHosts = new DeadHosts(fleet.ending, leaseSeconds);
  const perOrganization = (work: (organizationId: string) => Promise<unknown>) => async (): Promise<void> => {
    for (const id of await organizationsWithSlots(database)) await work(id);
  };
  const once = (work: () => Promise<unknown>) => async (): Promise<void> => void (await work());
  return [
    { name: 'sessions of dead hosts', everyMs: leaseMs / 3, run: once(() => deadHosts.endSessions()) },
    { name: 'unclaimed launches', everyMs: 1_000, run: once(() => endLostLaunches(fleet, launchTimeoutSeconds + afterLaunchSeconds)) },
    { name: 'stale endings', everyMs: 10_000, run: once(() => endStaleEnding(fleet.ending, staleEndingSeconds)) },
    {
      name: 'reconcile',
      everyMs: Math.min(reconcileSeconds * 1_000, leaseMs / 3),
      run: perOrganization(async (organizationId) => {
        const { lapsed } = await live.reconcile(organizationId, leaseMs);
        for (const { member } of lapsed) await endRow(fleet.ending, member, 'lease_lost');
      }),
    },
    {
      name: 'dead members',
      everyMs: Math.max(leaseMs, 10_000),
      run: perOrganization((organizationId) => live.sweep(organizationId, deadMembersAtOnce)),
    },
  ];
}
