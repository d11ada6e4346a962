import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { digest } from '@berth/secrets';
import { ApiError, projectNotFound } from '../errors/api-error.js';
import { bearerSecret, looksLikeJwt } from './bearer.js';

/** What a request that lasts was allowed by. */
export interface Grant {
  /** Hash of the API key's secret, in base64; null for a token. */
  readonly secretHash: string | null;
  /** Epoch ms from which a token no longer allows it; null for keys. */
  readonly endsAt: number | null;
  readonly organizationId: string;
  readonly projectId: string;
}

const validSecrets = {
  name: 'valid-secrets',
  text: `SELECT s.hash FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id
          WHERE s.hash = ANY($1) AND k.deleted_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

const activeProjects = {
  name: 'active-projects',
  text: `SELECT id FROM projects WHERE id = ANY($1) AND status = 'active' AND deleted_at IS NULL`,
};

const nameOf = ({ secretHash, projectId, endsAt }: Pick<Grant, 'secretHash' | 'projectId' | 'endsAt'>): string =>
  [secretHash, projectId, endsAt].join(' ');
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Asks again, for requests that outlive their corridor, what the corridor asked when they entered (D49). */
@Injectable()
export class AccessChecks {
  readonly #grants = new Map<string, Grant>();

  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Requests with the same credential in the same project share one grant: ten thousand streams of a key are one thing to hold and to ask
   * about.
   */
  grantOf(
    authorization: string | undefined,
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
    endsAt: number | null,
  ): Grant {
    const secret = bearerSecret(authorization);
    const secretHash = secret === undefined || looksLikeJwt(secret) ? null : digest(secret).toString('base64');
    const name = nameOf({ secretHash, projectId, endsAt });
    const grant = this.#grants.get(name) ?? { secretHash, endsAt, organizationId, projectId };
    this.#grants.set(name, grant);
    return grant;
  }

  /** Forgets the grants that are no longer in use. */
  keepOnly(used: ReadonlySet<Grant>): void {
    for (const [name, grant] of this.#grants) if (!used.has(grant)) this.#grants.delete(name);
  }

  /** Which of the grants no longer hold, and what a request with them would be answered. Two questions to the database, however many. */
  async lapsed(grants: readonly Grant[]): Promise<ReadonlyMap<Grant, ApiError>> {
    if (grants.length === 0) return new Map();
    const { pool } = unscoped(this.database);
    const hashes = distinct(grants.flatMap(({ secretHash }) => secretHash ?? [])).map((text) => Buffer.from(text, 'base64'));
    const [secrets, projects] = await Promise.all([
      pool.query<{ hash: Buffer }>({ ...validSecrets, values: [hashes] }),
      pool.query<{ id: string }>({ ...activeProjects, values: [distinct(grants.map(({ projectId }) => projectId))] }),
    ]);
    const valid = new Set(secrets.rows.map(({ hash }) => hash.toString('base64')));
    const active = new Set(projects.rows.map(({ id }) => id));
    return new Map(
      grants.flatMap((grant): [Grant, ApiError][] => {
        const holds = grant.secretHash === null ? (grant.endsAt ?? 0) > Date.now() : valid.has(grant.secretHash);
        if (!holds) return [[grant, new ApiError('unauthorized', 'The credential of this stream is no longer valid.')]];
        return active.has(grant.projectId) ? [] : [[grant, projectNotFound()]];
      }),
    );
  }
}
