import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { BrowsersController } from './browsers.controller.js';
import { BrowsersRepository } from './browsers.repository.js';
import { BrowsersService } from './browsers.service.js';
import { References } from './references.js';
import { SessionAddresses } from './session-addresses.js';
import { StartSession } from './start-session.js';

@Module({
  controllers: [BrowsersController],
  providers: [BrowsersRepository, BrowsersService, References, SessionAddresses, StartSession],
  exports: [BrowsersService, References],
})
export class BrowsersModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(BrowsersRepository) repository: BrowsersRepository,
    @Inject(BrowsersService) browsers: BrowsersService,
  ) {
    // A session that has ended can be read and deleted again by its id, but not changed (D30).
    lookups.register('browser', async (wanted, { scope, endpoint }) => {
      const row = await repository.find(scope.project, wanted);
      return row !== undefined && row.status !== 'running' && endpoint.method === 'PATCH' ? undefined : row;
    });
    made.register(endpoints.createBrowser, (id, { scope }) => browsers.finishCreate(scope.project, id));
  }
}
