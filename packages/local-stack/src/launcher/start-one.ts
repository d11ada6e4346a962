import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '@berth/config';
import { locateChromium } from '../chromium.js';
import { readAnnouncedStack } from '../data-folder.js';
import { pingRedis } from '../redis.js';
import { queryPostgres } from '../postgres.js';
import { isRoot } from '../postgres-user.js';
import type { Progress } from '../progress.js';
import type { AppName } from './apps.js';
import { choosePort, readLauncherSettings, requireBuilt, type LauncherSettings } from './launcher-settings.js';
import type { LaunchPlan } from './start-all.js';
import { npmIsGone } from './stop-request.js';

/**
 * Runs one more app in this very process, for scaling out (D51): on the given URLs, or on the running stack of the same data folder.
 * Signals are the app's own business; only the death of npm, of which it cannot know, is handed to it as a SIGTERM.
 */
export async function startOne(name: AppName, plan: LaunchPlan, env: NodeJS.ProcessEnv, report: Progress): Promise<void> {
  const app = plan.apps[name];
  const settings = readLauncherSettings(plan.root, env, report);
  requireBuilt([app]);
  const joined = await joinStack(settings, env);
  const port = await choosePort(app, env, settings.listenAddress, true);
  Object.assign(env, joined, { [app.portSetting]: String(port), BERTH_DATA_DIR: settings.dataDir });
  if (name === 'browser-host') Object.assign(env, await chromiumFor(settings, env, report));
  report(`The ${app.title} starts on port ${port}`);
  void npmIsGone(env).then(() => process.kill(process.pid, 'SIGTERM'));
  await import(pathToFileURL(app.entry).href);
}

async function joinStack(settings: LauncherSettings, env: Environment): Promise<NodeJS.ProcessEnv> {
  if (settings.databaseUrl && settings.redisUrl) return {};
  const running = readAnnouncedStack(settings.dataDir);
  const databaseUrl = settings.databaseUrl ?? running?.databaseUrl;
  const redisUrl = settings.redisUrl ?? running?.redisUrl;
  try {
    if (!databaseUrl || !redisUrl) throw new Error('none was announced there');
    await Promise.all([queryPostgres(databaseUrl), pingRedis(redisUrl)]);
  } catch (error) {
    throw new Error(
      `No stack runs on ${settings.dataDir} (${(error as Error).message}). Start one with npm start, or set BERTH_DATABASE_URL and BERTH_REDIS_URL.`,
      { cause: error },
    );
  }
  const secretKey = env.BERTH_SECRET_KEY?.trim() || readFileSync(join(settings.dataDir, 'secret-key'), 'utf8').trim();
  return { BERTH_DATABASE_URL: databaseUrl, BERTH_REDIS_URL: redisUrl, BERTH_SECRET_KEY: secretKey };
}

async function chromiumFor(settings: LauncherSettings, env: Environment, report: Progress): Promise<NodeJS.ProcessEnv> {
  const path = await locateChromium({ toolsDir: join(settings.dataDir, 'tools'), path: settings.chromiumPath, progress: report });
  const sandboxed = settings.chromiumPath !== undefined && !isRoot();
  return { BERTH_CHROMIUM_PATH: path, BERTH_CHROMIUM_SANDBOX: env.BERTH_CHROMIUM_SANDBOX?.trim() || String(sandboxed) };
}
