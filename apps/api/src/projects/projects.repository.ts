import { Inject, Injectable } from '@nestjs/common';
import { Database, type OrganizationScope, type ProjectRow, type ProjectScope, type Transaction } from '@berth/database';
import { foldName, isIdShaped } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import { textFilter } from '../request/text-filter.js';
import type { ShownProject } from './project-view.js';

type Tenant = OrganizationScope | ProjectScope;

export interface ProjectFilter {
  /** Only this project: the one a key is bound to (D6). */
  readonly id: string | null;
  /** Exact, any case. */
  readonly name: string | undefined;
  /** Part of the name, any case, `%` and `_` literal (D16). */
  readonly query: string | undefined;
}

const columns = `id, name, status, created_at AS "createdAt", updated_at AS "updatedAt"`;

const pageOfProjects = {
  name: 'page-of-projects',
  text: `SELECT ${columns} FROM projects
          WHERE organization_id = $1 AND deleted_at IS NULL
            AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR name_folded = $3) AND ($4::text IS NULL OR strpos(name_folded, $4) > 0)
          ORDER BY created_at, id LIMIT $5 OFFSET $6`,
};

const undeleted = { deletedAt: null };

@Injectable()
export class ProjectsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page, in the order of D15. */
  page(scope: Tenant, { id, name, query }: ProjectFilter, page: Page): Promise<ShownProject[]> {
    const { take, skip } = rowsOf(page);
    return this.database.queryOrganization<ShownProject>(scope, pageOfProjects, id, textFilter(name), textFilter(query), take, skip);
  }

  /** By id or name; no name has the form of an id, so one look decides (D16, D17). */
  find(scope: Tenant, wanted: string): Promise<ProjectRow | null> {
    return this.database
      .organization(scope)
      .project.findFirst({ where: { ...undeleted, ...(isIdShaped(wanted) ? { id: wanted } : { nameFolded: foldName(wanted) }) } });
  }

  /** Rejects with `projects_name_among_undeleted` when the name is taken. */
  create(scope: Tenant, id: string, name: string): Promise<ProjectRow> {
    return this.database.organization(scope).project.create({ data: { id, name, nameFolded: foldName(name) } });
  }

  /** Runs `work` while nobody else changes projects of the organization: the lock behind every rule about more than one row (D18). */
  underLock<T>(scope: Tenant, work: (rows: LockedProjects) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await transaction.lockOrganization(scope);
      return work(new LockedProjects(transaction, scope));
    });
  }
}

/** What may be read and changed while the organization is locked. */
export class LockedProjects {
  constructor(
    private readonly transaction: Transaction,
    private readonly scope: Tenant,
  ) {}

  /** As committed by whoever held the lock before. */
  current(id: string): Promise<ProjectRow | null> {
    return this.#tables.project.findFirst({ where: { ...undeleted, id } });
  }

  async update(
    id: string,
    data: { name?: string; nameFolded?: string; status?: ProjectRow['status']; deletedAt?: Date },
  ): Promise<ProjectRow> {
    const [row] = await this.#tables.project.updateManyAndReturn({ where: { ...undeleted, id }, data: { ...data, updatedAt: new Date() } });
    if (row === undefined) throw new Error('the locked project vanished');
    return row;
  }

  /** The oldest active project but this one, or null when it is the last. */
  oldestOtherActive(id: string): Promise<ProjectRow | null> {
    return this.#tables.project.findFirst({
      where: { ...undeleted, status: 'active', id: { not: id } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Hands the default on, when `id` holds it (D19). */
  async passDefaultOn(id: string, successor: string): Promise<void> {
    const { defaultProjectId } = await this.#tables.own.read();
    if (defaultProjectId === id) await this.#tables.own.update({ defaultProjectId: successor });
  }

  /** Whether the project owns anything of D21. Waits for rows being inserted into it, and lets none in until the end of the transaction. */
  async isEmpty(scope: ProjectScope): Promise<boolean> {
    await this.transaction.lockProject(scope);
    const tables = this.transaction.project(scope);
    const select = { id: true };
    // One after the other: a transaction has one connection.
    return (
      (await tables.browserSession.findFirst({ where: { status: { not: 'ended' } }, select })) === null &&
      (await tables.browserPool.findFirst({ where: undeleted, select })) === null &&
      (await tables.authConnection.findFirst({ where: undeleted, select })) === null &&
      (await tables.credential.findFirst({ where: undeleted, select })) === null &&
      (await tables.profile.findFirst({ where: undeleted, select })) === null &&
      (await tables.invocation.findFirst({ where: { status: 'running' }, select })) === null
    );
  }

  /** Ends every key bound to the project (D5). */
  async revokeKeys(projectId: string): Promise<void> {
    await this.#tables.apiKey.updateMany({ where: { projectId, deletedAt: null }, data: { deletedAt: new Date() } });
  }

  get #tables() {
    return this.transaction.organization(this.scope);
  }
}
