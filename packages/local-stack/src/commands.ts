import { terminate } from './guardian/ending.js';
import { spawnGuarded, type GuardedOptions } from './guardian/spawn-guarded.js';

export type CommandOptions = Pick<GuardedOptions, 'cwd' | 'env' | 'uid' | 'gid'>;

export interface CommandResult {
  /** As of a shell: 126 or 127 for a command that cannot be run; `null` when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a short command to its end and tells how it went. */
export async function tryCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { child } = await spawnGuarded(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], stop: terminate(2000) });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name]?.setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...output };
}

/** Runs a short command and gives its standard output. @throws with the command's own last words when it fails. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(command, args, options);
  if (code === 0) return stdout;
  const lastWords = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n');
  throw new Error(`${command} failed (${code ?? 'ended by a signal'}): ${lastWords}`);
}
