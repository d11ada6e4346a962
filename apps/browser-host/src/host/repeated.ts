/** Work that is done again and again, never twice at once; a failure is told and the next round comes as usual. */
export class Repeated {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#schedule();
  }

  /** Resolves when the round under way, if any, is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.work()
        .then(() => undefined, this.onError)
        .finally(() => this.#schedule());
    }, this.everyMs);
  }
}
