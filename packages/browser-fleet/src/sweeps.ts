/**
 * What a host, or a create, would do if it still lived. Every API process runs these, and the browser hosts watch over each other with
 * `DeadHosts`; each is a statement over rows, on PostgreSQL's clock, and safe to run twice at once.
 */
import { type EndedRow, endedColumns, type EndingPorts, type EndReason, goneNow, settleEnded } from './ending.js';
import { handOn } from './handing-on.js';
import { knock, lifeUrl } from './knock.js';

async function endWhere(ports: EndingPorts, reason: EndReason, where: string, ...values: readonly unknown[]): Promise<readonly string[]> {
  const { rows } = await ports.access.pool.query<EndedRow>(
    `UPDATE browser_sessions s SET status = 'ended', ${goneNow}, end_reason = coalesce(s.end_reason, $1)
     WHERE s.status <> 'ended' AND ${where} RETURNING ${endedColumns}`,
    [reason, ...values],
  );
  await settleEnded(ports, rows);
  return rows.map((row) => row.id);
}

/** A host beats every third of a lease, and sooner again when it could not: after this part of it two heartbeats are missing. */
const twoBeats = 2 / 3;
/** A machine that lives refuses at once. */
const knockWithinMs = 500;

/**
 * Hosts with sessions, of which nothing was heard for two heartbeats of a lease of `$1` seconds, and those that are not registered (any
 * more).
 */
const silentHosts = `
  SELECT DISTINCT ON (s.host_id) s.host_id AS id, coalesce(h.internal_url, s.host_internal_url) AS "internalUrl", coalesce(h.heartbeat_at::text, 'never') AS heartbeat,
         coalesce(h.heartbeat_at <= now() - make_interval(secs => $1), true) AS overdue, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
    FROM browser_sessions s LEFT JOIN browser_hosts h ON h.id = s.host_id
   WHERE s.status <> 'ended' AND s.host_id IS NOT NULL AND (h.id IS NULL OR h.heartbeat_at <= now() - make_interval(secs => $1 * ${twoBeats}))
   ORDER BY s.host_id`;

interface SilentHost {
  readonly id: string;
  readonly internalUrl: string | null;
  /** Silent for the whole lease. */
  readonly overdue: boolean;
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

/** Of hosts that have not beaten since. */
const stillSilent = (hosts: string, seconds: string): string =>
  `s.host_id = ANY(${hosts}) AND NOT EXISTS (SELECT 1 FROM browser_hosts h WHERE h.id = s.host_id AND h.heartbeat_at > now() - make_interval(secs => ${seconds}))`;

/**
 * Ends the sessions of hosts that died, and hands on what they were launching.
 *
 * A host that has missed two heartbeats and whose door refuses is dead: one that lives and only is cut off from this process still beats,
 * and one that only cannot write its heartbeat still opens. Where the door is silent (the machine is gone, or the network) silence alone
 * must tell, and takes longer. After PostgreSQL was away for a lease, every host looks dead until its next heartbeat is written, so one
 * look convicts nobody: a host must be found silent again and again for half a lease, which is longer than the third of a lease between two
 * heartbeats, by looks less than a lease apart: a longer gap is an outage, and what was seen before it counts for nothing.
 */
export class DeadHosts {
  #suspicions: ReadonlyMap<string, Suspicion> = new Map();

  constructor(
    private readonly ports: EndingPorts,
    private readonly leaseSeconds: number,
  ) {}

  /** The name of the lock under which one process at a time looks, whichever lives. */
  static readonly lockName = 'sweep sessions of dead hosts';

  /** One look; call it every third of a lease. Answers the ids of the sessions it ended. */
  async endSessions(): Promise<readonly string[]> {
    const leaseMs = this.leaseSeconds * 1_000;
    const { rows } = await this.ports.access.pool.query<SilentHost>(silentHosts, [this.leaseSeconds]);
    this.#suspicions = new Map(rows.filter(({ overdue }) => overdue).map((host) => [host.id, this.#suspect(host, leaseMs)]));
    const silent = [...this.#suspicions].filter(([, { since, last }]) => last - since >= leaseMs / 2).map(([id]) => id);
    return [...(await this.#endOf(await refusing(rows), this.leaseSeconds * twoBeats)), ...(await this.#endOf(silent, this.leaseSeconds))];
  }

  async #endOf(hostIds: readonly string[], silentSeconds: number): Promise<readonly string[]> {
    if (hostIds.length === 0) return [];
    await handOn(this.ports.access, stillSilent('$1', '$2'), hostIds, silentSeconds);
    return endWhere(this.ports, 'host_lost', stillSilent('$2', '$3'), hostIds, silentSeconds);
  }

  #suspect({ id, heartbeat, now }: SilentHost, leaseMs: number): Suspicion {
    const known = this.#suspicions.get(id);
    const goesOn = known !== undefined && known.heartbeat === heartbeat && now - known.last < leaseMs;
    return { heartbeat, since: goesOn ? known.since : now, last: now };
  }
}

async function refusing(hosts: readonly SilentHost[]): Promise<string[]> {
  const states = await Promise.all(
    hosts.map(async ({ internalUrl }) => (internalUrl === null ? 'silent' : knock(lifeUrl(internalUrl), knockWithinMs))),
  );
  return hosts.filter((_, index) => states[index] === 'refused').map(({ id }) => id);
}

/** Ends rows that no host has claimed for `olderThanSeconds` (the launch time-out and some): the create that waited for them is gone. */
export function endUnclaimedLaunches(ports: EndingPorts, olderThanSeconds: number): Promise<readonly string[]> {
  return endWhere(
    ports,
    'launch_unclaimed',
    `s.status = 'starting' AND s.host_id IS NULL AND s.created_at < now() - make_interval(secs => $2)`,
    olderThanSeconds,
  );
}

/**
 * Ends rows that have been `ending` for `olderThanSeconds` without their host having finished them. For a stuck host: a living one
 * confirms within seconds, and kills whatever browser it still has when it sees the row ended. Choose a minute or more.
 */
export function endStaleEnding(ports: EndingPorts, olderThanSeconds: number): Promise<readonly string[]> {
  return endWhere(ports, 'deleted', `s.status = 'ending' AND s.ending_at < now() - make_interval(secs => $2)`, olderThanSeconds);
}

/**
 * Forgets hosts that were not heard of for `olderThanSeconds` and that no live session names: those that were killed and came back under
 * another id. One that was only away registers again with its next heartbeat. Answers their ids.
 */
export async function forgetHosts(ports: EndingPorts, olderThanSeconds: number): Promise<readonly string[]> {
  const { rows } = await ports.access.pool.query<{ id: string }>(
    `DELETE FROM browser_hosts h WHERE h.heartbeat_at < now() - make_interval(secs => $1)
      AND NOT EXISTS (SELECT 1 FROM browser_sessions s WHERE s.host_id = h.id AND s.status <> 'ended') RETURNING h.id`,
    [olderThanSeconds],
  );
  return rows.map(({ id }) => id);
}
