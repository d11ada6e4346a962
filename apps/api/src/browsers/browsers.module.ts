import { Inject, Module } from '@nestjs/common';
import { PathLookups } from '../request/path-lookups.js';
import { BrowsersController } from './browsers.controller.js';
import { BrowsersService } from './browsers.service.js';
import { SessionsRepository } from './sessions.repository.js';
import { StartSession } from './start-session.js';

@Module({ controllers: [BrowsersController], providers: [BrowsersService, StartSession, SessionsRepository], exports: [BrowsersService] })
export class BrowsersModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(BrowsersService) browsers: BrowsersService) {
    lookups.register('browser', (wanted, { scope }) => browsers.find(scope.project, wanted));
  }
}
