import { Controller, Inject, Res } from '@nestjs/common';
import type { ProfileRow } from '@berth/database';
import { type CreateProfile, endpoints, type ListProfilesQuery, type Profile, type UpdateProfile } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { profileView } from './profile-view.js';
import { ProfilesRepository } from './profiles.repository.js';
import { ProfilesService } from './profiles.service.js';

@Controller()
export class ProfilesController {
  constructor(
    @Inject(ProfilesService) private readonly profiles: ProfilesService,
    @Inject(ProfilesRepository) private readonly repository: ProfilesRepository,
  ) {}

  @Serves(endpoints.listProfiles)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListProfilesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Profile[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.repository.page(scope.project, { name: query.name, query: query.query }, page)).map(
      profileView,
    );
  }

  @Serves(endpoints.createProfile)
  async create(@InScope() scope: ResolvedScope, @NewId() id: string, @ParsedBody() { name }: CreateProfile): Promise<Profile> {
    return profileView(await this.profiles.create(scope.project, id, name));
  }

  @Serves(endpoints.getProfile)
  get(@PathRow() profile: ProfileRow): Profile {
    return profileView(profile);
  }

  @Serves(endpoints.updateProfile)
  async update(@InScope() scope: ResolvedScope, @PathRow() profile: ProfileRow, @ParsedBody() { name }: UpdateProfile): Promise<Profile> {
    return profileView(await this.profiles.rename(scope.project, profile, name));
  }

  @Serves(endpoints.deleteProfile)
  delete(@InScope() scope: ResolvedScope, @PathRow() profile: ProfileRow): Promise<void> {
    return this.profiles.delete(scope.project, profile);
  }
}
