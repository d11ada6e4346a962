import { setTimeout as delay } from 'node:timers/promises';
import { databaseOutage } from '@berth/database';

/** Answers as `work` does, or rejects after `ms`; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Timers run before sockets are read: in a process that was busy, an answer that is there comes first.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers as `work` does, or rejects with the signal's reason as soon as it is aborted; the work itself goes on. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}

/** How long an answer waits for the undoing of what failed. */
const undoneWithinMs = 1_000;
const tryAgainMs = 1_000;
/** By then sweeps and leases have done what an undoing would. */
const triesAtMost = 60;

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (databaseOutage(error) === undefined || tries === triesAtMost) throw error;
    }
    await delay(tryAgainMs, undefined, { ref: false });
  }
}

/**
 * Undoes what has failed; `work` must be repeatable. The failure is answered a second later at the latest: while PostgreSQL is away the
 * work is tried again behind the answer, so that what was half done does not stay until its time is over. Never rejects.
 */
export async function setRight(work: () => Promise<unknown>): Promise<void> {
  await within(undoneWithinMs, untilDone(work)).catch(() => undefined);
}
