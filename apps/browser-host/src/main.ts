import 'reflect-metadata';
import { ConfigError } from '@berth/config';
import { createLogger } from '@berth/logging';
import { readHostConfig } from './config.js';
import { startHost } from './start.js';

async function main(): Promise<void> {
  const config = readHostConfig(process.env);
  const logger = createLogger({ name: 'browser-host', level: config.logLevel });
  const running = await startHost(config, logger);
  logger.info({ port: config.hostPort, capacity: config.hostCapacity }, 'browser host is open');
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, 'the host did not stop cleanly');
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof ConfigError
      ? `${error.message}\n`
      : `browser-host did not start: ${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
