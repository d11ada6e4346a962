/**
 * When a session has been left alone for long enough (D33): counts from the last disconnect, or from `start`; never while anybody is
 * connected, never early.
 */
export class IdleClock {
  #connections = 0;
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly onIdle: () => void,
  ) {}

  get connections(): number {
    return this.#connections;
  }

  /** Starts counting, as if the last one had left `elapsedMs` ago. Before it, nothing ends: the browser is not anybody's yet. */
  start(elapsedMs = 0): void {
    if (this.#started) return;
    this.#started = true;
    this.#arm(this.timeoutMs - elapsedMs);
  }

  /** Stops counting until the next `start`. */
  stop(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  /** Somebody connected; call the answer when they left. */
  connect(): () => void {
    this.#connections += 1;
    clearTimeout(this.#timer);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#connections -= 1;
      this.#arm(this.timeoutMs);
    };
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#started || this.#connections > 0) return;
    // Timers fire up to a millisecond early.
    this.#timer = setTimeout(this.onIdle, Math.max(0, delayMs) + 1);
  }
}
