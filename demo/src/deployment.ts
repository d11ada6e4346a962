import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@berth/local-stack';
import { tell } from './terminal.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A whole Berth on the embedded default, on ports and a data folder of its own. */
export interface Deployment {
  readonly url: string;
  readonly key: string;
  /** Where the demo leaves its screenshot. */
  readonly folder: string;
  /** Stops everything and resolves when the launcher has ended; rejects when it did not end well. */
  stop(): Promise<void>;
}

async function untilReady(url: string, launcher: ChildProcess): Promise<void> {
  for (;;) {
    if (launcher.exitCode !== null) throw new Error('Berth ended while starting; its output is above.');
    const ready = await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * The launcher's progress as lines of the demo. Its own clock is left out, so that the demo has one; what it says to a person who stays is
 * left out too.
 */
function relay(line: string): void {
  const step = /^\s*[\d.]+ s\s+(.*)$/.exec(line)?.[1];
  if (step !== undefined) tell(step);
}

/** Launches Berth exactly as `npm start` does. Programs already unpacked by earlier runs are used again; data is not. */
export async function launchBerth(env: NodeJS.ProcessEnv): Promise<Deployment> {
  const folder = join(root, '.berth', 'demo');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort('127.0.0.1');
  const key = `bk_${randomBytes(24).toString('hex')}`;
  const url = `http://127.0.0.1:${port}`;
  const launcher = spawn(process.execPath, [join(root, 'packages', 'local-stack', 'dist', 'main.js')], {
    cwd: root,
    env: {
      ...env,
      BERTH_DATA_DIR: folder,
      BERTH_API_PORT: String(port),
      BERTH_WORKER_PORT: '0',
      BERTH_HOST_PORT: '0',
      BERTH_BOOTSTRAP_ORG: 'Demo',
      BERTH_BOOTSTRAP_KEY: key,
      BERTH_HOST_WARM_BROWSERS: '1',
      BERTH_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: launcher.stdout }).on('line', relay);
  const ended = new Promise<number | null>((resolve) => launcher.on('exit', resolve));
  await untilReady(url, launcher);
  return {
    url,
    key,
    folder,
    stop: async () => {
      launcher.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`Berth ended with ${String(code)} instead of 0 after SIGTERM.`);
    },
  };
}
