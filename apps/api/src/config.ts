import { type Config, readConfig } from '@berth/config';

const names = [
  'BERTH_DATABASE_URL',
  'BERTH_DATABASE_POOL_SIZE',
  'BERTH_REDIS_URL',
  'BERTH_SECRET_KEY',
  'BERTH_SECRET_KEYS_PREVIOUS',
  'BERTH_DATA_DIR',
  'BERTH_LOG_LEVEL',
  'BERTH_LISTEN_ADDRESS',
  'BERTH_METRICS_PORT',
  'BERTH_API_PORT',
  'BERTH_PUBLIC_URL',
  'BERTH_PROJECT_HEADER_ALIASES',
  'BERTH_KEY_CACHE_SECONDS',
  'BERTH_SSE_HEARTBEAT_SECONDS',
  'BERTH_STOP_NOTICE_SECONDS',
  'BERTH_OAUTH_ISSUER',
  'BERTH_OAUTH_AUDIENCE',
  'BERTH_BOOTSTRAP_ORG',
  'BERTH_BOOTSTRAP_KEY',
  'BERTH_ORG_MAX_CONCURRENT_SESSIONS',
  'BERTH_PLAN_LIMITS',
  'BERTH_LEASE_SECONDS',
  'BERTH_LAUNCH_TIMEOUT_SECONDS',
  'BERTH_RECONCILE_SECONDS',
  'BERTH_SWEEP_SECONDS',
  'BERTH_FLOW_PAUSE_SECONDS',
  'BERTH_FLOW_TOTAL_SECONDS',
  'BERTH_ALLOW_PRIVATE_NETWORKS',
] as const;

export type ApiConfig = Config<(typeof names)[number]>;

/** Injection token of the settings. */
export const API_CONFIG = Symbol('ApiConfig');

/** @throws {ConfigError} listing every fault of the environment. */
export function readApiConfig(env: NodeJS.ProcessEnv): ApiConfig {
  return readConfig(names, env);
}
