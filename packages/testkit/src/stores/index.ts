export { freshStores, type FreshStores, migrate, testChromium, withDatabase } from './fresh-stores.js';
export { type ReadUsage, usageViolations } from './invariants.js';
export { createTenant, type Tenant, type TenantChoices } from './tenants.js';
