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
  'BERTH_LEASE_SECONDS',
  'BERTH_LAUNCH_TIMEOUT_SECONDS',
  'BERTH_ALLOW_PRIVATE_NETWORKS',
  'BERTH_HOST_ID',
  'BERTH_HOST_PORT',
  'BERTH_HOST_INTERNAL_URL',
  'BERTH_HOST_PUBLIC_URL',
  'BERTH_HOST_CAPACITY',
  'BERTH_HOST_WARM_BROWSERS',
  'BERTH_BROWSER_MEMORY_MB',
  'BERTH_CHROMIUM_PATH',
  'BERTH_CHROMIUM_SANDBOX',
] as const;

/** The settings of a browser host, and the X display of its machine if it has one. */
export type HostConfig = Config<(typeof names)[number]> & { readonly display: string | undefined };

/** @throws {ConfigError} once, listing every fault. */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  return { ...readConfig(names, env), display: env['DISPLAY'] || undefined };
}
