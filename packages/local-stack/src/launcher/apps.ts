import type { SettingName } from '@berth/config';

export type AppName = 'api' | 'worker' | 'browser-host';

export interface App {
  /** For people. */
  readonly title: string;
  /** The file that Node runs. */
  readonly entry: string;
  /** The setting with the port on which it answers /health/ready. */
  readonly portSetting: Extract<SettingName, 'BERTH_API_PORT' | 'BERTH_WORKER_PORT' | 'BERTH_HOST_PORT'>;
}

export type Apps = Readonly<Record<AppName, App>>;

export const appNames: readonly AppName[] = ['api', 'worker', 'browser-host'];

export const appsBelow = (root: string): Apps => ({
  api: { title: 'API', entry: `${root}/apps/api/dist/main.js`, portSetting: 'BERTH_API_PORT' },
  worker: { title: 'worker', entry: `${root}/apps/worker/dist/main.js`, portSetting: 'BERTH_WORKER_PORT' },
  'browser-host': { title: 'browser host', entry: `${root}/apps/browser-host/dist/main.js`, portSetting: 'BERTH_HOST_PORT' },
});
