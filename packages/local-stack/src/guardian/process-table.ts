/** What /proc tells about processes. A pid alone is no identity: it is used again after its process has ended. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process: with the pid, unique for as long as the machine is up. */
  readonly startTime: string;
}

interface ProcessStatus {
  readonly parentPid: number;
  readonly group: number;
  readonly startTime: string;
}

/** Undefined when there is no such process, or only its zombie, which runs no more. */
function statusOf(pid: number): ProcessStatus | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the command in brackets and may itself hold spaces and brackets.
  const [state, parentPid, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTime = rest[16];
  if (state === 'Z' || state === 'X' || parentPid === undefined || startTime === undefined) return undefined;
  return { parentPid: Number(parentPid), group: Number(group), startTime };
}

export function identify(pid: number): ProcessIdentity | undefined {
  const status = statusOf(pid);
  return status && { pid, startTime: status.startTime };
}

export function parentOf(pid: number): number | undefined {
  return statusOf(pid)?.parentPid;
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return statusOf(pid)?.startTime === startTime;
}

/** All processes of the group that run. Looks at every process of the machine: not for asking often. */
export function membersOf(group: number): readonly ProcessIdentity[] {
  return pids().flatMap((pid) => {
    const status = statusOf(pid);
    return status?.group === group ? [{ pid, startTime: status.startTime }] : [];
  });
}

/** Of every process that runs. */
export function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The words of the command line; none when the process is gone or not ours to see. */
export function commandWordsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

export const commandLineOf = (pid: number): string => commandWordsOf(pid).join(' ').trim();

/** Undefined when the process is gone or not ours to see. */
export function workingFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Sends a signal; a target that is already gone is no error. A negative pid means the process group. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
