import { Global, Module } from '@nestjs/common';
import { AccessChanges } from './access-changes.js';
import { Corridor } from './corridor.js';
import { Credentials } from './credentials.js';
import { OAuthTokens } from './oauth-tokens.js';
import { PathLookups } from './path-lookups.js';
import { Scopes } from './scopes.js';

@Global()
@Module({ providers: [AccessChanges, Corridor, Credentials, OAuthTokens, Scopes, PathLookups], exports: [AccessChanges, PathLookups, Corridor, Credentials, Scopes] })
export class RequestModule {}
