/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { allRoots } from './dom.js';

export interface Watch {
  changes: number;
  last: number;
  roots: WeakSet<Node>;
  observer: MutationObserver;
  wake: (() => void)[];
  /** What the page showed just before the last press. */
  textAtPress: string;
  /** The page has taken the last press up. */
  heeded: boolean;
  /** When the last timer is due that the last press set going, on the clock of `performance.now()`; 0 without any. */
  workUntil: number;
  /** The page's code that runs now was set going by the last press. */
  following: boolean;
}

/**
 * One counter of changes a document, its way from loading to loaded included, made by the first observation and kept under a symbol of its
 * own.
 */
export function watchOf(): Watch {
  const key = Symbol.for('page.changes');
  const holder = document as unknown as Record<symbol, Watch | undefined>;
  const present = holder[key];
  if (present) return present;
  const watch: Watch = {
    changes: 0,
    last: performance.now(),
    roots: new WeakSet(),
    observer: new MutationObserver(() => noteChange(watch)),
    wake: [],
    textAtPress: '',
    heeded: false,
    workUntil: 0,
    following: false,
  };
  document.addEventListener('readystatechange', () => noteChange(watch));
  document.addEventListener(
    'load',
    ({ target }) => {
      if (target instanceof HTMLLinkElement) noteChange(watch);
    },
    true,
  );
  Object.defineProperty(document, key, { value: watch, enumerable: false });
  return watch;
}

/** All words the frame shows, shadow roots included. */
export function shownText(): string {
  return allRoots()
    .map((root) =>
      root instanceof Document
        ? (root.body?.innerText ?? '')
        : [...root.children].map((child) => (child as HTMLElement).innerText ?? '').join(' '),
    )
    .join(' ');
}

export function noteChange(watch: Watch): void {
  watch.changes += 1;
  watch.last = performance.now();
  wakeAll(watch);
}

export function wakeAll(watch: Watch): void {
  const woken = watch.wake;
  watch.wake = [];
  for (const wake of woken) wake();
}

/** @returns the number of changes seen so far in this document. */
export function watchChanges(): number {
  const watch = watchOf();
  for (const root of allRoots()) {
    if (watch.roots.has(root)) continue;
    watch.roots.add(root);
    watch.observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: [
        'class',
        'style',
        'hidden',
        'disabled',
        'type',
        'open',
        'inert',
        'aria-hidden',
        'aria-invalid',
        'aria-expanded',
        'aria-disabled',
      ],
    });
  }
  return watch.changes;
}

/** Resolves true at the first change after `seen`, false when `maxMs` pass. */
export async function nextChange({ seen, maxMs }: { seen: number; maxMs: number }): Promise<boolean> {
  const watch = watchOf();
  watchChanges();
  if (watch.changes !== seen) return true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), maxMs);
    const wake = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    watch.wake = [...watch.wake, wake];
  });
}

/** Resolves true once nothing changed for `quietMs`, false when `maxMs` pass first. */
export async function untilQuiet({ quietMs, maxMs }: { quietMs: number; maxMs: number }): Promise<boolean> {
  const watch = watchOf();
  watchChanges();
  const started = performance.now();
  return new Promise((resolve) => {
    const look = (): void => {
      const now = performance.now();
      const still = now - Math.max(watch.last, document.readyState === 'loading' ? now : 0);
      if (still >= quietMs) resolve(true);
      else if (now - started >= maxMs) resolve(false);
      else setTimeout(look, Math.max(10, Math.min(quietMs - still, maxMs - (now - started))));
    };
    look();
  });
}
