/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { elementAt, isDisabled } from './dom.js';
import { nextChange, shownText, wakeAll, type Watch, watchOf } from './watch.js';

/** Work that a page puts off longer than this after a press is not waited for: a reminder, a session's end. */
export function longestWorkMs(): number {
  return 15_000;
}

/**
 * Runs a piece of the page's own code and notes what it sets going until `end`: a message to a worker, timers and what they set going in
 * their turn. The page's functions are replaced until the task is over, promises included, and then put back.
 */
export function follow(watch: Watch, end: number, run: () => void): void {
  const timers = window as unknown as { setTimeout: (handler: unknown, delay?: number, ...rest: unknown[]) => unknown };
  const later = timers.setTimeout;
  const { prototype } = Worker;
  const post = Object.getOwnPropertyDescriptor(prototype, 'postMessage');
  if (!watch.following && post) {
    watch.following = true;
    timers.setTimeout = (handler, delay, ...rest) => {
      const due = performance.now() + Math.max(0, Number(delay) || 0);
      if (due > end || typeof handler !== 'function') return later.call(window, handler, delay, ...rest);
      watch.workUntil = Math.max(watch.workUntil, due);
      return later.call(window, () => follow(watch, end, () => void (handler as (...given: unknown[]) => unknown)(...rest)), delay);
    };
    prototype.postMessage = function (this: Worker, ...message: unknown[]): void {
      noteHeed(watch);
      (post.value as (...all: unknown[]) => void).apply(this, message);
    };
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      timers.setTimeout = later;
      Object.defineProperty(prototype, 'postMessage', post);
      watch.following = false;
    };
    channel.port2.postMessage(null);
  }
  run();
}

export function noteHeed(watch: Watch): void {
  watch.heeded = true;
  wakeAll(watch);
}

/** What the page shows, sends and sets going is from here on what a press has brought. */
export function beginPress(): Watch {
  const watch = watchOf();
  watch.textAtPress = shownText();
  watch.heeded = false;
  watch.workUntil = 0;
  return watch;
}

/**
 * Presses in a task of its own, so that the answer is out before a navigation can cut it off. Whether the page takes
 * the press up shows in what its own code then does: one that is deaf to it sends no form and sets nothing going.
 */
export function pressSoon(root: Node, deliver: () => void): void {
  const watch = beginPress();
  setTimeout(() => {
    // By then the page's own listeners have had their say: a form that they hold back is not on its way.
    root.addEventListener('submit', (event) => queueMicrotask(() => void (event.defaultPrevented || noteHeed(watch))), {
      capture: true,
      once: true,
    });
    follow(watch, performance.now() + longestWorkMs(), deliver);
  }, 0);
}

/** Of what was pressed, or in the words around it. */
export function showsEffect(path: string): boolean {
  const element = elementAt(path);
  return !element || isDisabled(element) || !element.checkVisibility() || shownText() !== watchOf().textAtPress;
}

/**
 * Whether the page has heeded a press: a form is being sent, a worker has been asked, other words are shown than before, or the control is
 * gone or disabled. A ring of focus or a ripple is none. Resolves true as soon as it has, false after `maxMs`.
 */
export async function hasEffect({ path, maxMs }: { path: string; maxMs: number }): Promise<boolean> {
  const watch = watchOf();
  const started = performance.now();
  for (;;) {
    if (watch.heeded || showsEffect(path)) return true;
    const left = maxMs - (performance.now() - started);
    if (left <= 0) return false;
    await nextChange({ seen: watch.changes, maxMs: left });
  }
}

/** Milliseconds until the last piece of work is due that the press set going; negative once it is over. */
export function workLeft(): number {
  return watchOf().workUntil - performance.now();
}
