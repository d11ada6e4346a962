/** What the rest of the house says to admission, and what it hears back. */

/** One row of Postgres that holds a slot: a live on-demand or login browser, or one slot of a pool. */
export interface LiveRow {
  /** Session id, or one of `poolMembers(poolId, size)`. */
  readonly member: string;
  readonly projectId: string;
  /** Lease to give it, in milliseconds, from now; `null` holds the slot as long as the row exists (pools). */
  readonly leaseMs: number | null;
}

/** Postgres, seen from here: every row of the organization that holds a slot. Throws when it cannot be read in full. */
export interface LiveRows {
  rowsOf(organizationId: string): Promise<readonly LiveRow[]>;
}

export interface Scope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The caps that hold for this call; they come with the call, so a changed cap needs no write in Redis (D26). */
export interface Caps {
  readonly organizationLimit: number;
  /** Effective cap of the project; `null`: only the organization's cap applies. */
  readonly projectLimit: number | null;
}

export interface AcquireRequest extends Scope, Caps {
  /** Session id. Acquiring it again is not counted twice and is not refused at the cap. */
  readonly member: string;
  readonly leaseMs: number;
}

export interface PoolRequest extends Scope, Caps {
  readonly poolId: string;
  /** Whole size of the reservation after the call, ≥ 0; `max(new size, leased)` when shrinking (D34). */
  readonly size: number;
  /** New slots lapse after this unless `holdPool` or the reconciler has seen the pool's row by then. */
  readonly leaseMs: number;
}

/**
 * What to do when Redis has lost the members. `refuse` is for who holds a connection to the rows' store, such as a lock on a pool's row: a
 * rebuild reads the rows through a connection of its own, and all may be held by those who wait for it.
 */
export type WhenNotReady = 'rebuild' | 'refuse';

export type ScopeName = 'organization' | 'project';

/** Counts include what the call itself just took. */
export interface Admitted {
  readonly admitted: true;
  readonly organization: { readonly limit: number; readonly used: number };
  readonly project: { readonly limit: number | null; readonly used: number };
}

/** Which cap is full (the project's is told first, D28), with the figures Redis decided on. */
export interface Refused {
  readonly admitted: false;
  readonly full: ScopeName;
  readonly limit: number;
  readonly used: number;
}

export type Admission = Admitted | Refused;

export interface Usage {
  readonly organization: number;
  /** Present when a project was asked for. */
  readonly project: number | null;
}

export interface Held {
  readonly member: string;
  readonly projectId: string;
}

export interface RenewRequest {
  readonly organizationId: string;
  readonly members: readonly Held[];
  readonly leaseMs: number;
}

export interface ReconcileReport {
  /** Another process was at it; nothing was looked at. */
  readonly skipped: boolean;
  /** Rows that had lost their member and have it back. */
  readonly restored: readonly Held[];
  /** Members without a row for longer than the grace; their slots are free again. */
  readonly removed: readonly Held[];
  /** Rows whose lease ran out: nobody renews them, so the caller ends those rows. Their slots are free already. */
  readonly lapsed: readonly Held[];
  /** Members without a row, still within the grace. */
  readonly suspected: readonly Held[];
}

/** Redis cannot be asked, or Postgres cannot be read while usage must be rebuilt. Creates answer 503, usage reads null (D29). */
export class AdmissionUnavailable extends Error {
  override readonly name = 'AdmissionUnavailable';
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
  }
}

/** Everything admission can do; `LiveSessions` is the one implementation. All of it may throw `AdmissionUnavailable`. */
export interface Admissions {
  /** All or none over organization and project. Call it again after the row is inserted: that confirms the slot. */
  acquire(request: AcquireRequest): Promise<Admission>;
  /** Gives slots back. Idempotent. Answers which of them were still there. Call it after the row says ended. */
  release(scope: Scope, members: readonly string[]): Promise<readonly string[]>;
  /** Prolongs leases, one round trip however many; answers the members that are gone (released or lapsed). */
  renew(request: RenewRequest): Promise<readonly Held[]>;
  /** Rebuilds the organization's members if Redis has lost them; for who is about to call with `refuse`. */
  ensureReady(organizationId: string): Promise<void>;
  /** Slots in use, one round trip, answered or thrown within 1 s (D29). */
  usage(organizationId: string, projectId?: string): Promise<Usage>;
  /** Takes the slots of a new pool or grows it, all or none (429 and nothing changes) or shrinks (never refused). */
  resizePool(request: PoolRequest, whenNotReady?: WhenNotReady): Promise<Admission>;
  /** After the pool's row is committed: its slots no longer lapse. */
  holdPool(pool: Scope & { readonly poolId: string; readonly size: number }, whenNotReady?: WhenNotReady): Promise<void>;
  releasePool(pool: Scope & { readonly poolId: string }): Promise<void>;
  /** Both ways between rows and members; changes nothing when the rows cannot be read. Run it at least every third of a lease. */
  reconcile(organizationId: string, graceMs: number): Promise<ReconcileReport>;
  /** Deletes up to `limit` long-dead members; answers how many. Dead members never count, so this only saves memory. */
  sweep(organizationId: string, limit?: number): Promise<number>;
}
