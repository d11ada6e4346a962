import { Module } from '@nestjs/common';
import { BrowsersController } from './browsers.controller.js';
import { BrowsersService } from './browsers.service.js';
import { SessionsRepository } from './sessions.repository.js';
import { StartSession } from './start-session.js';

@Module({ controllers: [BrowsersController], providers: [BrowsersService, StartSession, SessionsRepository], exports: [BrowsersService] })
export class BrowsersModule {}
