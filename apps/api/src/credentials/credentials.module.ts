import { Inject, Module } from '@nestjs/common';
import { PathLookups } from '../request/path-lookups.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Module({ controllers: [CredentialsController], providers: [CredentialsRepository, CredentialsService], exports: [CredentialsService] })
export class CredentialsModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(CredentialsService) credentials: CredentialsService) {
    lookups.register('credential', async (wanted, { scope }) => (await credentials.find(scope.project, wanted)) ?? undefined);
  }
}
