/**
 * After a failure it comes sooner. A store that is away now and then for longer than a round takes would otherwise be met asleep by one
 * round after the other, and a host that lives would miss every heartbeat.
 */
const soonerAfterFailure = 1 / 4;
/** Often enough to be told of a store that is away. */
const soonestMs = 1_000;

/** Work that is done again and again, never twice at once; a failure is told, and the next round comes sooner. */
export class Repeated {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#schedule(everyMs);
  }

  /** Resolves when the round under way, if any, is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void (this.#running = this.#round()), delayMs);
  }

  async #round(): Promise<void> {
    try {
      await this.work();
      this.#schedule(this.everyMs);
    } catch (error) {
      this.onError(error);
      this.#schedule(Math.min(this.everyMs, Math.max(this.everyMs * soonerAfterFailure, soonestMs)));
    }
  }
}
