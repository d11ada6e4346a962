import { type EndingPorts, type EndReason, endRow, handOn } from '@berth/browser-fleet';
import { onDiskLater } from '@berth/database';

/** What a host reads of a session's row. */
export interface SessionRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly kind: 'on_demand' | 'pool' | 'login' | 'health_check';
  readonly status: 'starting' | 'running' | 'ending' | 'ended';
  readonly generation: number;
  readonly headless: boolean;
  readonly kioskMode: boolean | null;
  readonly timeoutSeconds: number;
  readonly startUrl: string | null;
  readonly viewport: { readonly width: number; readonly height: number } | null;
  readonly profileId: string | null;
  readonly profileSaveChanges: boolean | null;
  readonly leasedAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
}

const columns = `id, organization_id AS "organizationId", project_id AS "projectId", kind, status, generation, headless, kiosk_mode AS "kioskMode",
  timeout_seconds AS "timeoutSeconds", start_url AS "startUrl", viewport, profile_id AS "profileId", profile_save_changes AS "profileSaveChanges",
  leased_at AS "leasedAt", created_at AS "createdAt", started_at AS "startedAt"`;

export interface HostAddress {
  readonly id: string;
  readonly internalUrl: string;
  readonly publicUrl: string;
}

/** The rows of browser sessions, as one host reads and moves them. It changes none but its own. */
export class SessionRows {
  constructor(
    private readonly ending: EndingPorts,
    private readonly host: HostAddress,
  ) {}

  /**
   * Takes a launch for this host; undefined when it was taken back or another host has it. Nobody is told before `markRunning`. May be asked
   * again when its answer is lost, and so may `markRunning`.
   */
  async claim(sessionId: string): Promise<SessionRow | undefined> {
    return this.#one(
      'host-claim',
      `UPDATE browser_sessions SET host_id = $2, host_internal_url = $3, host_public_url = $4
      WHERE id = $1 AND status = 'starting' AND (host_id IS NULL OR host_id = $2) RETURNING ${columns}, ${onDiskLater}`,
      sessionId,
      this.host.id,
      this.host.internalUrl,
      this.host.publicUrl,
    );
  }

  /** The gate of every launch: undefined when the session was ended meanwhile, then its browser must not be announced. */
  async markRunning(sessionId: string): Promise<SessionRow | undefined> {
    return this.#one(
      'host-running',
      `UPDATE browser_sessions SET status = 'running', started_at = coalesce(started_at, now())
      WHERE id = $1 AND status IN ('starting', 'running') AND host_id = $2 RETURNING ${columns}`,
      sessionId,
      this.host.id,
    );
  }

  /** Unlists the session while its browser is being ended; a reason given before stays, and null leaves it to whoever ends the row. */
  async markEnding(sessionId: string, reason: EndReason | null): Promise<void> {
    await this.#one(
      'host-ending',
      `UPDATE browser_sessions SET status = 'ending', ending_at = now(), end_reason = $3
      WHERE id = $1 AND host_id = $2 AND status IN ('starting', 'running') RETURNING ${columns}`,
      sessionId,
      this.host.id,
      reason,
    );
  }

  /** The browser is gone: no longer counted, its slot free. `ending` while its profile has yet to be stored. */
  async end(sessionId: string, reason: EndReason, status: 'ending' | 'ended' = 'ended'): Promise<void> {
    await endRow(this.ending, sessionId, reason, { status, hostId: this.host.id });
  }

  /** Leaves a launch to the other hosts; false when its browser runs already, its end was asked for, or it was handed on before. */
  async handOn(sessionId: string): Promise<boolean> {
    return (await handOn(this.ending.access, 's.id = $1 AND s.host_id = $2', sessionId, this.host.id)).length > 0;
  }

  /** Undefined for one that is not this host's (any more). */
  async find(sessionId: string): Promise<SessionRow | undefined> {
    return this.#one('host-find', `SELECT ${columns} FROM browser_sessions WHERE id = $1 AND host_id = $2`, sessionId, this.host.id);
  }

  /** Every session that is this host's to run or to end. */
  ofThisHost(): Promise<readonly SessionRow[]> {
    return this.ofHosts([this.host.id]);
  }

  async ofHosts(ids: readonly string[]): Promise<readonly SessionRow[]> {
    const text = `SELECT ${columns} FROM browser_sessions WHERE host_id = ANY($1) AND status <> 'ended'`;
    return (await this.ending.access.pool.query<SessionRow>({ name: 'host-own', text, values: [ids] })).rows;
  }

  async #one(name: string, text: string, ...values: unknown[]): Promise<SessionRow | undefined> {
    return (await this.ending.access.pool.query<SessionRow>({ name, text, values })).rows[0];
  }
}
