import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { endProcess, terminate, type StopStep } from './ending.js';
import { guardian } from './guardian.js';
import { identify, signal } from './process-table.js';

export interface GuardedOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** As for `spawn`; three entries or more, at most nine. Default: all ignored. */
  readonly stdio?: readonly ('pipe' | 'ignore' | 'inherit' | number)[];
  /** How to stop it before it is killed. Default: SIGTERM, then 10 s. */
  readonly stop?: readonly StopStep[];
  /** When the owner dies, children of a lower order end first. Default 0. */
  readonly order?: number;
  /** Folders to remove when the owner dies without stopping the child. */
  readonly remove?: readonly string[];
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface GuardedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly exited: Promise<ProcessEnd>;
  /** Ends the process and its group, politely at first. Resolves when it is gone; may be called again. */
  stop(steps?: readonly StopStep[]): Promise<ProcessEnd>;
}

/**
 * Starts a child that dies with this process, even if this process is SIGKILLed.
 *
 * The child waits at a gate until the guardian knows of it, so there is no moment at which it could be orphaned: if the owner dies
 * first, the gate's pipe closes and the child never starts. It leads its own process group, so a Ctrl-C at the terminal does not reach
 * it and stopping it ends its descendants. A command that cannot be run ends with exit code 126 or 127.
 */
export async function spawnGuarded(command: string, args: readonly string[], options: GuardedOptions = {}): Promise<GuardedProcess> {
  const { stdio = ['ignore', 'ignore', 'ignore'], stop = terminate(10_000), order = 0, remove = [], ...spawnOptions } = options;
  const gateFd = stdio.length;
  const gateScript = `read -r go <&${gateFd} || exit 125; exec ${gateFd}<&-; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', gateScript, command, ...args], { ...spawnOptions, detached: true, stdio: [...stdio, 'pipe'] });
  const exited = new Promise<ProcessEnd>((resolve) => child.once('exit', (code, endSignal) => resolve({ code, signal: endSignal })));
  await once(child, 'spawn');
  const pid = child.pid as number;
  const target = identify(pid);
  void exited.then(() => {
    guardian.forget(String(pid));
    signal(-pid, 'SIGKILL');
  });
  const gate = child.stdio[gateFd] as Writable;
  gate.on('error', () => undefined);
  try {
    await guardian.watch({ id: String(pid), pid, order, stop, remove });
  } catch (error) {
    // The gate closes unopened, so the command is never run.
    gate.destroy();
    await exited;
    throw error;
  }
  gate.end('go\n');
  return {
    pid,
    child,
    exited,
    stop: async (steps = stop) => {
      if (target && child.exitCode === null && child.signalCode === null) await endProcess(target, steps);
      return exited;
    },
  };
}
