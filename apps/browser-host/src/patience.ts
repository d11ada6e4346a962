import { setTimeout as delay } from 'node:timers/promises';
import { databaseOutage } from '@berth/database';

const askAgainAfterMs = 100;

/** Asks PostgreSQL again while it is away, until `until` aborts. Only for what may be asked twice: an answer can be lost behind its commit. */
export async function throughOutage<T>(until: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (until.aborted || databaseOutage(error) === undefined) throw error;
      await delay(askAgainAfterMs, undefined, { signal: until }).catch(() => undefined);
    }
  }
}

/** The answer of `work`, or undefined when it fails or takes longer than `ms`; then it goes on unheard. */
export async function answerWithin<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  return withinTime(ms, work).catch(() => undefined);
}

/** Answers as `work` does, or rejects after `ms`; the work itself goes on. */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
