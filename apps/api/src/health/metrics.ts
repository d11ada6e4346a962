import type { Server } from 'node:http';
import { serveMetrics } from '@berth/health';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** What the process tells Prometheus (D53); with `BERTH_METRICS_PORT` on a port of its own, and then only there. */
@Injectable()
export class Metrics implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'berth_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer, by operation of the contract.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [this.registry],
  });
  #server: Server | undefined;

  constructor(@Inject(API_CONFIG) private readonly config: ApiConfig) {
    collectDefaultMetrics({ register: this.registry });
  }

  /** The label is the operation, never the path: paths hold names of customers and have no bound. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      this.#requests.observe(
        { operation: request.routeOptions.config?.endpoint?.operationId ?? 'unknown', status: String(reply.statusCode) },
        reply.elapsedTime / 1_000,
      );
      done();
    });
  }

  /** A number that is read whenever it is asked for. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  get isOnMainPort(): boolean {
    return this.config.metricsPort === undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    const port = this.config.metricsPort;
    if (port !== undefined) this.#server = await serveMetrics(() => this.registry.metrics(), port, this.config.listenAddress);
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
