import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPresent, settingsInForce } from '@berth/config';
import { readAnnouncedStack } from '@berth/local-stack';

const names = [
  'BERTH_DATABASE_URL',
  'BERTH_REDIS_URL',
  'BERTH_DATA_DIR',
  'BERTH_PUBLIC_URL',
  'BERTH_API_KEY',
  'BERTH_CHROMIUM_PATH',
  'BERTH_PLAN_LIMITS',
  'BERTH_KEY_CACHE_SECONDS',
] as const;

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A message for the person at the terminal: what is wrong and what to do next. Shown without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The deployment the command acts on: what the environment names, else the running stack of `BERTH_DATA_DIR`. */
export interface Deployment {
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly chromiumPath: string | undefined;
  readonly planLimits: Readonly<Record<string, number>>;
  readonly redisUrl: string | undefined;
  /** How long an API process that hears of no change may go on as before. */
  readonly keyCacheSeconds: number;
  /** @throws CliError when no database is named and no stack runs. */
  databaseUrl(): string;
  /** @throws CliError when there is no key to call the API with. */
  apiKey(): string;
}

function firstLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim().split('\n')[0];
  } catch {
    return undefined;
  }
}

/** The data folder that `env` names; any text is one, so this works however wrong the other settings are. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  const { dataDir } = readPresent(['BERTH_DATA_DIR'], env);
  return isAbsolute(dataDir) ? dataDir : join(root, dataDir);
}

/** @throws {ConfigError} listing every setting that cannot be used. */
export function findDeployment(env: NodeJS.ProcessEnv): Deployment {
  const dataDir = dataFolderOf(env);
  const stack = readAnnouncedStack(dataDir);
  // The stack's own ports too: it takes others where the usual ones are in use.
  const config = readPresent(names, settingsInForce(env, stack?.settings));
  return {
    dataDir,
    publicUrl: config.publicUrl,
    chromiumPath: config.chromiumPath ?? stack?.chromiumPath,
    planLimits: config.planLimits,
    redisUrl: config.redisUrl ?? stack?.redisUrl,
    keyCacheSeconds: config.keyCacheSeconds,
    databaseUrl: () => {
      const url = config.databaseUrl ?? stack?.databaseUrl;
      if (url === undefined) throw new CliError('No database: start Berth with `npm start`, or set BERTH_DATABASE_URL.');
      return url;
    },
    apiKey: () => {
      const key = config.apiKey ?? firstLine(join(dataDir, 'bootstrap-key'));
      if (key === undefined)
        throw new CliError('No API key: set BERTH_API_KEY (make one with `npm run berth -- key create --org <name> <key name>`).');
      return key;
    },
  };
}
