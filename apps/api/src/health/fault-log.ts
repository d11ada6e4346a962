import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@berth/logging';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** A store that is away faults many times a second; once in this time says enough. */
const onceInMs = 10_000;

/** Warnings of faults that nobody is answered with: the work goes on and tries again, but whoever is on call should know. At most one in ten seconds of each kind. */
@Injectable()
export class FaultLog {
  readonly #log;

  constructor(@Inject(API_CONFIG) config: ApiConfig) {
    this.#log = createLogger({ name: 'api', level: config.logLevel });
  }

  /** A listener for one kind of fault; `what` must tell nothing of a customer. The next line says how many went unsaid. */
  of(what: string): (error: unknown) => void {
    let [saidAt, unsaid] = [-Infinity, 0];
    return (error) => {
      if (performance.now() - saidAt < onceInMs) return void (unsaid += 1);
      this.#log.warn({ err: error, unsaid }, what);
      [saidAt, unsaid] = [performance.now(), 0];
    };
  }
}
