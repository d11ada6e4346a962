import type { PagePort } from '../page/page-port.js';

/** From and to, in milliseconds since 1970. */
export type Span = readonly [from: number, to: number];

const now = (): number => performance.timeOrigin + performance.now();

/**
 * When a run waited for its browser: to be connected to it, for an answer of its page, its profile, its end. What is left of a run's time
 * is Berth's own; the wait for the launch too, which is bookkeeping where a standby browser is there.
 */
export class BrowserTime {
  readonly #spans: Span[] = [];
  #pending = 0;
  #since = 0;

  /** In order; calls that overlap are one span. */
  get spans(): readonly Span[] {
    return this.#spans;
  }

  async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#since = now();
    this.#pending += 1;
    try {
      return await work();
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#spans.push([Math.round(this.#since * 10) / 10, Math.round(now() * 10) / 10]);
    }
  }

  /** The same page; what it is asked counts. */
  of(page: PagePort): PagePort {
    return {
      url: () => page.url(),
      isBusy: () => page.isBusy(),
      isAwaited: () => page.isAwaited(),
      isTaken: () => page.isTaken(),
      isCutOff: () => page.isCutOff(),
      isLooping: () => page.isLooping(),
      trustOpen: () => page.trustOpen(),
      leaveUninvited: () => page.leaveUninvited(),
      arrive: (...call) => this.spend(() => page.arrive(...call)),
      goto: (...call) => this.spend(() => page.goto(...call)),
      lookAside: (...call) => this.spend(() => page.lookAside(...call)),
      observe: () => this.spend(() => page.observe()),
      waitForChange: (...call) => this.spend(() => page.waitForChange(...call)),
      waitForQuiet: (...call) => this.spend(() => page.waitForQuiet(...call)),
      fillAndSubmit: (...call) => this.spend(() => page.fillAndSubmit(...call)),
      act: (...call) => this.spend(() => page.act(...call)),
    };
  }
}
