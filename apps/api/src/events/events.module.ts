import { Module } from '@nestjs/common';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';

@Module({ controllers: [EventsController], providers: [EventStreams], exports: [EventStreams] })
export class EventsModule {}
