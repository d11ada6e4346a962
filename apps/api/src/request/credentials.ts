import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { digest } from '@berth/secrets';
import { AccessChanges } from './access-changes.js';
import type { Soon } from './at-once.js';
import { looksLikeJwt } from './bearer.js';
import type { Principal } from './context.js';
import type { Fact } from './fact-cache.js';
import { OAuthTokens } from './oauth-tokens.js';

interface OrganizationColumns {
  readonly organization_id: string;
  readonly organization_name: string;
  readonly projects_enabled: boolean;
  readonly default_project_id: string;
}

interface KeyRow extends OrganizationColumns {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly ends_at: Date | null;
}

const organizationColumns = 'o.id AS organization_id, o.name AS organization_name, o.projects_enabled, o.default_project_id';

const keyBySecret = {
  name: 'key-by-secret',
  text: `SELECT k.id, k.name, k.project_id, least(s.expires_at, k.expires_at) AS ends_at, ${organizationColumns}
           FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id JOIN organizations o ON o.id = k.organization_id
          WHERE s.hash = $1 AND k.deleted_at IS NULL
            AND (s.expires_at IS NULL OR s.expires_at > now()) AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

const organizationByExternalId = {
  name: 'organization-by-external-id',
  text: `SELECT ${organizationColumns} FROM organizations o WHERE o.external_id = $1`,
};

function organizationOf(row: OrganizationColumns): Principal['organization'] {
  return {
    id: row.organization_id,
    name: row.organization_name,
    projectsEnabled: row.projects_enabled,
    defaultProjectId: row.default_project_id,
  };
}

/**
 * Turns a bearer secret into a principal. Only a hash of the secret is kept or compared (D10); an expiry holds to the millisecond, cached
 * or not.
 */
@Injectable()
export class Credentials {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
    @Inject(OAuthTokens) private readonly tokens: OAuthTokens,
  ) {}

  /** @throws ApiError service_unavailable when a JWT cannot be judged because its issuer's keys cannot be had (D11). */
  principalOf(secret: string): Soon<Principal | undefined> {
    if (looksLikeJwt(secret)) return this.#ofToken(secret);
    const hash = digest(secret);
    return this.changes.facts.get(`key:${hash.toString('latin1')}`, () => this.#keyByHash(hash));
  }

  async #keyByHash(hash: Buffer): Promise<Fact<Principal>> {
    const { rows } = await unscoped(this.database).pool.query<KeyRow>({ ...keyBySecret, values: [hash] });
    const row = rows[0];
    if (row === undefined) return { value: undefined, organizationId: undefined };
    return {
      organizationId: row.organization_id,
      ...(row.ends_at === null ? {} : { endsAt: row.ends_at.getTime() }),
      value: {
        kind: row.project_id === null ? 'org_key' : 'project_key',
        id: row.id,
        name: row.name,
        email: null,
        organization: organizationOf(row),
        endsAt: null,
        boundProjectId: row.project_id,
      },
    };
  }

  /** The token is verified every time; only the organization behind its `org_id` is kept. */
  async #ofToken(token: string): Promise<Principal | undefined> {
    const person = await this.tokens.verify(token);
    if (person === undefined) return undefined;
    const organization = await this.changes.facts.get(`external:${person.externalOrganizationId}`, () =>
      this.#organizationByExternalId(person.externalOrganizationId),
    );
    if (organization === undefined) return undefined;
    return {
      kind: 'oauth',
      id: person.subject,
      name: person.name,
      email: person.email,
      endsAt: person.endsAt,
      organization,
      boundProjectId: null,
    };
  }

  async #organizationByExternalId(externalId: string): Promise<Fact<Principal['organization']>> {
    const { rows } = await unscoped(this.database).pool.query<OrganizationColumns>({ ...organizationByExternalId, values: [externalId] });
    const row = rows[0];
    return row === undefined
      ? { value: undefined, organizationId: undefined }
      : { value: organizationOf(row), organizationId: row.organization_id };
  }
}
