import { once } from 'node:events';
import type { Cluster, Redis } from 'ioredis';
import { Commands, NOT_READY, type NotReady } from './commands.js';
import { Lock } from './lock.js';
import { byProject, heldBy, inChunks } from './members.js';
import { Rebuild } from './rebuild.js';
import { Reconcile } from './reconcile.js';
import { SameTurn } from './same-turn.js';
import { Scripts } from './scripts.js';
import {
  type AcquireRequest,
  type Admission,
  type Admissions,
  AdmissionUnavailable,
  type Held,
  type LiveRows,
  type PoolRequest,
  type ReconcileReport,
  type RenewRequest,
  type Scope,
  type Usage,
  type WhenNotReady,
} from './types.js';

interface Slot {
  readonly scope: Scope;
  readonly member: string;
}

export interface LiveSessionsOptions {
  /** From `connectRedis` or `connectCluster`: one connection for all calls, pipelined by itself. */
  readonly redis: Redis | Cluster;
  readonly rows: LiveRows;
  /** The shortest lease anyone uses, ms (`BERTH_LEASE_SECONDS`). Hosts renew every third of it, sooner after a failure. */
  readonly leaseMs?: number;
}

/** Reads answer within 1 s (D29); what is left of it is the caller's. */
const USAGE_WITHIN_MS = 800;
/** A report of "not ready" right after a rebuild means Redis was lost again; more than this in one call is an outage. */
const REBUILDS_PER_CALL = 3;
const PREPARED_WITHIN_MS = 2_000;
const SWEEP_STEP = 500;
/** Leases for which the dead are kept, so that the reconciler can tell a lapsed session (end its row) from a lost one (restore it). */
const KEPT_LEASES = 20;

/**
 * Who is live, per organization and project: the gate in front of every browser. Redis holds the members, Postgres the truth.
 *
 * Exact: every decision is one script on one node, on that node's clock. Crash-proof: a member counts until its lease ends,
 * and nothing is ever counted up or down. Never blind: without a marker of this life of Redis nothing is admitted before the
 * members are rebuilt from the rows. The marker itself lives two thirds of a lease and is prolonged by renewals and
 * reconciliation, so it is gone before leases can lapse because nobody could reach Redis.
 *
 * Holds no state of its own but which life of Redis it talks to. Safe to share in a process; nothing to close but `redis`.
 */
export class LiveSessions implements Admissions {
  readonly #redis: Redis | Cluster;
  readonly #scripts: Scripts;
  readonly #commands: Commands;
  readonly #acquires = new SameTurn((requests: readonly AcquireRequest[]) => this.#acquireAll(requests));
  readonly #releases = new SameTurn((slots: readonly Slot[]) => this.#releaseAll(slots));
  readonly #rebuild: Rebuild;
  readonly #reconcile: Reconcile;
  readonly #readyMs: number;
  readonly #retentionMs: number;

  constructor({ redis, rows, leaseMs = 30_000 }: LiveSessionsOptions) {
    this.#readyMs = Math.floor((leaseMs * 2) / 3);
    this.#retentionMs = leaseMs * KEPT_LEASES;
    this.#redis = redis;
    this.#scripts = new Scripts(redis);
    this.#commands = new Commands(this.#scripts);
    const lock = new Lock(redis, this.#commands);
    this.#rebuild = new Rebuild(this.#commands, lock, rows, this.#readyMs);
    this.#reconcile = new Reconcile(redis, this.#commands, lock, rows, this.#readyMs);
  }

  /**
   * Connects and loads the commands, so that a process that has just started does not refuse its first creates for want of them.
   * Rejects when Redis is not there within `withinMs`; calls do the same work by themselves then.
   */
  async prepare(withinMs = PREPARED_WITHIN_MS): Promise<void> {
    if (this.#redis.status !== 'ready') await once(this.#redis, 'ready', { signal: AbortSignal.timeout(withinMs) });
    await this.#scripts.prepare();
  }

  /**
   * Takes one slot in organization and project, or none (D28). A member that is live already keeps its slot and is admitted.
   * When it throws, the slot may have been taken all the same: it lapses with its lease, or earlier by `release`.
   * @throws AdmissionUnavailable
   */
  acquire(request: AcquireRequest): Promise<Admission> {
    const { organizationId, projectId, organizationLimit, projectLimit, leaseMs } = request;
    return this.#acquires.ask(`${organizationId}:${projectId}:${organizationLimit}:${projectLimit}:${leaseMs}`, request);
  }

  /** Answers the members that were there. @throws AdmissionUnavailable: the slots lapse with their leases. */
  async release(scope: Scope, members: readonly string[]): Promise<readonly string[]> {
    const there = await Promise.all(
      members.map((member) => this.#releases.ask(`${scope.organizationId}:${scope.projectId}`, { scope, member })),
    );
    return members.filter((_, index) => there[index]);
  }

  /**
   * A member answered as gone was released, removed, or lapsed; its slot may be another's. Its browser must end, unless
   * `acquire` admits it anew.
   * @throws AdmissionUnavailable: try again well before the lease ends.
   */
  async renew({ organizationId, members, leaseMs }: RenewRequest): Promise<readonly Held[]> {
    const batches = [...byProject(members)].flatMap(([projectId, group]) => inChunks(group).map((chunk) => ({ projectId, chunk })));
    const gone = await Promise.all(
      batches.map(async ({ projectId, chunk }) => {
        const names = chunk.map((held) => held.member);
        const lost = await this.#whenReady(organizationId, () =>
          this.#commands.renew({ organizationId, projectId }, names, leaseMs, this.#readyMs),
        );
        return lost.map((member) => ({ member, projectId }));
      }),
    );
    return gone.flat();
  }

  /** @throws AdmissionUnavailable */
  async ensureReady(organizationId: string): Promise<void> {
    await this.#whenReady(organizationId, () => this.#commands.usage(organizationId));
  }

  /** @throws AdmissionUnavailable within 1 s, also while a rebuild is still running (it goes on). */
  async usage(organizationId: string, projectId?: string): Promise<Usage> {
    const asked = this.#whenReady(organizationId, () => this.#commands.usage(organizationId, projectId));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const end = (): void => reject(new AdmissionUnavailable(`usage was not known within ${USAGE_WITHIN_MS} ms`));
      // Not before an answer that has arrived is read, as in the client.
      timer = setTimeout(() => setImmediate(end), USAGE_WITHIN_MS);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * A pool that does not exist yet has size 0. Repeating it takes nothing twice. When growing, call it before the row says so; when
   * shrinking, after. @throws AdmissionUnavailable
   */
  resizePool(request: PoolRequest, whenNotReady: WhenNotReady = 'rebuild'): Promise<Admission> {
    return this.#whenReady(request.organizationId, () => this.#commands.resizePool(request), whenNotReady);
  }

  /** @throws AdmissionUnavailable: the reconciler will do it, if it runs before the slots lapse. */
  async holdPool(pool: Scope & { readonly poolId: string; readonly size: number }, whenNotReady: WhenNotReady = 'rebuild'): Promise<void> {
    await this.#whenReady(pool.organizationId, () => this.#commands.holdPool(pool), whenNotReady);
  }

  /** Call it after the pool's row is deleted. @throws AdmissionUnavailable: the reconciler frees the slots after its grace. */
  async releasePool(pool: Scope & { readonly poolId: string }): Promise<void> {
    // Size 0 asks no cap and needs no marker, so the caps here are never looked at.
    await this.#commands.resizePool({ ...pool, size: 0, organizationLimit: 0, projectLimit: null, leaseMs: 0 });
  }

  /** @throws AdmissionUnavailable when Redis or the rows cannot be read; then nothing was changed for want of knowledge. */
  async reconcile(organizationId: string, graceMs: number): Promise<ReconcileReport> {
    const skipped: ReconcileReport = { skipped: true, restored: [], removed: [], lapsed: [], suspected: [] };
    return this.#whenReady(organizationId, async () => (await this.#reconcile.run(organizationId, graceMs)) ?? skipped);
  }

  /** In steps of 500, each a few scripts of about 1 ms: other tenants get their turn in between. @throws AdmissionUnavailable */
  async sweep(organizationId: string, limit = SWEEP_STEP): Promise<number> {
    let deleted = 0;
    while (deleted < limit) {
      const dead = await this.#commands.dead(organizationId, this.#retentionMs, Math.min(SWEEP_STEP, limit - deleted));
      let inStep = 0;
      for (const [projectId, group] of byProject(dead.map(heldBy))) {
        inStep += await this.#commands.forget(
          { organizationId, projectId },
          group.map((held) => held.member),
          this.#retentionMs,
        );
      }
      deleted += inStep;
      if (inStep === 0) break;
    }
    return deleted;
  }

  /** All in one project, under the same caps. Written with `then`, as every await here is paid for by each call. */
  #acquireAll(requests: readonly AcquireRequest[]): Promise<readonly Admission[]> {
    const [first] = requests as [AcquireRequest];
    const members = requests.map(({ member }) => member);
    const ask = (): Promise<Admission[] | NotReady> => this.#commands.acquire(first, members);
    return ask().then((answer) => (answer === NOT_READY ? this.#afterRebuild(first.organizationId, ask) : answer));
  }

  /** All in one project. Answers for each whether it was there. */
  #releaseAll(slots: readonly Slot[]): Promise<readonly boolean[]> {
    const [{ scope }] = slots as [Slot];
    return this.#commands.release(
      scope,
      slots.map(({ member }) => member),
    );
  }

  /** Ready is the rule, so it costs one promise and no more; the loop is for the first call of a life of Redis. */
  async #whenReady<T>(organizationId: string, ask: () => Promise<T | NotReady>, whenNotReady: WhenNotReady = 'rebuild'): Promise<T> {
    const answer = await ask();
    if (answer !== NOT_READY) return answer;
    if (whenNotReady === 'refuse') throw new AdmissionUnavailable('Redis has lost its data, and it is not rebuilt here');
    return this.#afterRebuild(organizationId, ask);
  }

  async #afterRebuild<T>(organizationId: string, ask: () => Promise<T | NotReady>): Promise<T> {
    for (let rebuilt = 0; ; rebuilt += 1) {
      if (rebuilt === REBUILDS_PER_CALL) throw new AdmissionUnavailable('Redis loses its data faster than it can be rebuilt');
      await this.#rebuild.ensure(organizationId);
      const answer = await ask();
      if (answer !== NOT_READY) return answer;
    }
  }
}
