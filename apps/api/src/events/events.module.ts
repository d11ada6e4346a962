import { Inject, Module } from '@nestjs/common';
import { Database } from '@berth/database';
import { isIdShaped } from '@berth/schema';
import { HealthModule } from '../health/health.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';

/**
 * A stream needs no more of its connection than that it is there: ten thousand clients that come back at once ask this, so it is written by
 * hand.
 */
const followedConnection = {
  name: 'followed-connection',
  text: 'SELECT id FROM auth_connections WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL',
};

@Module({ imports: [HealthModule], controllers: [EventsController], providers: [EventStreams], exports: [EventStreams] })
export class EventsModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(Database) database: Database) {
    lookups.register('followed_connection', async (wanted, { scope }) =>
      isIdShaped(wanted) ? (await database.queryProject<{ id: string }>(scope.project, followedConnection, wanted))[0]?.id : undefined,
    );
  }
}
