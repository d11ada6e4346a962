import type { Logger } from '@berth/logging';
import { answerWithin } from '../patience.js';
import { Chromium, type ChromiumProgram } from './chromium.js';
import { type ChromiumOptions, defaultOptions, sameOptions } from './flags.js';
import { rehearse } from './rehearse.js';

const startWithinMs = 15_000;
const readyWithinMs = 5_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Browsers that are started before anybody asks. Only the options of most creates are kept warm; whoever wants others gets a fresh one. A
 * browser is handed over once and never comes back.
 */
export class Standby {
  readonly #warm: Chromium[] = [];
  #filling: Promise<void> | undefined;
  #retryMs = firstRetryMs;
  #timer: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly program: ChromiumProgram,
    private readonly size: number,
    private readonly logger: Logger,
    /** What can be done to a browser before it is known who gets it. */
    private readonly ahead: (browser: Chromium) => Promise<void>,
  ) {}

  get ready(): number {
    return this.#warm.length;
  }

  /**
   * A warm browser that fits, else a fresh one. Does not refill: starting a browser beside the caller's would slow both (call `refill`
   * later).
   */
  async take(options: ChromiumOptions, signal: AbortSignal): Promise<Chromium> {
    const warm = sameOptions(options, defaultOptions) ? this.#warm.shift() : undefined;
    return warm ?? Chromium.start(this.program, options, signal);
  }

  /** Starts what is missing, one after the other, in the background. */
  refill(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#stopped || this.#filling !== undefined || this.#timer !== undefined) return;
    this.#filling = this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  /** Refills after so many milliseconds, or when the next `refill` comes, whichever is first; asking again does not put it off. */
  refillLater(ms: number): void {
    if (this.#stopped) return;
    this.#later ??= setTimeout(() => this.refill(), ms);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#later);
    await this.#filling;
    await Promise.all(this.#warm.splice(0).map((browser) => browser.kill()));
  }

  async #fill(): Promise<void> {
    while (!this.#stopped && this.#warm.length < this.size) {
      try {
        this.#keep(await this.#startRehearsed());
        this.#retryMs = firstRetryMs;
      } catch (error) {
        this.logger.error({ err: error }, 'a standby browser did not start');
        this.#retryLater();
        return;
      }
    }
  }

  async #startRehearsed(): Promise<Chromium> {
    const browser = await Chromium.start(this.program, defaultOptions, AbortSignal.timeout(startWithinMs));
    const made = rehearse(browser)
      .then(() => this.ahead(browser))
      .then(() => 'done' as const);
    if ((await answerWithin(readyWithinMs, made)) === 'done') return browser;
    await browser.kill();
    throw new Error('Chromium started, but opened no page in time');
  }

  #keep(browser: Chromium): void {
    this.#warm.push(browser);
    void browser.exited.then(() => {
      const index = this.#warm.indexOf(browser);
      if (index === -1) return;
      this.#warm.splice(index, 1);
      this.logger.warn({ pid: browser.pid }, 'a standby browser died');
      void browser.kill();
      this.#retryLater();
    });
  }

  #retryLater(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.refill();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
  }
}
