export { createLogger, type Logger, type LoggerOptions } from './logger.js';
export { NestLogAdapter } from './nest-log-adapter.js';
export { requestIds } from './request-id.js';
