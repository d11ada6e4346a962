/**
 * What a host would do if it still lived. Every API process and every host runs these, under an advisory lock; each is one statement over
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
