import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnGuarded, type ProcessEnd } from '../src/index.js';

export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

export const temporaryFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'berth-local-stack-')));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Waits for the condition itself; the limit only ends a test that has failed already. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 40_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await delay(25);
  }
}

/** Every process that names the folder in its command line, environment or working folder. */
export function processesOf(folder: string): readonly number[] {
  const read = (action: () => string): string => {
    try {
      return action();
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (pid === process.pid) return false;
      if (/\) [ZX] /.test(read(() => readFileSync(`/proc/${pid}/stat`, 'utf8')))) return false;
      return [
        read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
        read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
        read(() => readlinkSync(`/proc/${pid}/cwd`)),
      ].some((text) => text.includes(folder));
    });
}

export interface Run {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly output: () => string;
  readonly ended: Promise<ProcessEnd>;
}

/** Runs a program that ends with this test process, however that ends: a failing test leaves nothing behind. */
export async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('BERTH_') && !name.startsWith('npm_') && name !== 'NODE_OPTIONS'),
  );
  const { child, pid, exited } = await spawnGuarded(command, args, { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, pid, output: () => output, ended: exited };
}
