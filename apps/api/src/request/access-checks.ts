import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { digest } from '@berth/secrets';
import { ApiError, projectNotFound } from '../errors/api-error.js';
import { bearerSecret, looksLikeJwt } from './bearer.js';

/** What a request that lasts was allowed by. */
export interface Grant {
  /** Hash of the API key's secret; null for a token, which ends by itself. */
  readonly secretHash: Buffer | null;
  readonly organizationId: string;
  readonly projectId: string;
}

const validSecrets = {
  name: 'valid-secrets',
  text: `SELECT s.hash FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id
          WHERE s.hash = ANY($1) AND k.deleted_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

const activeProjects = { name: 'active-projects', text: `SELECT id FROM projects WHERE id = ANY($1) AND status = 'active' AND deleted_at IS NULL` };

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Asks again, for requests that outlive their corridor, what the corridor asked when they entered (D49). */
@Injectable()
export class AccessChecks {
  constructor(@Inject(Database) private readonly database: Database) {}

  grantOf(authorization: string | undefined, scope: { readonly organizationId: string; readonly projectId: string }): Grant {
    const secret = bearerSecret(authorization);
    const secretHash = secret === undefined || looksLikeJwt(secret) ? null : digest(secret);
    return { secretHash, organizationId: scope.organizationId, projectId: scope.projectId };
  }

  /** Which of the grants no longer hold, and what a request with them would be answered. Two questions to the database, however many. */
  async lapsed(grants: readonly Grant[]): Promise<ReadonlyMap<Grant, ApiError>> {
    if (grants.length === 0) return new Map();
    const { pool } = unscoped(this.database);
    const hex = (hash: Buffer): string => hash.toString('hex');
    const hashes = distinct(grants.flatMap(({ secretHash }) => (secretHash === null ? [] : hex(secretHash)))).map((text) => Buffer.from(text, 'hex'));
    const [secrets, projects] = await Promise.all([
      pool.query<{ hash: Buffer }>({ ...validSecrets, values: [hashes] }),
      pool.query<{ id: string }>({ ...activeProjects, values: [distinct(grants.map(({ projectId }) => projectId))] }),
    ]);
    const valid = new Set(secrets.rows.map(({ hash }) => hex(hash)));
    const active = new Set(projects.rows.map(({ id }) => id));
    return new Map(grants.flatMap((grant): [Grant, ApiError][] => {
      if (grant.secretHash !== null && !valid.has(hex(grant.secretHash))) return [[grant, new ApiError('unauthorized', 'The credential of this stream is no longer valid.')]];
      return active.has(grant.projectId) ? [] : [[grant, projectNotFound()]];
    }));
  }
}
