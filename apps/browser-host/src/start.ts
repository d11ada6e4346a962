import type { IncomingMessage } from 'node:http';
import { serveMetrics } from '@berth/health';
import { newId } from '@berth/database';
import { type Logger, NestLogAdapter, requestIds } from '@berth/logging';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyBaseLogger, LogController } from 'fastify';
import { AppModule } from './app.module.js';
import { assemble, type Assembly } from './assembly.js';
import type { HostConfig } from './config.js';
import { respondToBadUrl } from './gateway/error-filter.js';
import { serveUpgrades } from './gateway/upgrades.js';

export interface RunningHost {
  readonly assembly: Assembly;
  /** Drains (readiness fails first) and closes; within 30 s (D55). */
  stop(): Promise<void>;
}

/** Starts one host in this process: assembled, listening, registered, taking launches. */
export async function startHost(config: HostConfig, logger: Logger): Promise<RunningHost> {
  const assembly = await assemble(config, logger);
  const requestId = requestIds(newId().slice(0, 14));
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // What is worth a line says its request's id itself.
    childLoggerFactory: (shared: FastifyBaseLogger) => shared,
    genReqId: ({ headers }: IncomingMessage) => requestId(headers['x-request-id']),
    forceCloseConnections: true,
    frameworkErrors: respondToBadUrl,
  });
  adapter.getInstance().addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.over(assembly), adapter, { logger: new NestLogAdapter(logger) });
  await app.init();
  serveUpgrades(app.getHttpServer(), { doorkeeper: assembly.doorkeeper, requestId, logger });
  await app.listen(config.hostPort, config.listenAddress);
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics(() => assembly.health.metrics(), config.metricsPort, config.listenAddress);
  await assembly.host.open();
  return {
    assembly,
    stop: async () => {
      await assembly.host.drain();
      metrics?.close();
      await app.close();
      await assembly.close();
    },
  };
}
