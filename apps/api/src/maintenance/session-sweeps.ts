import {
  DeadHosts,
  endRow,
  endStaleEnding,
  endUnclaimedLaunches,
  forgetHosts,
  handOnFromDeadHosts,
  waitingAgain,
} from '@berth/browser-fleet';
import { type Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { LiveSessions } from '@berth/live-sessions';
import type { Fleet } from '../admission/fleet.js';
import type { ApiConfig } from '../config.js';
import type { Sweep } from './sweep-schedule.js';

/** The create that waited for a launch gives it up by itself; a row older than this has lost its create. */
const afterLaunchSeconds = 5;
/** A living host confirms an end within seconds, or within half a minute when it keeps a large profile. */
const staleEndingSeconds = 60;
/** Long after its sessions have been ended. */
const forgottenHostSeconds = 3_600;
const deadMembersAtOnce = 500;

/**
 * Organizations that hold a slot according to their rows, and those whose pools were deleted lately: the slots of a pool never lapse, so
 * when the process that deleted it died before it freed them, only the reconciler can. What else Redis holds lapses by itself.
 */
async function organizationsWithSlots(database: Database): Promise<string[]> {
  const { rows } = await unscoped(database).pool.query<{ id: string }>(
    `SELECT organization_id AS id FROM browser_sessions WHERE status <> 'ended' UNION SELECT organization_id FROM browser_pools WHERE deleted_at IS NULL OR deleted_at > now() - interval '7 days'`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Launches that nobody waits for any more are ended, and their jobs with them: with no host there to look at them in vain, they would stay
 * in the queue for good. Only then are those that hosts died over, or left when they were stopped, put before the others.
 */
async function settleLaunches(fleet: Fleet, olderThanSeconds: number): Promise<void> {
  const { access } = fleet.ending;
  await Promise.all((await endUnclaimedLaunches(fleet.ending, olderThanSeconds)).map((id) => fleet.cancel(id)));
  await handOnFromDeadHosts(access, (hostId) => fleet.hostListens(hostId));
  await Promise.all((await waitingAgain(access)).map((id) => fleet.launch(id)));
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
    // Two heartbeats after the last one a host is dead, so its slots are back within a lease.
    { name: 'sessions of dead hosts', everyMs: leaseMs / 6, run: once(() => deadHosts.endSessions()) },
    { name: 'launches', everyMs: 1_000, run: once(() => settleLaunches(fleet, launchTimeoutSeconds + afterLaunchSeconds)) },
    { name: 'stale endings', everyMs: 10_000, run: once(() => endStaleEnding(fleet.ending, staleEndingSeconds)) },
    { name: 'forgotten hosts', everyMs: 60_000, run: once(() => forgetHosts(fleet.ending, forgottenHostSeconds)) },
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
