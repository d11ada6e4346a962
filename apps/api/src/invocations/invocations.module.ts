import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { BrowsersModule } from '../browsers/browsers.module.js';
import { BrowsersService } from '../browsers/browsers.service.js';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { invocationView } from './invocation-view.js';
import { InvocationsController } from './invocations.controller.js';
import { InvocationsRepository } from './invocations.repository.js';
import { InvocationsService } from './invocations.service.js';

@Module({ imports: [BrowsersModule], controllers: [InvocationsController], providers: [InvocationsRepository, InvocationsService] })
export class InvocationsModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(InvocationsRepository) repository: InvocationsRepository,
    @Inject(BrowsersService) browsers: BrowsersService,
  ) {
    lookups.register('invocation', async (wanted, { scope }) => (await repository.find(scope.project, wanted)) ?? undefined);
    lookups.register('invocation_browsers', (wanted, { scope }) => browsers.ofInvocation(scope.project, wanted));
    made.register(endpoints.createInvocation, async (id, { scope }) => {
      const row = await repository.find(scope.project, id);
      return row === null ? undefined : invocationView(row);
    });
  }
}
