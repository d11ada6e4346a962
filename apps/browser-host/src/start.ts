import { serveMetrics } from '@berth/health';
import { type Logger, NestLogAdapter } from '@berth/logging';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
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
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.over(assembly), new FastifyAdapter({ forceCloseConnections: true, frameworkErrors: respondToBadUrl }), { logger: new NestLogAdapter(logger) });
  await app.init();
  serveUpgrades(app.getHttpServer(), assembly.doorkeeper, logger);
  await app.listen(config.hostPort, config.listenAddress);
  const metrics = config.metricsPort === undefined ? undefined : await serveMetrics(() => assembly.health.metrics(), config.metricsPort, config.listenAddress);
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
