import { serveMetrics } from '@berth/health';
import { type Logger, NestLogAdapter } from '@berth/logging';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { assemble, type Assembly } from './assembly.js';
import type { WorkerConfig } from './config.js';

export interface RunningWorker {
  readonly assembly: Assembly;
  /** Where health and metrics answer. */
  readonly url: string;
  /** Readiness fails first, flows are handed over, within 30 s (D55). */
  stop(): Promise<void>;
}

/** Starts one worker in this process: assembled, listening, taking flows. */
export async function startWorker(config: WorkerConfig, logger: Logger): Promise<RunningWorker> {
  const assembly = assemble(config, logger);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.over(assembly),
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: new NestLogAdapter(logger) },
  );
  await app.listen(config.workerPort, config.listenAddress);
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics(() => assembly.health.metrics(), config.metricsPort, config.listenAddress);
  await assembly.open();
  return {
    assembly,
    url: await app.getUrl(),
    stop: async () => {
      await assembly.close();
      metrics?.close();
      await app.close();
    },
  };
}
