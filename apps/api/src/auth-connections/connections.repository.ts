import { Inject, Injectable } from '@nestjs/common';
import { type AuthConnectionRow, Database, type ProjectScope, type TenantAccess } from '@berth/database';
import { isIdShaped } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import type { ChosenColumns } from './connection-choices.js';

export interface ConnectionFilter {
  /** The whole domain, any case. */
  readonly domain: string | undefined;
  readonly profileName: string | undefined;
  /** Part of domain or profile name, any case, or the whole id. */
  readonly query: string | undefined;
}

export interface NewConnection extends ChosenColumns {
  readonly domain: string;
  readonly profileId: string;
  readonly credentialId: string | null;
}

export type ChangedColumns = ChosenColumns & { readonly credentialId?: string; readonly nextCheckAt?: Date | null };

const pageOfConnections = {
  name: 'page-of-connections',
  text: `SELECT c.id FROM auth_connections c JOIN profiles p ON p.id = c.profile_id
          WHERE c.project_id = $1 AND c.deleted_at IS NULL AND ($2::text IS NULL OR c.domain = lower($2)) AND ($3::text IS NULL OR p.name = $3)
            AND ($4::text IS NULL OR strpos(lower(c.domain), lower($4)) > 0 OR strpos(lower(p.name), lower($4)) > 0 OR c.id = $4)
          ORDER BY c.created_at, c.id LIMIT $5 OFFSET $6`,
};

const undeleted = { deletedAt: null };

@Injectable()
export class ConnectionsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page, in the order of D15. */
  async page(scope: ProjectScope, { domain, profileName, query }: ConnectionFilter, page: Page): Promise<AuthConnectionRow[]> {
    const { take, skip } = rowsOf(page);
    const ids = (await this.database.queryProject<{ id: string }>(scope, pageOfConnections, domain ?? null, profileName ?? null, query ?? null, take, skip)).map(({ id }) => id);
    return this.database.project(scope).authConnection.findMany({ where: { ...undeleted, id: { in: ids } }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  }

  async find(scope: ProjectScope, id: string): Promise<AuthConnectionRow | null> {
    return isIdShaped(id) ? this.database.project(scope).authConnection.findFirst({ where: { ...undeleted, id } }) : null;
  }

  /** Rejects with `auth_connections_one_per_profile_and_domain` when there is one already. */
  create(scope: ProjectScope, id: string, data: NewConnection, transaction: TenantAccess): Promise<AuthConnectionRow> {
    return transaction.project(scope).authConnection.create({ data: { id, ...data } });
  }

  async update(scope: ProjectScope, id: string, data: ChangedColumns): Promise<AuthConnectionRow | undefined> {
    const [row] = await this.database.project(scope).authConnection.updateManyAndReturn({ where: { ...undeleted, id }, data });
    return row;
  }

  transaction<T>(work: (transaction: TenantAccess) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }
}
