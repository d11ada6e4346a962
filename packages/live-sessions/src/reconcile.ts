import type { Cluster, Redis } from 'ioredis';
import { type Commands, NOT_READY } from './commands.js';
import { keys } from './keys.js';
import type { Lock } from './lock.js';
import { byProject, heldBy, inChunks, stored } from './members.js';
import { readRows, restoreRows } from './rebuild.js';
import { AdmissionUnavailable, type Held, type LiveRow, type LiveRows, type ReconcileReport } from './types.js';

const PAGE = 1_000;

export interface Difference {
  /** Rows whose member is absent, or lapses although a row holds it. */
  readonly lost: readonly LiveRow[];
  /** Rows whose lease ran out. */
  readonly lapsed: readonly Held[];
  /** Live members without a row, as stored. */
  readonly orphans: readonly string[];
}

/** What rows and members disagree on. `members`: stored member → end of lease; `now`: Redis' clock. Pure. */
export function difference(rows: readonly LiveRow[], members: ReadonlyMap<string, number>, now: number): Difference {
  const lost: LiveRow[] = [];
  const lapsed: Held[] = [];
  const withRow = new Set<string>();
  for (const row of rows) {
    const name = stored(row.projectId, row.member);
    const leaseEnd = members.get(name);
    withRow.add(name);
    if (leaseEnd === undefined || (row.leaseMs === null && leaseEnd !== Infinity)) lost.push(row);
    else if (leaseEnd < now) lapsed.push({ member: row.member, projectId: row.projectId });
  }
  const orphans = [...members].filter(([name, leaseEnd]) => leaseEnd >= now && !withRow.has(name)).map(([name]) => name);
  return { lost, lapsed, orphans };
}

/**
 * Sets right what crashes left behind, in both directions. Members are read before rows, so a session that is starting shows
 * up as a member without a row at worst, and that has a grace: it is removed only after it was seen without a row by two
 * readings at least the grace apart. (First sight is noted here, not at acquire: the hot path pays nothing for it.)
 */
export class Reconcile {
  readonly #redis: Redis | Cluster;
  readonly #commands: Commands;
  readonly #lock: Lock;
  readonly #rows: LiveRows;
  readonly #readyMs: number;

  constructor(redis: Redis | Cluster, commands: Commands, lock: Lock, rows: LiveRows, readyMs: number) {
    this.#redis = redis;
    this.#commands = commands;
    this.#lock = lock;
    this.#rows = rows;
    this.#readyMs = readyMs;
  }

  /** Answers NOT_READY when the organization must be rebuilt first, `null` when another process is at it. */
  run(organizationId: string, graceMs: number): Promise<ReconcileReport | typeof NOT_READY | null> {
    return this.#lock.tryWith(organizationId, async (token) => {
      const found = await this.#allMembers(organizationId);
      const report = found === NOT_READY ? NOT_READY : await this.#setRight(organizationId, graceMs, token, found);
      return (await this.#commands.keepReady(organizationId, token, this.#readyMs)) ? report : NOT_READY;
    });
  }

  async #setRight(organizationId: string, graceMs: number, token: string, { members, now }: Found): Promise<ReconcileReport> {
    const rows = await readRows(this.#rows, organizationId);
    const { lost, lapsed, orphans } = difference(rows, members, now);
    const restored = await restoreRows(this.#commands, this.#rows, organizationId, lost, 'lost', token);
    const removed = await this.#removeOld(organizationId, graceMs, orphans);
    const gone = new Set(removed);
    return {
      skipped: false,
      restored: restored.map(({ member, projectId }) => ({ member, projectId })),
      removed: removed.map(heldBy),
      lapsed,
      suspected: orphans.filter((name) => !gone.has(name)).map(heldBy),
    };
  }

  async #removeOld(organizationId: string, graceMs: number, orphans: readonly string[]): Promise<string[]> {
    const seen = new Set(orphans);
    const cleared = (await this.#suspects(organizationId)).filter((name) => !seen.has(name));
    const over: string[] = [];
    for (const chunk of inChunks(cleared)) await this.#commands.suspect(organizationId, graceMs, chunk, []);
    for (const chunk of inChunks(orphans)) over.push(...(await this.#commands.suspect(organizationId, graceMs, [], chunk)));
    for (const [projectId, group] of byProject(over.map(heldBy))) {
      for (const chunk of inChunks(group))
        await this.#commands.release(
          { organizationId, projectId },
          chunk.map((held) => held.member),
        );
    }
    for (const chunk of inChunks(over)) await this.#commands.suspect(organizationId, graceMs, chunk, []);
    return over;
  }

  /** Page by page: a member that moves between two pages may be missed, which costs a restore that finds it there. */
  async #allMembers(organizationId: string): Promise<Found | typeof NOT_READY> {
    const members = new Map<string, number>();
    for (let first = 0; ; first += PAGE) {
      const answer = await this.#commands.members(organizationId, first, first + PAGE - 1);
      if (answer === NOT_READY) return NOT_READY;
      for (const { stored: name, leaseEnd } of answer.page) members.set(name, leaseEnd);
      if (answer.page.length < PAGE) return { members, now: answer.now };
    }
  }

  async #suspects(organizationId: string): Promise<string[]> {
    try {
      return await this.#redis.zrange(keys.suspects(organizationId), '0', '-1');
    } catch (error) {
      throw new AdmissionUnavailable('Redis did not answer: the suspects could not be read', { cause: error });
    }
  }
}

interface Found {
  readonly members: ReadonlyMap<string, number>;
  readonly now: number;
}
