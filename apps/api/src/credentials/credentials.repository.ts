import { Inject, Injectable } from '@nestjs/common';
import { type CredentialRow, Database, type ProjectScope, type TenantAccess } from '@berth/database';
import { isIdShaped } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import { textFilter } from '../request/text-filter.js';
import type { ShownCredential } from './credential-view.js';

export interface CredentialFilter {
  /** The whole domain, any case. */
  readonly domain: string | undefined;
  /** Part of name or domain, any case, or the whole id. */
  readonly query: string | undefined;
}

/** What a write may change; the rest of the row stays. */
export interface CredentialData {
  readonly name?: string;
  readonly ssoProvider?: string | null;
  readonly sealedValues?: Uint8Array<ArrayBuffer>;
  readonly valueKeys?: string[];
  readonly sealedTotpSecret?: Uint8Array<ArrayBuffer> | null;
}

const pageOfCredentials = {
  name: 'page-of-credentials',
  text: `SELECT id, name, domain, sso_provider AS "ssoProvider", value_keys AS "valueKeys", sealed_totp_secret IS NOT NULL AS "hasTotpSecret",
                created_at AS "createdAt", updated_at AS "updatedAt" FROM credentials
          WHERE project_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR domain = $2)
            AND ($3::text IS NULL OR strpos(lower(name COLLATE "C"), $3) > 0 OR strpos(domain, $3) > 0 OR id = $3)
          ORDER BY created_at, id LIMIT $4 OFFSET $5`,
};

const undeleted = { deletedAt: null };

@Injectable()
export class CredentialsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page, in the order of D15. No sealed value leaves the database for it. */
  page(scope: ProjectScope, { domain, query }: CredentialFilter, page: Page): Promise<ShownCredential[]> {
    const { take, skip } = rowsOf(page);
    return this.database.queryProject<ShownCredential>(scope, pageOfCredentials, textFilter(domain), textFilter(query), take, skip);
  }

  /** By id or name; no name has the form of an id, so one look decides (D30). */
  find(scope: ProjectScope, wanted: string): Promise<CredentialRow | null> {
    return this.database
      .project(scope)
      .credential.findFirst({ where: { ...undeleted, ...(isIdShaped(wanted) ? { id: wanted } : { name: wanted }) } });
  }

  findAll(scope: ProjectScope, ids: readonly string[]): Promise<CredentialRow[]> {
    return this.database.project(scope).credential.findMany({ where: { ...undeleted, id: { in: [...ids] } } });
  }

  /** Rejects with `credentials_name_among_undeleted` when the name is taken. */
  create(
    scope: ProjectScope,
    id: string,
    data: CredentialData & { readonly name: string; readonly domain: string },
  ): Promise<CredentialRow> {
    return this.database.project(scope).credential.create({ data: { id, ...data } });
  }

  /** Changes the row under its lock: `change` sees it as it is then, so no value that another request has just merged is lost. */
  update(scope: ProjectScope, id: string, change: (row: CredentialRow) => CredentialData): Promise<CredentialRow | undefined> {
    return this.database.transaction(async (transaction) => {
      const row = await this.hold(scope, id, transaction);
      if (row === undefined) return undefined;
      const [updated] = await transaction
        .project(scope)
        .credential.updateManyAndReturn({ where: { ...undeleted, id }, data: { ...change(row), updatedAt: new Date() } });
      return updated;
    });
  }

  async delete(scope: ProjectScope, id: string): Promise<void> {
    // The values go at once; only the name and the time stay with the row.
    await this.database
      .project(scope)
      .credential.updateMany({
        where: { ...undeleted, id },
        data: { deletedAt: new Date(), sealedValues: null, sealedTotpSecret: null, valueKeys: [] },
      });
  }

  private async hold(scope: ProjectScope, id: string, access: TenantAccess): Promise<CredentialRow | undefined> {
    const [row] = await access.project(scope).credential.updateManyAndReturn({ where: { ...undeleted, id }, data: { deletedAt: null } });
    return row;
  }
}
