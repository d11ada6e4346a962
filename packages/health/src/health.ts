import type { Readiness } from '@berth/schema';

/** What a process knows about itself. */
export interface Health {
  /** Answers within about a second, whatever is down. */
  readiness(): Promise<Readiness>;
  /** In Prometheus' text format. */
  metrics(): Promise<string>;
}

export const HEALTH = Symbol('health');
