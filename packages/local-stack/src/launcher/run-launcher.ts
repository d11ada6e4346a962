import { ConfigError } from '@berth/config';
import { DataFolderInUseError } from '../data-folder.js';
import type { Progress } from '../progress.js';
import { appNames } from './apps.js';
import { startAll, type LaunchPlan } from './start-all.js';
import { startOne } from './start-one.js';

/** Everything, or the one app that is named. Sets the exit code; an app started alone keeps the process. */
export async function runLauncher(plan: LaunchPlan, argument: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = Date.now();
  const report: Progress = (message) =>
    process.stdout.write(message.startsWith('\n') ? `${message}\n` : `${elapsed(startedAt)}  ${message}\n`);
  try {
    if (argument === undefined) process.exit(await startAll(plan, env, report));
    const name = appNames.find((known) => known === argument);
    if (name === undefined) throw new Error(`There is no app ${argument}; there are ${appNames.join(', ')}.`);
    await startOne(name, plan, env, report);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

const elapsed = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1).padStart(5)} s`;

/** The causes are in the message already; a stack would only hide it. */
function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataFolderInUseError) return error.message;
  return error instanceof Error ? `Berth could not start: ${error.message}` : String(error);
}
