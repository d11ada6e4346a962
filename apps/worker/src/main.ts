import 'reflect-metadata';
import { ConfigError } from '@berth/config';
import { createLogger } from '@berth/logging';
import { readWorkerConfig } from './config.js';
import { startWorker } from './start.js';

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  const logger = createLogger({ name: 'worker', level: config.logLevel });
  const running = await startWorker(config, logger);
  logger.info({ url: running.url, concurrency: config.workerConcurrency }, 'worker is open');
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, 'the worker did not stop cleanly');
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `worker did not start: ${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
