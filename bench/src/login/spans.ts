/** From and to, in milliseconds since 1970. */
export type Span = readonly [from: number, to: number];

export const now = (): number => performance.timeOrigin + performance.now();

/** Milliseconds of `whole` that lie in none of the spans. */
export function outside([from, to]: Span, spans: readonly Span[]): number {
  let [left, at] = [0, from];
  for (const [begin, end] of [...spans].sort(([a], [b]) => a - b)) {
    left += Math.max(0, Math.min(begin, to) - at);
    at = Math.max(at, end);
  }
  return left + Math.max(0, to - at);
}

/** Hears from a worker's log (level debug) when each of its flows waited for the browser. */
export class WorkerLog {
  readonly #heard: (readonly Span[])[] = [];
  readonly #waiting: ((spans: readonly Span[]) => void)[] = [];

  readonly hear = (line: string): void => {
    const { browser_spans: spans } = JSON.parse(line) as { readonly browser_spans?: readonly Span[] };
    if (spans === undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#heard.push(spans);
    else waiting(spans);
  };

  /** Of the next flow that the worker lets go. */
  next(): Promise<readonly Span[]> {
    const heard = this.#heard.shift();
    return heard === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(heard);
  }
}
