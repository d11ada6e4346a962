import { setTimeout as delay } from 'node:timers/promises';
import type { GuardedProcess } from './guardian/spawn-guarded.js';

/**
 * Asks until the server answers. Stops asking when its process has ended, because then nobody else may answer in its place.
 * @throws when the process ends or `timeoutMs` pass first.
 */
export async function waitUntilReady(name: string, process: GuardedProcess, ask: () => Promise<void>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let end: { code: number | null; signal: string | null } | undefined;
  void process.exited.then((value) => (end = value));
  let lastError: unknown;
  for (;;) {
    await delay(25);
    if (end) throw new Error(`${name} ended while starting (${end.signal ?? `exit code ${end.code}`}).`);
    try {
      return await ask();
    } catch (error) {
      lastError = error;
    }
    if (Date.now() > deadline) throw new Error(`${name} did not answer within ${timeoutMs / 1000} s.`, { cause: lastError });
  }
}
