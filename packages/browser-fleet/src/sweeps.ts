/**
 * What a host would do if it still lived. Every API process and every host runs these (`sweepFleet`); each is one statement over
 * rows, on PostgreSQL's clock, and safe to run twice at once.
 */
import { type EndedRow, endedColumns, type EndingPorts, type EndReason, settleEnded } from './ending.js';

async function endWhere(ports: EndingPorts, reason: EndReason, where: string, seconds: number): Promise<readonly string[]> {
  const { rows } = await ports.access.pool.query<EndedRow>(
    `UPDATE browser_sessions s
     SET status = 'ended', deleted_at = now(), ending_at = coalesce(s.ending_at, now()), end_reason = coalesce(s.end_reason, $1)
     WHERE s.status <> 'ended' AND ${where} RETURNING ${endedColumns}`,
    [reason, seconds],
  );
  await settleEnded(ports, rows);
  return rows.map((row) => row.id);
}

/** Hosts of which nothing was heard for `$2` seconds count as dead; so do those that are not registered (any more). */
const hostIsDead = `NOT EXISTS (SELECT 1 FROM browser_hosts h WHERE h.id = s.host_id AND h.heartbeat_at > now() - make_interval(secs => $2))`;

/** Ends the sessions of hosts that missed their heartbeats for a whole lease, and frees their slots. Answers the ended ids. */
export function endSessionsOfDeadHosts(ports: EndingPorts, leaseSeconds: number): Promise<readonly string[]> {
  return endWhere(ports, 'host_lost', `s.host_id IS NOT NULL AND ${hostIsDead}`, leaseSeconds);
}

/** Ends rows that no host has claimed for `olderThanSeconds` (the launch time-out and some): the create that waited for them is gone. */
export function endUnclaimedLaunches(ports: EndingPorts, olderThanSeconds: number): Promise<readonly string[]> {
  return endWhere(ports, 'launch_unclaimed', `s.status = 'starting' AND s.host_id IS NULL AND s.created_at < now() - make_interval(secs => $2)`, olderThanSeconds);
}

/**
 * Ends rows that have been `ending` for `olderThanSeconds` without their host having finished them. For a stuck host: a living one
 * confirms within seconds, and kills whatever browser it still has when it sees the row ended. Choose a minute or more.
 */
export function endStaleEnding(ports: EndingPorts, olderThanSeconds: number): Promise<readonly string[]> {
  return endWhere(ports, 'deleted', `s.status = 'ending' AND s.ending_at < now() - make_interval(secs => $2)`, olderThanSeconds);
}

export interface SweepTimes {
  /** After how long without a heartbeat a host is dead (`BERTH_LEASE_SECONDS`). */
  readonly leaseSeconds: number;
  /** How long a create waits for a host (`BERTH_LAUNCH_TIMEOUT_SECONDS`). */
  readonly launchTimeoutSeconds: number;
}

/** Any number that no other advisory lock of the product uses. */
const sweepLock = 7_230_001;
/** A living host confirms an end within seconds, or a profile save later; past this it is stuck. */
const staleEndingSeconds = 120;

/** All three sweeps, by one process at a time; the others answer at once with nothing. Answers the ended ids. */
export async function sweepFleet(ports: EndingPorts, { leaseSeconds, launchTimeoutSeconds }: SweepTimes): Promise<readonly string[]> {
  const client = await ports.access.pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [sweepLock]);
    if (rows[0]?.mine !== true) return [];
    try {
      return [
        ...(await endSessionsOfDeadHosts(ports, leaseSeconds)),
        ...(await endUnclaimedLaunches(ports, launchTimeoutSeconds + leaseSeconds)),
        ...(await endStaleEnding(ports, staleEndingSeconds)),
      ];
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [sweepLock]);
    }
  } finally {
    client.release();
  }
}
