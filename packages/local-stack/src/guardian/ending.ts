import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, membersOf, signal, type ProcessIdentity } from './process-table.js';

/** A signal and how long the process may take over it before the next step. */
export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

export const terminate = (waitMs: number): readonly StopStep[] => [{ signal: 'SIGTERM', waitMs }];

/** Long enough to be cheap, short enough not to be noticed by a person at Ctrl-C. */
const pollMs = 20;
/** What was killed is gone within milliseconds, and a caller may be waiting for its place. */
const killedPollMs = 5;
const killedWithinMs = 5_000;

export const waitUntilGone = (target: ProcessIdentity, waitMs: number): Promise<boolean> =>
  waitUntil(() => !isRunning(target), waitMs, pollMs);

async function waitUntil(condition: () => boolean, waitMs: number, everyMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await delay(everyMs);
  }
  return true;
}

/** Takes the steps until the process is gone, then SIGKILLs what is left of its process group, and waits for that to be gone too. */
export async function endProcess(target: ProcessIdentity, steps: readonly StopStep[]): Promise<void> {
  for (const step of steps) {
    if (!isRunning(target)) break;
    signal(target.pid, step.signal);
    if (await waitUntilGone(target, step.waitMs)) break;
  }
  signal(-target.pid, 'SIGKILL');
  await untilGroupGone(target.pid, Date.now() + killedWithinMs);
}

/** What was killed forks no more, so those that are there now are all there will be; they alone are asked for again and again. */
async function untilGroupGone(group: number, deadline: number): Promise<void> {
  const left = membersOf(group);
  if (left.length === 0) return;
  if (await waitUntil(() => !left.some(isRunning), deadline - Date.now(), killedPollMs)) await untilGroupGone(group, deadline);
}
