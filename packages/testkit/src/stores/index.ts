export { surround, type Surrounded } from './crowd.js';
export { type DatabaseProxy, startDatabaseProxy } from './database-proxy.js';
export { countSlots, everySlotSettles, type SlotCount, slotsSettleAt, usageOf } from './invariants.js';
export { type HangingPostgres, startHangingPostgres } from './hanging-postgres.js';
export { freshStores, type FreshStores, migrate, testChromium, withDatabase } from './fresh-stores.js';
export { createTenant, type Tenant, type TenantChoices } from './tenants.js';
