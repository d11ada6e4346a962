import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, newId, type ProjectScope } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { ErrorCode, ErrorDetail } from '@berth/schema';
import { Sealer } from '@berth/secrets';

/** What a request with an Idempotency-Key is told apart by (D36). */
export interface RequestIdentity {
  readonly scope: ProjectScope;
  readonly credentialId: string;
  /** Method and path as called. */
  readonly route: string;
  readonly key: string;
  readonly bodyHash: Buffer;
}

export type StoredAnswer =
  | { readonly status: number; readonly body: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly ErrorDetail[] } };

export interface OwnClaim {
  readonly kind: 'mine';
  readonly claimId: string;
  /** The id of whatever the request makes, chosen by the first process that had the claim. */
  readonly resourceId: string;
  /** A process had the claim before and let it lapse: it may have made something under this id. */
  readonly takenOver: boolean;
}

export type Claim =
  OwnClaim | { readonly kind: 'answered'; readonly answer: StoredAnswer } | { readonly kind: 'reused' } | { readonly kind: 'in_flight' };

/** How long a claim holds without being renewed; a process that died is waited for no longer. */
const leaseSeconds = 10;
export const renewEveryMs = (leaseSeconds * 1_000) / 3;
const sweepEveryMs = 600_000;
const purpose = 'idempotency answer';

/** A new claim, or one over a record that has ended or whose process is gone; of the latter the id of what it makes is kept. */
const claimRecord = {
  name: 'idempotency-claim',
  text: `INSERT INTO idempotency_records AS r (project_id, credential_id, route, key, body_hash, claim_id, resource_id, claimed_until, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), now() + interval '24 hours')
         ON CONFLICT (credential_id, project_id, route, key) DO UPDATE
           SET body_hash = excluded.body_hash, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until, sealed_answer = NULL,
               resource_id = CASE WHEN r.expires_at <= now() THEN excluded.resource_id ELSE r.resource_id END,
               created_at = now(), expires_at = excluded.expires_at
           WHERE r.expires_at <= now() OR (r.sealed_answer IS NULL AND r.claimed_until <= now() AND r.body_hash = excluded.body_hash)
         RETURNING resource_id`,
};
const readRecord = {
  name: 'idempotency-read',
  text: 'SELECT body_hash, sealed_answer FROM idempotency_records WHERE project_id = $1 AND credential_id = $2 AND route = $3 AND key = $4',
};
const renewClaim = {
  name: 'idempotency-renew',
  text: 'UPDATE idempotency_records SET claimed_until = now() + make_interval(secs => $3) WHERE project_id = $1 AND claim_id = $2 AND sealed_answer IS NULL',
};
const storeAnswer = {
  name: 'idempotency-store',
  text: 'UPDATE idempotency_records SET sealed_answer = $3, claimed_until = NULL WHERE project_id = $1 AND claim_id = $2',
};
const dropClaim = {
  name: 'idempotency-drop',
  text: 'DELETE FROM idempotency_records WHERE project_id = $1 AND claim_id = $2 AND sealed_answer IS NULL',
};
const sweepRecords =
  'DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_records WHERE expires_at < now() LIMIT 5000))';

/** The first answers to POSTs that carried an Idempotency-Key, sealed, for 24 h (D36). PostgreSQL decides who is first. */
@Injectable()
export class IdempotencyRecords implements OnModuleInit, OnApplicationShutdown {
  #sweep: NodeJS.Timeout | undefined;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Sealer) private readonly sealer: Sealer,
  ) {}

  onModuleInit(): void {
    // A failed sweep is made up for by the next one.
    this.#sweep = setInterval(
      () =>
        void unscoped(this.database)
          .pool.query(sweepRecords)
          .catch(() => undefined),
      sweepEveryMs,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#sweep);
  }

  async claim({ scope, credentialId, route, key, bodyHash }: RequestIdentity): Promise<Claim> {
    const [claimId, freshId] = [newId(), newId()];
    const [claimed] = await this.database.queryProject<{ resource_id: string }>(
      scope,
      claimRecord,
      credentialId,
      route,
      key,
      bodyHash,
      claimId,
      freshId,
      leaseSeconds,
    );
    if (claimed !== undefined)
      return { kind: 'mine', claimId, resourceId: claimed.resource_id, takenOver: claimed.resource_id !== freshId };
    const [record] = await this.database.queryProject<{ body_hash: Buffer; sealed_answer: Buffer | null }>(
      scope,
      readRecord,
      credentialId,
      route,
      key,
    );
    if (record === undefined) return { kind: 'in_flight' };
    if (!record.body_hash.equals(bodyHash)) return { kind: 'reused' };
    if (record.sealed_answer === null) return { kind: 'in_flight' };
    return { kind: 'answered', answer: this.sealer.openJson<StoredAnswer>(purpose, record.sealed_answer) };
  }

  async renew(scope: ProjectScope, claimId: string): Promise<void> {
    await this.database.queryProject(scope, renewClaim, claimId, leaseSeconds);
  }

  async store(scope: ProjectScope, claimId: string, answer: StoredAnswer): Promise<void> {
    await this.database.queryProject(scope, storeAnswer, claimId, this.sealer.sealJson(purpose, answer));
  }

  /** The request counts as never made. */
  async drop(scope: ProjectScope, claimId: string): Promise<void> {
    await this.database.queryProject(scope, dropClaim, claimId);
  }
}
