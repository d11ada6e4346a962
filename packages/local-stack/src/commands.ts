import { spawn, type SpawnOptions } from 'node:child_process';

export type CommandOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;

export interface CommandResult {
  /** `null` when a signal ended it or it could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a short command to its end and tells how it went; a command that is not there has code `null`. */
export function tryCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
    child.once('error', (error) => resolve({ code: null, stdout: '', stderr: error.message }));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

/** Runs a short command and gives its standard output. @throws with the command's own last words when it fails. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(command, args, options);
  if (code === 0) return stdout;
  const lastWords = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n');
  throw new Error(`${command} failed (${code ?? 'could not run'}): ${lastWords}`);
}
