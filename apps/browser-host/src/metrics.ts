import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Standby } from './chromium/standby.js';
import type { Sessions } from './sessions/sessions.js';

/** What `/metrics` shows of this host. */
export class Metrics {
  readonly #registry = new Registry();

  constructor(sessions: Sessions, standby: Standby, capacity: number) {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge(
      'berth_host_sessions',
      'Sessions that take a place on this host, those starting and ending included.',
      () => sessions.all.length,
    );
    this.#gauge('berth_host_capacity', 'Sessions that this host runs at once.', () => capacity);
    this.#gauge('berth_host_standby_browsers', 'Browsers started and not handed over yet.', () => standby.ready);
    this.#gauge('berth_host_connections', 'Open CDP and BiDi connections.', () =>
      sessions.all.reduce((sum, { connections }) => sum + connections, 0),
    );
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }
}
