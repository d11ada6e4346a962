export { createLogger, type Logger, type LoggerOptions } from './logger.js';
export { NestLogAdapter } from './nest-log-adapter.js';
