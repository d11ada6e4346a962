import { readFileSync } from 'node:fs';
import { endProcess, waitUntilGone, type StopStep } from './guardian/ending.js';
import { commandWordsOf, identify, pids, signal } from './guardian/process-table.js';

/**
 * Ends a server that a killed stack left on our data, or waits for the guardian that is just ending it. Only a process that `isOurs`
 * knows again is touched: the pid in the file may long belong to somebody else.
 */
export async function endLeftover(pidFile: string, isOurs: (pid: number) => boolean, stop: readonly StopStep[]): Promise<void> {
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  } catch {
    return;
  }
  const target = Number.isInteger(pid) && pid > 1 ? identify(pid) : undefined;
  if (!target || !isOurs(pid)) return;
  if (!(await waitUntilGone(target, 5000))) await endProcess(target, stop);
}

/**
 * Kills what a killed owner left running when its guardian was killed too: each process of whose command line `isOurs` holds, with the
 * process group that it leads. Resolves when those groups are gone.
 */
export async function killLeftovers(isOurs: (words: readonly string[]) => boolean): Promise<void> {
  const left = pids().flatMap((pid) => (isOurs(commandWordsOf(pid)) ? (identify(pid) ?? []) : []));
  for (const { pid } of left) signal(pid, 'SIGKILL');
  await Promise.all(left.map((target) => endProcess(target, [])));
}
