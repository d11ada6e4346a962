import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@berth/logging';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** A store that is away faults many times a second; once in this time says enough. */
const onceInMs = 10_000;

/** Passes the first fault on, and then at most one in ten seconds, with the number of those it kept back since. */
export function bounded(
  say: (error: unknown, unsaid: number) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let saidAt = -Infinity;
  let unsaid = 0;
  return (error) => {
    if (now() - saidAt < onceInMs) {
      unsaid += 1;
      return;
    }
    say(error, unsaid);
    [saidAt, unsaid] = [now(), 0];
  };
}

/** Warnings of faults that nobody is answered with: the work goes on and tries again, but whoever is on call should know. */
@Injectable()
export class FaultLog {
  readonly #log;

  constructor(@Inject(API_CONFIG) config: ApiConfig) {
    this.#log = createLogger({ name: 'api', level: config.logLevel });
  }

  /** A listener for one kind of fault; `what` must tell nothing of a customer. */
  of(what: string): (error: unknown) => void {
    return bounded((err, unsaid) => this.#log.warn({ err, unsaid }, what));
  }
}
