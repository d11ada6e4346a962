import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Database } from '@berth/database';
import { spawnGuarded } from '@berth/local-stack';
import { freshStores, type FreshStores } from '@berth/testkit';
import { testSecretKey } from './api-fixture.js';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface ApiProcesses {
  readonly urls: readonly string[];
  /** Ids, in the order of `urls`. */
  readonly pids: readonly number[];
  readonly stores: FreshStores;
  readonly database: Database;
  stop(): Promise<void>;
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('the API ended before it listened');
}

/** Several real API processes on one PostgreSQL and one Redis. */
export async function startApiProcesses(count: number, env: Record<string, string> = {}): Promise<ApiProcesses> {
  const stores = await freshStores();
  const processes = await Promise.all(
    Array.from({ length: count }, () =>
      spawnGuarded(process.execPath, [program], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          BERTH_DATABASE_URL: stores.databaseUrl,
          BERTH_REDIS_URL: stores.redisUrl,
          BERTH_SECRET_KEY: testSecretKey,
          BERTH_API_PORT: '0',
          BERTH_LISTEN_ADDRESS: '127.0.0.1',
          BERTH_LOG_LEVEL: 'info',
          BERTH_DATABASE_POOL_SIZE: '5',
          ...env,
        },
      }),
    ),
  );
  const urls = await Promise.all(processes.map(({ child }) => listening(child)));
  const database = new Database({ url: stores.databaseUrl, maxConnections: 3 });
  return {
    urls,
    pids: processes.map(({ pid }) => pid),
    stores,
    database,
    stop: async () => {
      await Promise.all(processes.map((api) => api.stop()));
      await database.close();
      await stores.drop();
    },
  };
}
