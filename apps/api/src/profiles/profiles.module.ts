import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { profileView } from './profile-view.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesRepository } from './profiles.repository.js';
import { ProfilesService } from './profiles.service.js';

@Module({ controllers: [ProfilesController], providers: [ProfilesRepository, ProfilesService], exports: [ProfilesService] })
export class ProfilesModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(ProfilesService) profiles: ProfilesService,
  ) {
    lookups.register('profile', async (wanted, { scope }) => (await profiles.find(scope.project, wanted)) ?? undefined);
    made.register(endpoints.createProfile, async (id, { scope }) => {
      const profile = await profiles.find(scope.project, id);
      return profile === null ? undefined : profileView(profile);
    });
  }
}
