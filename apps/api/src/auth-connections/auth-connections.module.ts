import { Inject, Module } from '@nestjs/common';
import { type FlowStore, readStanding } from '@berth/login-flow';
import { endpoints, isIdShaped } from '@berth/schema';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { MadeBefore } from '../idempotency/made-before.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { AuthConnectionsController } from './auth-connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { FLOW_STORE } from './flow-store.module.js';
import { LoginsService } from './logins.service.js';
import { Timeline } from './timeline.js';

@Module({
  imports: [ProfilesModule, CredentialsModule],
  controllers: [AuthConnectionsController],
  providers: [ConnectionsRepository, ConnectionsService, LoginsService, Timeline],
  exports: [LoginsService],
})
export class AuthConnectionsModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(ConnectionsService) connections: ConnectionsService,
    @Inject(FLOW_STORE) store: FlowStore,
  ) {
    lookups.register('auth_connection', (wanted, { scope }) => connections.find(scope.project, wanted));
    lookups.register('connection_standing', async (wanted, { scope }) =>
      isIdShaped(wanted) ? ((await readStanding(store, scope.project, wanted)) ?? undefined) : undefined,
    );
    made.register(endpoints.createAuthConnection, async (id, { scope }) => {
      const connection = await connections.find(scope.project, id);
      return connection === undefined ? undefined : connections.view(scope.project, connection);
    });
  }
}
