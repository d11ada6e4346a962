import { Inject, Injectable } from '@nestjs/common';
import { Database, type OrganizationScope, type ProjectScope, type Transaction } from '@berth/database';
import { foldName, isIdShaped, type ListApiKeysQuery } from '@berth/schema';
import type { ApiKeySecret } from '@berth/secrets';
import { type Page, rowsOf } from '../request/paging.js';
import { textFilter } from '../request/text-filter.js';
import type { ShownApiKey } from './api-key-view.js';

type Tenant = OrganizationScope | ProjectScope;

export interface Creator {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
}

export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly projectId: string | null;
  readonly expiresAt: Date | null;
  readonly secret: ApiKeySecret;
  readonly creator: Creator;
}

const columns = `k.id, k.name, k.masked_key AS "maskedKey", k.project_id AS "projectId", p.name AS "projectName", k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.deleted_at AS "deletedAt", k.created_by_id AS "createdById", k.created_by_name AS "createdByName", k.created_by_email AS "createdByEmail"`;
const source = 'FROM api_keys k LEFT JOIN projects p ON p.id = k.project_id';

const orders = { created_at: 'k.created_at', name: 'k.name_folded', expires_at: 'k.expires_at' } as const;

const states = { active: 'AND k.deleted_at IS NULL', deleted: 'AND k.deleted_at IS NOT NULL', all: '' } as const;

type Order = keyof typeof orders;
type State = keyof typeof states;

/** One prepared statement for each order, direction and state; the texts come from the tables above, never from a request. */
function pageStatement(order: Order, direction: 'asc' | 'desc', state: State) {
  return {
    name: `page-of-api-keys-${order}-${direction}-${state}`,
    text: `SELECT ${columns} ${source}
            WHERE k.organization_id = $1 ${states[state]}
              AND ($2::text IS NULL OR k.name_folded = $2) AND ($3::text IS NULL OR strpos(k.name_folded, $3) > 0)
            ORDER BY ${orders[order]} ${direction}, k.id ${direction} LIMIT $4 OFFSET $5`,
  };
}

const keyById = { name: 'api-key-by-id', text: `SELECT ${columns} ${source} WHERE k.organization_id = $1 AND k.id = $2` };

@Injectable()
export class ApiKeysRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page. Expired keys are listed, deleted ones only when asked for (D10). */
  page(scope: Tenant, query: ListApiKeysQuery, page: Page): Promise<ShownApiKey[]> {
    const state = query.status ?? (query.include_deleted ? 'all' : 'active');
    const { take, skip } = rowsOf(page);
    const statement = pageStatement(query.sort_by ?? 'created_at', query.sort_direction ?? 'asc', state);
    return this.database.queryOrganization<ShownApiKey>(scope, statement, textFilter(query.name), textFilter(query.query), take, skip);
  }

  /** Deleted ones too. */
  async find(scope: Tenant, id: string): Promise<ShownApiKey | undefined> {
    if (!isIdShaped(id)) return undefined;
    return (await this.database.queryOrganization<ShownApiKey>(scope, keyById, id))[0];
  }

  /** Answers false when the project it is to be bound to is gone. */
  create(scope: Tenant, { id, name, projectId, expiresAt, secret, creator }: NewKey): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (projectId !== null && !(await projectTakesKeys(transaction, scope, projectId))) return false;
      await transaction
        .organization(scope)
        .apiKey.create({
          data: {
            id,
            name,
            nameFolded: foldName(name),
            projectId,
            expiresAt,
            maskedKey: secret.masked,
            createdById: creator.id,
            createdByName: creator.name,
            createdByEmail: creator.email,
            secrets: { create: { hash: new Uint8Array(secret.hash) } },
          },
        });
      return true;
    });
  }

  /** A further secret, shown from here on; those it has stay good. Answers whether there is such a key. */
  addSecret(scope: Tenant, id: string, secret: ApiKeySecret): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction
        .organization(scope)
        .apiKey.updateMany({ where: { id, deletedAt: null }, data: { maskedKey: secret.masked } });
      if (count === 1) await transaction.addKeySecret(id, secret.hash);
      return count === 1;
    });
  }

  async rename(scope: Tenant, id: string, name: string): Promise<boolean> {
    return (
      (
        await this.database
          .organization(scope)
          .apiKey.updateMany({ where: { id, deletedAt: null }, data: { name, nameFolded: foldName(name) } })
      ).count === 1
    );
  }

  /** Answers whether this call ended it. */
  async delete(scope: Tenant, id: string): Promise<boolean> {
    return (
      (await this.database.organization(scope).apiKey.updateMany({ where: { id, deletedAt: null }, data: { deletedAt: new Date() } }))
        .count === 1
    );
  }

  /**
   * Gives the key a new secret and ends the older ones by `formerEnd`. The key's own end is the new secret's from here on, so an end that
   * the old secrets had through the key is written to them first. Rotations of one organization come one after the other.
   */
  async rotate(
    scope: Tenant,
    id: string,
    change: { secret: ApiKeySecret; expiresAt: (formerLifetimeMs: number | null) => Date | null; formerEnd: (former: Date | null) => Date },
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      const { apiKey } = transaction.organization(scope);
      const key = await apiKey.findFirst({ where: { id, deletedAt: null } });
      if (key === null) return false;
      const began = await transaction.newestKeySecretAt(id);
      const lifetime = key.expiresAt === null ? null : key.expiresAt.getTime() - (began ?? key.createdAt).getTime();
      await transaction.endKeySecrets(id, change.formerEnd(key.expiresAt));
      await transaction.addKeySecret(id, change.secret.hash);
      await apiKey.updateMany({ where: { id }, data: { maskedKey: change.secret.masked, expiresAt: change.expiresAt(lifetime) } });
      return true;
    });
  }
}

/** Under the lock that archiving and deletion take too, so a key is never bound to a project that is just going (D5, D20). */
async function projectTakesKeys(transaction: Transaction, scope: Tenant, id: string): Promise<boolean> {
  await transaction.lockOrganization(scope);
  return (
    (await transaction
      .organization(scope)
      .project.findFirst({ where: { id, status: 'active', deletedAt: null }, select: { id: true } })) !== null
  );
}
