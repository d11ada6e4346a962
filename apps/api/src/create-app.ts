import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import { createLogger, type Logger, NestLogAdapter, requestIds } from '@berth/logging';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { newId } from '@berth/database';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { AppModule } from './app.module.js';
import type { ApiConfig } from './config.js';
import { respondWithError, toApiError } from './errors/respond.js';
import { respondToConnect, respondToExpectation, respondToUnreadable } from './errors/unreadable.js';
import { isStreaming } from './events/stream-connection.js';
import { Drain } from './health/drain.js';
import { Metrics } from './health/metrics.js';
import { readJsonOnly } from './request/body.js';
import { Corridor } from './request/corridor.js';

const bodyLimit = 1024 * 1024;
/** Longer than any request line that Node reads: whatever a path names is looked up, and is 404 when it is not there. */
const maxParamLength = 16 * 1024;

const requestId = requestIds(newId().slice(0, 14));

/** The whole API, ready to listen. `logger` is given by tests that read the log. */
export async function createApp(
  config: ApiConfig,
  logger: Logger = createLogger({ name: 'api', level: config.logLevel }),
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    bodyLimit,
    exposeHeadRoutes: false,
    // Found before any hook runs: a path that is not validly percent-encoded.
    frameworkErrors: (error: Error, request: { readonly id: string }, reply: unknown) =>
      respondWithError((reply as FastifyReply).header('X-Request-Id', request.id), toApiError(error)),
    clientErrorHandler: (error, socket) => (isStreaming(socket) ? void socket.destroy() : respondToUnreadable(error, socket)),
    // Two lines a request cost as much as the request; rates and times are in the metrics, refusals of our own doing in the log (error
    // filter).
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs as much as the corridor; the error filter writes the request's id itself.
    childLoggerFactory: (shared: FastifyBaseLogger) => shared,
    // `Drain` has waited for what is under way.
    forceCloseConnections: true,
    genReqId: ({ headers }: IncomingMessage) => requestId(headers['x-request-id']),
    routerOptions: { maxParamLength },
    // Node would answer such a request itself, without a body; the corridor does.
    http: { requireHostHeader: false },
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    bodyParser: false,
    logger: new NestLogAdapter(logger),
    abortOnError: false,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  readJsonOnly(fastify, bodyLimit);
  fastify.server.on('checkExpectation', respondToExpectation);
  fastify.server.on('connect', respondToConnect);
  // All of them: the 2000th could be the one that names the project. What they may weigh together is limited by Node, 16 KiB.
  fastify.server.maxHeadersCount = 0;
  app.get(Drain).install(fastify);
  app.get(Metrics).install(fastify);
  app.get(Corridor).install(fastify);
  // A clean stop ends with 0, not with the signal that asked for it: a supervisor restarts what a signal has killed.
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
