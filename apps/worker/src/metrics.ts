import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** What `/metrics` shows of this worker. Labels are kinds, never ids or page text. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #jobs = new Counter({
    name: 'berth_worker_jobs_total',
    help: 'Login jobs by how they ended in this worker.',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #swept = new Counter({
    name: 'berth_worker_swept_total',
    help: 'Flows and browsers put right by sweeps.',
    labelNames: ['what'],
    registers: [this.#registry],
  });

  constructor(heldFlows: () => number) {
    collectDefaultMetrics({ register: this.#registry });
    const gauge: Gauge = new Gauge({
      name: 'berth_worker_flows',
      help: 'Login flows that this worker owns, waiting ones included.',
      registers: [this.#registry],
      collect: () => gauge.set(heldFlows()),
    });
  }

  jobEnded(outcome: string): void {
    this.#jobs.inc({ outcome });
  }

  swept(what: string, count: number): void {
    if (count > 0) this.#swept.inc({ what }, count);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
