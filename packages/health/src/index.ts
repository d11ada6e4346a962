export { HealthModule } from './health.module.js';
export type { Health } from './health.js';
export { serveMetrics } from './metrics-server.js';
export { readinessOf } from './readiness.js';
export { type Pingable, storeChecks } from './store-checks.js';
