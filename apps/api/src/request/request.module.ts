import { Global, Module } from '@nestjs/common';
import { AccessChanges } from './access-changes.js';
import { AccessChecks } from './access-checks.js';
import { Corridor } from './corridor.js';
import { Credentials } from './credentials.js';
import { HostedDoor } from './hosted-door.js';
import { OAuthTokens } from './oauth-tokens.js';
import { PathLookups } from './path-lookups.js';
import { Scopes } from './scopes.js';

@Global()
@Module({
  providers: [AccessChanges, AccessChecks, Corridor, Credentials, HostedDoor, OAuthTokens, Scopes, PathLookups],
  exports: [AccessChanges, AccessChecks, PathLookups, Corridor, Credentials, HostedDoor, Scopes],
})
export class RequestModule {}
