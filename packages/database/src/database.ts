import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/prisma/client.js';
import type { OrganizationScope, ProjectScope } from './scope.js';
import { breakWhenSilent, limitServerSide } from './silence.js';
import { type AnyClient, organizationTables, type OrganizationTables, projectTables, type ProjectTables } from './tables.js';

/** A hand-written statement for a hot path. `name` makes it prepared once per connection; `$1` is the tenant's id. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface TenantAccess {
  project(scope: ProjectScope): ProjectTables;
  organization(scope: OrganizationScope | ProjectScope): OrganizationTables;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections of this process; default 10. */
  readonly maxConnections?: number;
  /** Name shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** How long, ms, PostgreSQL may leave a question without any answer before its connection is broken; default 5 s. */
  readonly silentForMs?: number;
}

/** Longer than any statement takes; whoever waited for more, for a connection or an answer, would wait for a server that hangs. */
const longestSilenceMs = 5_000;
/** Getting a connection and beginning on it have limits of their own, which tell what was wrong; Prisma's come after both. */
const transactionLimits = { timeout: 10_000, maxWait: 3 * longestSilenceMs };

interface Internals {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
}

const internals = new WeakMap<Database, Internals>();

/** What only a transaction offers. */
export interface Transaction extends TenantAccess {
  /**
   * Holds the organization's row until the end: whoever else locks it waits. The one lock behind last-active and not-empty rules (D18).
   * Rows may be inserted into the organization meanwhile: an insert that waited here, with its name in an index already, could be waited
   * for by whoever holds the lock.
   */
  lockOrganization(scope: OrganizationScope | ProjectScope): Promise<void>;
  /** Waits for rows being inserted into the project and keeps new ones out until the end (trigger `refuse_deleted_project`, D21). */
  lockProject(scope: ProjectScope): Promise<void>;
  /**
   * Waits for whoever is archiving or deleting the project and keeps both out until the end, without keeping out others who do the same.
   * Answers whether it is active.
   */
  holdActiveProject(scope: ProjectScope): Promise<boolean>;
  /** Ends every secret of a key by `end`, unless it ends sooner (D10). The key must have been found within the tenant. */
  endKeySecrets(apiKeyId: string, end: Date): Promise<void>;
  /** When the newest secret of a key was made: the beginning of the lifetime that a rotation repeats. */
  newestKeySecretAt(apiKeyId: string): Promise<Date | undefined>;
  /** A further secret of a key that was found within the tenant. */
  addKeySecret(apiKeyId: string, hash: Uint8Array): Promise<void>;
}

/**
 * One process's access to PostgreSQL. What it offers is confined to a tenant; the unconfined client is reached through
 * `@berth/database/unscoped`, which the boundary rules keep to the few rooms that need it.
 */
export class Database implements TenantAccess {
  readonly #pool: pg.Pool;
  readonly #prisma: PrismaClient;

  constructor(options: DatabaseOptions) {
    const { silentForMs = longestSilenceMs } = options;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.maxConnections ?? 10,
      application_name: options.applicationName ?? 'berth',
      connectionTimeoutMillis: longestSilenceMs,
      keepAlive: true,
      verify: limitServerSide,
    });
    // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
    this.#pool.on('error', () => undefined);
    // So would one that breaks while somebody holds it: the holder hears of it from its next query.
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      breakWhenSilent(client, silentForMs);
    });
    this.#prisma = new PrismaClient({ adapter: new PrismaPg(this.#pool), transactionOptions: transactionLimits });
    internals.set(this, { prisma: this.#prisma, pool: this.#pool });
  }

  project(scope: ProjectScope): ProjectTables {
    return projectTables(this.#prisma, scope);
  }

  organization(scope: OrganizationScope | ProjectScope): OrganizationTables {
    return organizationTables(this.#prisma, scope as OrganizationScope);
  }

  /** Runs a hot statement with the project's id as `$1`. */
  async queryProject<R extends pg.QueryResultRow>(scope: ProjectScope, statement: Statement, ...values: unknown[]): Promise<R[]> {
    return (await this.#pool.query<R>({ ...statement, values: [scope.projectId, ...values] })).rows;
  }

  /** Runs a hot statement with the organization's id as `$1`. */
  async queryOrganization<R extends pg.QueryResultRow>(
    scope: OrganizationScope | ProjectScope,
    statement: Statement,
    ...values: unknown[]
  ): Promise<R[]> {
    return (await this.#pool.query<R>({ ...statement, values: [scope.organizationId, ...values] })).rows;
  }

  /** All statements of `work` are committed together or not at all. Read committed; take the lock where an order matters. */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#prisma.$transaction(async (client) => work(transactionOver(client)));
  }

  /** Throws when PostgreSQL does not answer. */
  async ping(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.#prisma.$disconnect();
    if (!this.#pool.ended) await this.#pool.end();
  }
}

function transactionOver(client: AnyClient): Transaction {
  return {
    project: (scope) => projectTables(client, scope),
    organization: (scope) => organizationTables(client, scope as OrganizationScope),
    lockOrganization: async ({ organizationId }) => {
      await client.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`;
    },
    lockProject: async ({ organizationId, projectId }) => {
      await client.$queryRaw`SELECT 1 FROM projects WHERE organization_id = ${organizationId} AND id = ${projectId} FOR UPDATE`;
    },
    holdActiveProject: async ({ organizationId, projectId }) => {
      const rows = await client.$queryRaw<unknown[]>`
        SELECT 1 FROM projects WHERE organization_id = ${organizationId} AND id = ${projectId} AND status = 'active' AND deleted_at IS NULL FOR SHARE`;
      return rows.length === 1;
    },
    endKeySecrets: async (apiKeyId, end) => {
      await client.apiKeySecret.updateMany({
        where: { apiKeyId, OR: [{ expiresAt: null }, { expiresAt: { gt: end } }] },
        data: { expiresAt: end },
      });
    },
    newestKeySecretAt: async (apiKeyId) =>
      (await client.apiKeySecret.findFirst({ where: { apiKeyId }, orderBy: { createdAt: 'desc' }, select: { createdAt: true } }))
        ?.createdAt,
    addKeySecret: async (apiKeyId, hash) => {
      await client.apiKeySecret.create({ data: { hash: new Uint8Array(hash), apiKeyId } });
    },
  };
}

export function internalsOf(database: Database): Internals {
  const found = internals.get(database);
  if (found === undefined) throw new Error('not a Database of this package');
  return found;
}
