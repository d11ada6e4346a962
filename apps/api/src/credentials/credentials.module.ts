import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { credentialView, shownCredential } from './credential-view.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Module({ controllers: [CredentialsController], providers: [CredentialsRepository, CredentialsService], exports: [CredentialsService] })
export class CredentialsModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(CredentialsService) credentials: CredentialsService,
  ) {
    lookups.register('credential', async (wanted, { scope }) => (await credentials.find(scope.project, wanted)) ?? undefined);
    made.register(endpoints.createCredential, async (id, { scope }) => {
      const credential = await credentials.find(scope.project, id);
      return credential === null ? undefined : credentialView(shownCredential(credential));
    });
  }
}
