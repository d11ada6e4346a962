import type { Logger } from './logger.js';

/** Hands Nest's own messages to our logger. It has the shape of Nest's `LoggerService`, so this package needs no Nest. */
export class NestLogAdapter {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, stack?: string, context?: string): void {
    this.logger.fatal({ context, stack }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
