import { commandLineOf, identify, isRunning, parentOf, type ProcessIdentity } from '../guardian/process-table.js';

export interface StopRequest {
  /** Why, in a word, once somebody asked. */
  readonly requested: Promise<string>;
  /** Called when it is asked again: the person does not want to wait. */
  onImpatience(hurry: () => void): void;
}

const originPollMs = 500;

/** Ctrl-C, SIGTERM, a closed terminal, or the death of the npm that ran us. */
export function listenForStop(env: NodeJS.ProcessEnv): StopRequest {
  let hurry: () => void = () => undefined;
  const requested = new Promise<string>((resolve) => {
    let asked = false;
    const ask = (cause: string): void => {
      if (asked) hurry();
      asked = true;
      resolve(cause);
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ask(name));
    void npmIsGone(env).then(() => ask('npm is gone'));
  });
  return { requested, onImpatience: (action) => (hurry = action) };
}

/**
 * Resolves when the npm that ran us, or the shell it ran us with, is gone; never when npm did not run us. npm hands a signal only to that
 * shell, which dies of it alone, and nobody at all hands on the SIGKILL that ends npm itself.
 */
export function npmIsGone(env: NodeJS.ProcessEnv): Promise<void> {
  const origin = env.npm_lifecycle_event === undefined ? [] : npmAncestors();
  return new Promise((resolve) => {
    if (origin.length === 0) return;
    const timer = setInterval(() => {
      if (origin.every(isRunning)) return;
      clearInterval(timer);
      resolve();
    }, originPollMs);
    timer.unref();
  });
}

/** Our ancestors up to npm itself; none when npm is not among them. */
function npmAncestors(): readonly ProcessIdentity[] {
  const chain: ProcessIdentity[] = [];
  for (let pid: number | undefined = process.ppid; pid !== undefined && pid > 1 && chain.length < 4; pid = parentOf(pid)) {
    const identity = identify(pid);
    if (!identity) break;
    chain.push(identity);
    if (/^(npm|pnpm|yarn)\b|\/(npm-cli|pnpm|yarn)\b/.test(commandLineOf(pid))) return chain;
  }
  return [];
}
