/**
 * Access that names no tenant: credential checks, sweeps, the browser host and the operator's command line. The boundary rule
 * `unscoped-database-is-rare` lists who may import this.
 */
import type pg from 'pg';
import { type Database, internalsOf } from './database.js';
import type { PrismaClient } from './generated/prisma/client.js';

export { exclusively } from './exclusively.js';
export { organizationScope, projectScope } from './scope.js';
export type { PrismaClient } from './generated/prisma/client.js';

export interface UnscopedAccess {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
}

export function unscoped(database: Database): UnscopedAccess {
  return internalsOf(database);
}

export { createOrganization, type CreatedOrganization, type NewOrganization } from './tenants.js';
