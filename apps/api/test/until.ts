import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition of the outside world, looking often; fails with `what` when it does not come. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await delay(25);
  }
}
