/**
 * One real PostgreSQL, Redis and Chromium for the whole run. Their addresses are handed to the tests in BERTH_TEST_*.
 * Everything dies with this process, SIGKILL included, and the data folder goes with it.
 */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAtDeath, startStack } from '../../packages/local-stack/dist/index.js';

export default async function globalSetup({ rootDir }) {
  // A stack of the machine's own settings would be shared with other runs; tests want an empty one.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'berth-jest-')));
  await removeAtDeath(folder);
  const stack = await startStack({
    dataDir: folder,
    toolsDir: join(rootDir, '.berth', 'tools'),
    chromiumPath: process.env.BERTH_CHROMIUM_PATH || undefined,
    durable: false,
    maxConnections: 400,
    redisDatabases: 1024,
    progress: (message) => process.stderr.write(`${message}\n`),
  });
  process.env.BERTH_TEST_POSTGRES_URL = stack.databaseUrl;
  process.env.BERTH_TEST_REDIS_URL = stack.redisUrl;
  process.env.BERTH_TEST_CHROMIUM = stack.chromiumPath;
  globalThis.berthTestStack = { stack, folder };
}
