import { Inject, Injectable } from '@nestjs/common';
import { type ProfileRow, type ProjectScope, type TenantAccess, violatesUnique } from '@berth/database';
import { ApiError, invalid, notFound } from '../errors/api-error.js';
import { ProfilesRepository } from './profiles.repository.js';

async function nameFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violatesUnique(error, 'profiles_name_among_undeleted'))
      throw new ApiError('conflict', 'Another profile of the project has this name; choose another one.', { cause: error });
    throw error;
  }
}

/** Profiles, and how other features take one into use. */
@Injectable()
export class ProfilesService {
  constructor(@Inject(ProfilesRepository) private readonly repository: ProfilesRepository) {}

  create(scope: ProjectScope, id: string, name: string | undefined): Promise<ProfileRow> {
    return nameFree(this.repository.create(scope, id, name ?? null));
  }

  async rename(scope: ProjectScope, profile: ProfileRow, name: string): Promise<ProfileRow> {
    if (profile.name === name) return profile;
    const renamed = await nameFree(this.repository.rename(scope, profile.id, name));
    if (renamed === undefined) throw notFound();
    return renamed;
  }

  /** @throws ApiError resource_in_use */
  async delete(scope: ProjectScope, profile: ProfileRow): Promise<void> {
    if (!(await this.repository.deleteUnused(scope, profile))) {
      throw new ApiError(
        'resource_in_use',
        'The profile is used by an auth connection, a browser pool or a live browser; delete or end those first.',
      );
    }
  }

  /**
   * The profile that a request's body names by id or name. Inside a transaction it cannot be deleted before the commit, so whoever inserts
   * a user of it there never refers to a deleted one.
   * @throws ApiError bad_request naming `field` when it does not exist in this project (D8).
   */
  async use(scope: ProjectScope, wanted: string, field: string, transaction?: TenantAccess): Promise<ProfileRow> {
    const profile = await this.repository.find(scope, wanted, transaction);
    const there = profile !== null && (transaction === undefined || (await this.repository.hold(scope, profile, transaction)));
    if (!there) throw invalid({ field, message: 'names no profile of this project' });
    return profile;
  }

  find(scope: ProjectScope, wanted: string): Promise<ProfileRow | null> {
    return this.repository.find(scope, wanted);
  }

  /** By id, deleted ones included: for views of what refers to them. */
  async byId(scope: ProjectScope, ids: readonly string[]): Promise<ReadonlyMap<string, ProfileRow>> {
    return new Map((await this.repository.named(scope, ids)).map((profile) => [profile.id, profile]));
  }
}
