/**
 * What a host, or a create, would do if it still lived. Every API process runs these, and the browser hosts watch over each other with `DeadHosts`; each is a
 * statement over rows, on PostgreSQL's clock, and safe to run twice at once.
 */
import { type EndedRow, endedColumns, type EndingPorts, type EndReason, settleEnded } from './ending.js';

async function endWhere(ports: EndingPorts, reason: EndReason, where: string, ...values: readonly unknown[]): Promise<readonly string[]> {
  const { rows } = await ports.access.pool.query<EndedRow>(
    `UPDATE browser_sessions s
     SET status = 'ended', deleted_at = now(), ending_at = coalesce(s.ending_at, now()), end_reason = coalesce(s.end_reason, $1)
     WHERE s.status <> 'ended' AND ${where} RETURNING ${endedColumns}`,
    [reason, ...values],
  );
  await settleEnded(ports, rows);
  return rows.map((row) => row.id);
}

/** Hosts with sessions, of which nothing was heard for `$1` seconds, and those that are not registered (any more). */
const silentHosts = `
  SELECT DISTINCT s.host_id AS id, coalesce(h.heartbeat_at::text, 'never') AS heartbeat, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
    FROM browser_sessions s LEFT JOIN browser_hosts h ON h.id = s.host_id
   WHERE s.status <> 'ended' AND s.host_id IS NOT NULL AND (h.id IS NULL OR h.heartbeat_at <= now() - make_interval(secs => $1))`;

interface SilentHost {
  readonly id: string;
  /** The last one; a host that beats once more is another matter. */
  readonly heartbeat: string;
  /** PostgreSQL's clock, ms. */
  readonly now: number;
}

interface Suspicion {
  readonly heartbeat: string;
  readonly since: number;
  readonly last: number;
}

/**
 * Ends the sessions of hosts that died. After PostgreSQL was away for a lease, every host looks dead until its next heartbeat is written, so one
 * look convicts nobody: a host must be found silent again and again for half a lease, which is longer than the third of a lease between two
 * heartbeats, by looks less than a lease apart: a longer gap is an outage, and what was seen before it counts for nothing.
 */
export class DeadHosts {
  #suspicions: ReadonlyMap<string, Suspicion> = new Map();

  constructor(private readonly ports: EndingPorts, private readonly leaseSeconds: number) {}

  /** The name of the lock under which one process at a time looks, whichever lives. */
  static readonly lockName = 'sweep sessions of dead hosts';

  /** One look; call it every third of a lease. Answers the ids of the sessions it ended. */
  async endSessions(): Promise<readonly string[]> {
    const leaseMs = this.leaseSeconds * 1_000;
    const { rows } = await this.ports.access.pool.query<SilentHost>(silentHosts, [this.leaseSeconds]);
    this.#suspicions = new Map(rows.map((host) => [host.id, this.#suspect(host, leaseMs)]));
    const dead = [...this.#suspicions].filter(([, { since, last }]) => last - since >= leaseMs / 2).map(([id]) => id);
    if (dead.length === 0) return [];
    return endWhere(
      this.ports, 'host_lost',
      `s.host_id = ANY($2) AND NOT EXISTS (SELECT 1 FROM browser_hosts h WHERE h.id = s.host_id AND h.heartbeat_at > now() - make_interval(secs => $3))`,
      dead, this.leaseSeconds,
    );
  }

  #suspect({ id, heartbeat, now }: SilentHost, leaseMs: number): Suspicion {
    const known = this.#suspicions.get(id);
    const goesOn = known !== undefined && known.heartbeat === heartbeat && now - known.last < leaseMs;
    return { heartbeat, since: goesOn ? known.since : now, last: now };
  }
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
