import { guardian } from './guardian/guardian.js';
import type { GuardedProcess } from './guardian/spawn-guarded.js';
import type { Progress } from './progress.js';

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A process that ran this long did start well: its next failure is a new one. */
const healthyMs = 60_000;

export interface Supervised {
  /** The process that runs now; undefined between a death and the next start. */
  current(): GuardedProcess | undefined;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** A store that is kept running at one address. */
export interface Server {
  readonly url: string;
  /** The process that serves now; undefined while it is being started again. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** Keeps a process running: when it ends unasked, starts it again, waiting longer each time it does not last. */
export function supervise(name: string, first: GuardedProcess, restart: () => Promise<GuardedProcess>, report: Progress): Supervised {
  let current: GuardedProcess | undefined = first;
  let stopping = false;
  let delayMs = firstDelayMs;
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> = Promise.resolve();

  function scheduleRestart(cause: string): void {
    if (stopping || guardian.isEnding) return;
    report(`${name} ${cause}; starting it again in ${delayMs / 1000} s`);
    timer = setTimeout(() => {
      restarting = startAgain();
    }, delayMs);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }

  async function startAgain(): Promise<void> {
    try {
      watch(await restart());
      report(`${name} runs again`);
    } catch (error) {
      scheduleRestart(`did not start: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function watch(process: GuardedProcess): void {
    current = process;
    const startedAt = Date.now();
    void process.exited.then(({ code, signal }) => {
      current = undefined;
      if (Date.now() - startedAt > healthyMs) delayMs = firstDelayMs;
      scheduleRestart(signal ? `was ended by ${signal}` : `ended with code ${code}`);
    });
  }

  watch(first);
  return {
    current: () => current,
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await restarting;
      await current?.stop();
    },
  };
}
