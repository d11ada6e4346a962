export { accessChannel } from './access-channel.js';
export { isInsertIntoDeletedProject, violatesUnique } from './constraints.js';
export { Database, type DatabaseOptions, type Statement, type TenantAccess, type Transaction } from './database.js';
export { Prisma } from './generated/prisma/client.js';
export type {
  ApiKey as ApiKeyRow,
  AuthConnection as AuthConnectionRow,
  BrowserHost as BrowserHostRow,
  BrowserPool as BrowserPoolRow,
  BrowserSession as BrowserSessionRow,
  Credential as CredentialRow,
  HealthCheck as HealthCheckRow,
  IdempotencyRecord as IdempotencyRecordRow,
  Invocation as InvocationRow,
  LoginFlow as LoginFlowRow,
  LoginFlowEvent as LoginFlowEventRow,
  Organization as OrganizationRow,
  Profile as ProfileRow,
  Project as ProjectRow,
} from './generated/prisma/client.js';
export { newId } from './ids.js';
export { onDiskLater } from './on-disk-later.js';
export { type DatabaseOutage, databaseOutage } from './outage.js';
export type { OrganizationScope, ProjectScope } from './scope.js';
export type { OrganizationTables, ProjectTables } from './tables.js';
