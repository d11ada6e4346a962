import { Global, Module } from '@nestjs/common';
import { Corridor } from './corridor.js';
import { Credentials } from './credentials.js';
import { PathLookups } from './path-lookups.js';
import { Scopes } from './scopes.js';

@Global()
@Module({ providers: [Corridor, Credentials, Scopes, PathLookups], exports: [PathLookups, Corridor, Credentials] })
export class RequestModule {}
