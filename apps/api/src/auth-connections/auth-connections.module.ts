import { Inject, Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { AuthConnectionsController } from './auth-connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { LoginsService } from './logins.service.js';
import { Timeline } from './timeline.js';

@Module({
  imports: [ProfilesModule, CredentialsModule],
  controllers: [AuthConnectionsController],
  providers: [ConnectionsRepository, ConnectionsService, LoginsService, Timeline],
  exports: [LoginsService],
})
export class AuthConnectionsModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(ConnectionsService) connections: ConnectionsService) {
    lookups.register('auth_connection', (wanted, { scope }) => connections.find(scope.project, wanted));
  }
}
