import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, readPresent, settings, unknownSettings, type Environment, type SettingFault, type SettingName } from '@berth/config';
import { findFreePort, isPortFree } from '../ports.js';
import type { Progress } from '../progress.js';
import type { App, AppName, Apps } from './apps.js';

export interface LauncherSettings {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  readonly chromiumPath?: string;
  readonly listenAddress: string;
}

/**
 * Reads the environment for the launcher, and checks what the apps will read too, so that all faults are told at once and by one voice.
 * @throws {ConfigError}
 */
export function readLauncherSettings(root: string, env: Environment, report: Progress): LauncherSettings {
  const faults: SettingFault[] = [];
  try {
    readPresent(Object.keys(settings) as SettingName[], env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  if (env.BERTH_DATABASE_URL?.trim() && !env.BERTH_SECRET_KEY?.trim()) {
    faults.push({
      name: 'BERTH_SECRET_KEY',
      message:
        'BERTH_SECRET_KEY is not set. With a database of your own it must be: it opens what is sealed there, and a key made here would be lost with this folder. For example: the output of `openssl rand -hex 32`',
    });
  }
  if (faults.length > 0) throw new ConfigError(faults);
  for (const name of unknownSettings(env)) report(`${name} is no setting of Berth and is ignored (see \`npm run berth -- config\`)`);
  const names = ['BERTH_DATABASE_URL', 'BERTH_REDIS_URL', 'BERTH_CHROMIUM_PATH', 'BERTH_LISTEN_ADDRESS'] as const;
  return { ...readPresent(names, env), dataDir: env.BERTH_DATA_DIR?.trim() ? resolve(env.BERTH_DATA_DIR.trim()) : join(root, '.berth') };
}

/**
 * The port for an app: the one that is set, which must be free; else its default; else, where nobody needs to know it beforehand, a free
 * one.
 * @throws {ConfigError} when a port that is set, or the API's default, is taken.
 */
export async function choosePort({ title, portSetting }: App, env: Environment, address: string, mayMove: boolean): Promise<number> {
  const set = env[portSetting]?.trim();
  const wanted = Number(set || settings[portSetting].fallback);
  if (wanted === 0) return findFreePort(address);
  if (await isPortFree(wanted, address)) return wanted;
  if (!set && mayMove) return findFreePort(address);
  throw new ConfigError([
    {
      name: portSetting,
      message: `${portSetting}: port ${wanted} on ${address} is in use, so the ${title} cannot listen there. Stop what uses it, or set ${portSetting} to another port (0: any).`,
    },
  ]);
}

/** @throws {ConfigError} listing every port that cannot be had. */
export async function choosePorts(apps: Apps, env: Environment, address: string): Promise<Readonly<Record<AppName, number>>> {
  const entries = Object.entries(apps) as [AppName, App][];
  const results = await Promise.allSettled(entries.map(([name, app]) => choosePort(app, env, address, name !== 'api')));
  const faults = results.flatMap((result) => (result.status === 'rejected' ? faultsIn(result.reason) : []));
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(entries.map(([name], index) => [name, (results[index] as PromiseFulfilledResult<number>).value])) as Record<
    AppName,
    number
  >;
}

function faultsIn(error: unknown): readonly SettingFault[] {
  if (error instanceof ConfigError) return error.faults;
  throw error;
}

/** @throws when an app has not been built. */
export function requireBuilt(apps: readonly App[]): void {
  const missing = apps.filter((app) => !existsSync(app.entry)).map((app) => app.entry);
  if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run npm run setup.`);
}
