import { Inject, Module } from '@nestjs/common';
import { PathLookups } from '../request/path-lookups.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesRepository } from './profiles.repository.js';
import { ProfilesService } from './profiles.service.js';

@Module({ controllers: [ProfilesController], providers: [ProfilesRepository, ProfilesService], exports: [ProfilesService] })
export class ProfilesModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(ProfilesService) profiles: ProfilesService) {
    lookups.register('profile', async (wanted, { scope }) => (await profiles.find(scope.project, wanted)) ?? undefined);
  }
}
