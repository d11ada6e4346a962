import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { settings as table, type Environment, type SettingName } from '@berth/config';
import { tryCommand } from '../commands.js';
import { DataFolder } from '../data-folder.js';
import { terminate } from '../guardian/ending.js';
import { endGuarded } from '../guardian/guardian.js';
import { spawnGuarded, type GuardedProcess } from '../guardian/spawn-guarded.js';
import { isRoot } from '../postgres-user.js';
import type { Progress } from '../progress.js';
import { waitUntilReady } from '../readiness.js';
import { ServerLog } from '../server-log.js';
import { startStack, type Stack } from '../stack.js';
import { supervise, type Supervised } from '../supervise.js';
import { appNames, type App, type AppName, type Apps } from './apps.js';
import { choosePorts, readLauncherSettings, requireBuilt, type LauncherSettings } from './launcher-settings.js';
import { listenForStop } from './stop-request.js';

export interface LaunchPlan {
  /** Root of the repository. */
  readonly root: string;
  readonly apps: Apps;
  /** Command that brings the database of BERTH_DATABASE_URL up to date. */
  readonly migrate: readonly [string, ...string[]];
  readonly migrateIn: string;
}

/** D55: a stopping app hands over and drains within 30 s. */
const appStop = terminate(30_000);
/** Cold start of Node and Nest on a loaded machine. */
const appReadyMs = 60_000;

/** Brings everything up (D51), keeps it up, and takes it down when asked to. Resolves with the exit code. */
export async function startAll(plan: LaunchPlan, env: NodeJS.ProcessEnv, report: Progress): Promise<number> {
  const stopRequest = listenForStop(env);
  const starting = bringUp(plan, env, report);
  const first = await Promise.race([starting, stopRequest.requested]);
  if (typeof first === 'string') {
    report(`Stopping (${first})`);
    starting.catch(() => undefined);
    await endGuarded();
    return 130;
  }
  report(`Stopping (${await stopRequest.requested})`);
  stopRequest.onImpatience(() => first.apps.forEach((app) => void app.current()?.stop([])));
  await Promise.all(first.apps.map((app) => app.stop()));
  await first.stack.stop();
  report('Stopped');
  return 0;
}

interface Running {
  readonly stack: Stack;
  readonly apps: readonly Supervised[];
}

async function bringUp(plan: LaunchPlan, env: Environment, report: Progress): Promise<Running> {
  const settings = readLauncherSettings(plan.root, env, report);
  requireBuilt(Object.values(plan.apps));
  // Before the ports: on a stack that runs they are taken by the very same Berth.
  await DataFolder.assertFree(settings.dataDir);
  const ports = await choosePorts(plan.apps, env, settings.listenAddress);
  const own = [settings.databaseUrl ? '' : 'PostgreSQL', settings.redisUrl ? '' : 'Redis'].filter(Boolean);
  if (own.length > 0) report(`Starting ${own.join(' and ')} in ${settings.dataDir}`);
  const stack = await startStack({ ...settings, progress: report });
  const apps: Supervised[] = [];
  try {
    const appEnv = environmentForApps(env, settings, stack);
    const portsSet = Object.fromEntries(appNames.map((name) => [plan.apps[name].portSetting, String(ports[name])]));
    stack.folder.announce({
      pid: process.pid,
      databaseUrl: stack.databaseUrl,
      redisUrl: stack.redisUrl,
      chromiumPath: stack.chromiumPath,
      settings: settingsGiven({ ...appEnv, ...portsSet }, env),
    });
    await migrate(plan, appEnv, report);
    report('Starting the API, the worker and the browser host');
    const startOne = (name: AppName) =>
      startApp(plan.apps[name], ports[name], settings, { ...appEnv, [plan.apps[name].portSetting]: String(ports[name]) }, stack, report);
    apps.push(...(await Promise.all(appNames.map(startOne))));
    announce(plan.root, ports.api, settings, env, report);
    return { stack, apps };
  } catch (error) {
    await endGuarded();
    throw error;
  }
}

function environmentForApps(env: Environment, settings: LauncherSettings, stack: Stack): NodeJS.ProcessEnv {
  const embeddedDatabase = settings.databaseUrl === undefined;
  const defaults = {
    ...(embeddedDatabase
      ? { BERTH_SECRET_KEY: env.BERTH_SECRET_KEY?.trim() || stack.folder.secret('secret-key'), BERTH_BOOTSTRAP_ORG: 'Local' }
      : {}),
    // Neither root nor the npm-shipped build can use Chromium's sandbox.
    ...(isRoot() || settings.chromiumPath === undefined ? { BERTH_CHROMIUM_SANDBOX: 'false' } : {}),
  };
  const set = Object.fromEntries(Object.entries(env).filter(([name, value]) => !name.startsWith('BERTH_') || value?.trim()));
  return {
    ...defaults,
    ...set,
    BERTH_DATABASE_URL: stack.databaseUrl,
    BERTH_REDIS_URL: stack.redisUrl,
    BERTH_CHROMIUM_PATH: stack.chromiumPath,
    BERTH_DATA_DIR: stack.folder.path,
  };
}

/** A secret that came by the environment is not written to any file. */
function settingsGiven(appEnv: Environment, env: Environment): Record<string, string> {
  const isTold = (name: SettingName): boolean => !('secret' in table[name]) || (env[name] ?? '').trim() === '';
  return Object.fromEntries(
    (Object.keys(table) as SettingName[]).flatMap((name) => (appEnv[name] !== undefined && isTold(name) ? [[name, appEnv[name]]] : [])),
  );
}

async function migrate({ migrate: [command, ...args], migrateIn }: LaunchPlan, env: NodeJS.ProcessEnv, report: Progress): Promise<void> {
  report('Bringing the database up to date');
  const { code, stdout, stderr } = await tryCommand(command, args, { cwd: migrateIn, env });
  if (code !== 0) throw new Error(`The database could not be brought up to date:\n${stdout}${stderr}`);
}

async function startApp(
  app: App,
  port: number,
  settings: LauncherSettings,
  env: NodeJS.ProcessEnv,
  stack: Stack,
  report: Progress,
): Promise<Supervised> {
  const log = new ServerLog(stack.folder.file('logs', `${app.title.replace(' ', '-').toLowerCase()}.log`));
  const start = (): Promise<GuardedProcess> =>
    log.open((output) => spawnGuarded(process.execPath, [app.entry], { env, stdio: ['ignore', output, output], stop: appStop, order: 0 }));
  const first = await start();
  try {
    await waitUntilReady(`The ${app.title}`, first, () => askReady(settings.listenAddress, port), appReadyMs);
  } catch (error) {
    throw new Error(`${(error as Error).message} The end of ${log.path}:\n${log.lastLines()}`, { cause: error });
  }
  return supervise(`The ${app.title}`, first, start, report);
}

async function askReady(address: string, port: number): Promise<void> {
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  const response = await fetch(`http://${host}:${port}/health/ready`, { signal: AbortSignal.timeout(2000) });
  await response.body?.cancel();
  if (response.status !== 200) throw new Error(`/health/ready answered ${response.status}`);
}

function announce(root: string, apiPort: number, settings: LauncherSettings, env: Environment, report: Progress): void {
  const baseUrl =
    env.BERTH_PUBLIC_URL?.trim() ||
    `http://${['0.0.0.0', '::'].includes(settings.listenAddress) ? '127.0.0.1' : settings.listenAddress}:${apiPort}`;
  const keyFile = join(settings.dataDir, 'bootstrap-key');
  const key = env.BERTH_BOOTSTRAP_KEY?.trim()
    ? 'the one in BERTH_BOOTSTRAP_KEY'
    : existsSync(keyFile)
      ? `${readFileSync(keyFile, 'utf8').trim()}  (kept in ${relative(root, keyFile)})`
      : 'none was made: see BERTH_BOOTSTRAP_ORG';
  report(
    [
      '',
      'Berth is up.',
      `  API            ${baseUrl}`,
      `  Docs           ${baseUrl}/docs`,
      `  Bootstrap key  ${key}`,
      `  Logs           ${join(settings.dataDir, 'logs')}`,
      'Ctrl-C stops all of it.',
    ].join('\n'),
  );
}
