import { Inject, Injectable } from '@nestjs/common';
import { Database, type ProfileRow, type ProjectScope, type TenantAccess } from '@berth/database';
import { isIdShaped } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import { textFilter } from '../request/text-filter.js';
import type { ShownProfile } from './profile-view.js';

export interface ProfileFilter {
  /** The whole name, any case. */
  readonly name: string | undefined;
  /** Part of the name, any case, or the whole id. */
  readonly query: string | undefined;
}

const pageOfProfiles = {
  name: 'page-of-profiles',
  text: `SELECT id, name, created_at AS "createdAt", updated_at AS "updatedAt", last_used_at AS "lastUsedAt" FROM profiles
          WHERE project_id = $1 AND deleted_at IS NULL
            AND ($2::text IS NULL OR lower(name COLLATE "C") = $2) AND ($3::text IS NULL OR strpos(lower(name COLLATE "C"), $3) > 0 OR id = $3)
          ORDER BY created_at, id LIMIT $4 OFFSET $5`,
};

const eraseState = {
  name: 'erase-profile-state',
  text: `DELETE FROM profile_states s USING profiles p WHERE p.project_id = $1 AND p.id = $2 AND p.deleted_at IS NOT NULL AND s.profile_id = p.id`,
};

const undeleted = { deletedAt: null };

@Injectable()
export class ProfilesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page, in the order of D15. */
  page(scope: ProjectScope, { name, query }: ProfileFilter, page: Page): Promise<ShownProfile[]> {
    const { take, skip } = rowsOf(page);
    return this.database.queryProject<ShownProfile>(scope, pageOfProfiles, textFilter(name), textFilter(query), take, skip);
  }

  /** By id or name; no name has the form of an id, so one look decides (D30). */
  find(scope: ProjectScope, wanted: string, access: TenantAccess = this.database): Promise<ProfileRow | null> {
    return access
      .project(scope)
      .profile.findFirst({ where: { ...undeleted, ...(isIdShaped(wanted) ? { id: wanted } : { name: wanted }) } });
  }

  named(scope: ProjectScope, ids: readonly string[]): Promise<ProfileRow[]> {
    return this.database.project(scope).profile.findMany({ where: { id: { in: [...ids] } } });
  }

  /** Rejects with `profiles_name_among_undeleted` when the name is taken. */
  create(scope: ProjectScope, id: string, name: string | null, access: TenantAccess = this.database): Promise<ProfileRow> {
    return access.project(scope).profile.create({ data: { id, name } });
  }

  async rename(scope: ProjectScope, id: string, name: string): Promise<ProfileRow | undefined> {
    const [row] = await this.database.project(scope).profile.updateManyAndReturn({ where: { ...undeleted, id }, data: { name } });
    return row;
  }

  /**
   * Waits for whoever is deleting the profile or taking it into use, and keeps both out until the transaction's end. Answers whether it
   * still exists.
   */
  async hold(scope: ProjectScope, { id, updatedAt }: ProfileRow, access: TenantAccess): Promise<boolean> {
    // An update that changes nothing: the row's lock is what is wanted.
    const { count } = await access.project(scope).profile.updateMany({ where: { ...undeleted, id }, data: { updatedAt } });
    return count === 1;
  }

  /** Deletes the profile unless a connection, a pool or a live browser uses it; answers whether it did (D34). */
  async deleteUnused(scope: ProjectScope, profile: ProfileRow): Promise<boolean> {
    const deleted = await this.database.transaction(async (transaction) => {
      if (!(await this.hold(scope, profile, transaction))) return true;
      const tables = transaction.project(scope);
      const uses = { where: { ...undeleted, profileId: profile.id }, select: { id: true } };
      // One after the other: a transaction has one connection.
      const isUsed =
        (await tables.authConnection.findFirst(uses)) !== null ||
        (await tables.browserPool.findFirst(uses)) !== null ||
        (await tables.browserSession.findFirst(uses)) !== null;
      if (isUsed) return false;
      await tables.profile.updateMany({ where: { ...undeleted, id: profile.id }, data: { deletedAt: new Date() } });
      return true;
    });
    // What it was logged in to does not outlive it.
    if (deleted) await this.database.queryProject(scope, eraseState, profile.id);
    return deleted;
  }
}
