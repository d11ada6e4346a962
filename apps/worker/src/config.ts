import { type Config, readConfig } from '@berth/config';

const names = [
  'BERTH_DATABASE_URL',
  'BERTH_DATABASE_POOL_SIZE',
  'BERTH_REDIS_URL',
  'BERTH_SECRET_KEY',
  'BERTH_SECRET_KEYS_PREVIOUS',
  'BERTH_LOG_LEVEL',
  'BERTH_LISTEN_ADDRESS',
  'BERTH_METRICS_PORT',
  'BERTH_PUBLIC_URL',
  'BERTH_LEASE_SECONDS',
  'BERTH_LAUNCH_TIMEOUT_SECONDS',
  'BERTH_SWEEP_SECONDS',
  'BERTH_WORKER_PORT',
  'BERTH_WORKER_CONCURRENCY',
  'BERTH_FLOW_PAUSE_SECONDS',
  'BERTH_FLOW_TOTAL_SECONDS',
  'BERTH_FLOW_MAX_STEPS',
  'BERTH_DISCOVERY_QUIET_MS',
  'BERTH_DISCOVERY_QUIET_MAX_MS',
  'BERTH_ALLOW_PRIVATE_NETWORKS',
  'BERTH_PLAN_LIMITS',
] as const;

export type WorkerConfig = Config<(typeof names)[number]>;

/** @throws {ConfigError} once, listing every fault. */
export function readWorkerConfig(env: Readonly<Record<string, string | undefined>>): WorkerConfig {
  return readConfig(names, env);
}
