import { keys, scopeKeys } from './keys.js';
import { storedPoolPrefix, stored } from './members.js';
import type { Scripts } from './scripts.js';
import type { Admission, Caps, PoolRequest, Scope, Usage } from './types.js';

/** The organization has no valid ready marker in this life of Redis: rebuild, then ask again. */
export const NOT_READY = Symbol('not ready');
export type NotReady = typeof NOT_READY;

/** Another process has the lock by now; whatever it rebuilds is newer than what we know. */
export const LOCK_LOST = Symbol('lock lost');

const NO_CAP = -1;
const reply = { organizationFull: 0, projectFull: -1, notReady: -2, lockLost: -3 } as const;

/** One method a Lua file, of the same name: keys and arguments in, the reply as a value out. */
export class Commands {
  readonly #scripts: Scripts;

  constructor(scripts: Scripts) {
    this.#scripts = scripts;
  }

  /** One answer for each member, in their order: `request` says where and under which caps. */
  acquire(request: Scope & Caps & { readonly leaseMs: number }, members: readonly string[]): Promise<Admission[] | NotReady> {
    const { organizationId, projectId, organizationLimit, projectLimit, leaseMs } = request;
    const { organization, project, ready } = scopeKeys(organizationId, projectId);
    return this.#scripts
      .run(
        'acquire',
        organizationId,
        [organization, project, ready],
        [organizationLimit, projectLimit ?? NO_CAP, leaseMs, ...members.map((member) => stored(projectId, member))],
      )
      .then((answer) => (saysNotReady(answer) ? NOT_READY : members.map((_, index) => admission(answer as number[], index * 3, request))));
  }

  async resizePool(request: PoolRequest): Promise<Admission | NotReady> {
    const { organizationId, projectId, organizationLimit, projectLimit } = request;
    const answer = await this.#scripts.run(
      'resize_pool',
      organizationId,
      [
        keys.organization(organizationId),
        keys.project(organizationId, projectId),
        keys.ready(organizationId),
        keys.suspects(organizationId),
      ],
      [storedPoolPrefix(projectId, request.poolId), request.size, organizationLimit, projectLimit ?? NO_CAP, request.leaseMs],
    );
    return saysNotReady(answer) ? NOT_READY : admission(answer as number[], 0, request);
  }

  async holdPool({
    organizationId,
    projectId,
    poolId,
    size,
  }: Scope & { readonly poolId: string; readonly size: number }): Promise<true | NotReady> {
    const answer = await this.#scripts.run(
      'hold_pool',
      organizationId,
      [keys.organization(organizationId), keys.project(organizationId, projectId), keys.ready(organizationId)],
      [storedPoolPrefix(projectId, poolId), size],
    );
    return saysNotReady(answer) ? NOT_READY : true;
  }

  /** Answers for each member whether it was there. */
  release({ organizationId, projectId }: Scope, members: readonly string[]): Promise<boolean[]> {
    const { organization, project } = scopeKeys(organizationId, projectId);
    return this.#scripts
      .run(
        'release',
        organizationId,
        [organization, project],
        members.map((member) => stored(projectId, member)),
      )
      .then((answer) => (answer as number[]).map((removed) => removed === 1));
  }

  async renew(
    { organizationId, projectId }: Scope,
    members: readonly string[],
    leaseMs: number,
    readyMs: number,
  ): Promise<string[] | NotReady> {
    const answer = await this.#scripts.run(
      'renew',
      organizationId,
      [keys.organization(organizationId), keys.project(organizationId, projectId), keys.ready(organizationId)],
      [leaseMs, readyMs, ...members.map((member) => stored(projectId, member))],
    );
    return saysNotReady(answer) ? NOT_READY : at(members, answer);
  }

  async usage(organizationId: string, projectId?: string): Promise<Usage | NotReady> {
    const scopes = [keys.ready(organizationId), keys.organization(organizationId)];
    if (projectId !== undefined) scopes.push(keys.project(organizationId, projectId));
    const answer = (await this.#scripts.run('usage', organizationId, scopes, [])) as number[];
    return saysNotReady(answer) ? NOT_READY : { organization: answer[0]!, project: answer[1] ?? null };
  }

  /** A page by rank: stored members with the end of their leases, and Redis' clock. */
  async members(
    organizationId: string,
    first: number,
    last: number,
  ): Promise<{ now: number; page: { stored: string; leaseEnd: number }[] } | NotReady> {
    const answer = (await this.#scripts.run(
      'members',
      organizationId,
      [keys.ready(organizationId), keys.organization(organizationId)],
      [first, last],
    )) as (string | number)[];
    if (saysNotReady(answer)) return NOT_READY;
    const page = [];
    for (let i = 1; i < answer.length; i += 2)
      page.push({ stored: String(answer[i]), leaseEnd: answer[i + 1] === 'inf' ? Infinity : Number(answer[i + 1]) });
    return { now: Number(answer[0]), page };
  }

  /** Answers the rows that were not live and now are. */
  async restore<T extends { readonly member: string; readonly leaseMs: number | null }>(
    { organizationId, projectId }: Scope,
    rows: readonly T[],
    which: 'lost' | 'all',
    token: string,
  ): Promise<T[] | typeof LOCK_LOST> {
    const answer = (await this.#scripts.run(
      'restore',
      organizationId,
      [keys.organization(organizationId), keys.project(organizationId, projectId), keys.lock(organizationId)],
      [token, which, ...rows.flatMap((row) => [row.leaseMs ?? 'inf', stored(projectId, row.member)])],
    )) as number[];
    return answer[0] === reply.lockLost ? LOCK_LOST : at(rows, answer);
  }

  /** False: the lock was lost, so what was rebuilt may be older than what another process is rebuilding. */
  async markReady(organizationId: string, token: string, readyMs: number): Promise<boolean> {
    return (
      (await this.#scripts.run('mark_ready', organizationId, [keys.ready(organizationId), keys.lock(organizationId)], [token, readyMs])) ===
      1
    );
  }

  async keepReady(organizationId: string, token: string, readyMs: number): Promise<boolean> {
    return (
      (await this.#scripts.run('keep_ready', organizationId, [keys.ready(organizationId), keys.lock(organizationId)], [token, readyMs])) ===
      1
    );
  }

  async unlock(organizationId: string, token: string): Promise<void> {
    await this.#scripts.run('unlock', organizationId, [keys.lock(organizationId)], [token]);
  }

  /** Answers those of `seen` that have been without a row for the whole grace. */
  async suspect(organizationId: string, graceMs: number, cleared: readonly string[], seen: readonly string[]): Promise<string[]> {
    const answer = await this.#scripts.run(
      'suspect',
      organizationId,
      [keys.suspects(organizationId)],
      [graceMs, cleared.length, ...cleared, ...seen],
    );
    return at(seen, answer);
  }

  async dead(organizationId: string, retentionMs: number, limit: number): Promise<string[]> {
    return (await this.#scripts.run('dead', organizationId, [keys.organization(organizationId)], [retentionMs, limit])) as string[];
  }

  async forget({ organizationId, projectId }: Scope, members: readonly string[], retentionMs: number): Promise<number> {
    return (await this.#scripts.run(
      'forget',
      organizationId,
      [keys.organization(organizationId), keys.project(organizationId, projectId)],
      [retentionMs, ...members.map((member) => stored(projectId, member))],
    )) as number;
  }
}

/** Reads a verdict and both counts. */
function admission(answer: readonly number[], start: number, { organizationLimit, projectLimit }: Caps): Admission {
  const [organizationUsed, projectUsed] = [answer[start + 1]!, answer[start + 2]!];
  switch (answer[start]) {
    case reply.projectFull:
      return { admitted: false, full: 'project', limit: projectLimit!, used: projectUsed };
    case reply.organizationFull:
      return { admitted: false, full: 'organization', limit: organizationLimit, used: organizationUsed };
    default:
      return {
        admitted: true,
        organization: { limit: organizationLimit, used: organizationUsed },
        project: { limit: projectLimit, used: projectUsed },
      };
  }
}

function saysNotReady(answer: unknown): boolean {
  return Array.isArray(answer) && answer[0] === reply.notReady;
}

/** Scripts answer with positions (from 1) instead of repeating members. */
function at<T>(items: readonly T[], positions: unknown): T[] {
  return (positions as number[]).map((position) => items[position - 1]!);
}
