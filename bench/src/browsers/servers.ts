import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database } from '@berth/database';
import { findFreePort, startPostgres, startRedis } from '@berth/local-stack';
import { createTenant, migrate, type Tenant } from '@berth/testkit';

const apps = fileURLToPath(new URL('../../../apps', import.meta.url));
const startWithinMs = 60_000;

export interface Servers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly tenant: Tenant;
  /** Runs a built app on these stores; `onLine` hears its log. Answers its URL once it is live. */
  startApp(
    app: 'api' | 'worker' | 'browser-host',
    portSetting: string,
    env: Record<string, string>,
    onLine?: (line: string) => void,
  ): Promise<string>;
  stop(): Promise<void>;
}

async function untilLive(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startWithinMs;
  for (;;) {
    const live = await fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (live) return;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${url} did not become live`);
    await delay(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** PostgreSQL and Redis of this benchmark alone, with an organization that no cap stops. */
export async function startServers(workDir: string): Promise<Servers> {
  const [postgres, redis] = await Promise.all([
    startPostgres({ dataDir: join(workDir, 'postgres') }),
    startRedis({ dataDir: join(workDir, 'redis') }),
  ]);
  await migrate(postgres.url);
  const database = new Database({ url: postgres.url, maxConnections: 1 });
  const tenant = await createTenant(database, { maxConcurrentSessions: 1_000_000 });
  await database.close();
  const children: ChildProcess[] = [];
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    tenant,
    async startApp(app, portSetting, env, onLine) {
      const port = await findFreePort();
      const dataDir = join(workDir, app);
      mkdirSync(dataDir, { recursive: true });
      const child = spawn(process.execPath, [join(apps, app, 'dist', 'main.js')], {
        stdio: ['ignore', onLine === undefined ? 'ignore' : 'pipe', 'inherit'],
        env: {
          BERTH_DATABASE_URL: postgres.url,
          BERTH_REDIS_URL: redis.url,
          BERTH_SECRET_KEY: '5a'.repeat(32),
          BERTH_DATA_DIR: dataDir,
          BERTH_LOG_LEVEL: 'warn',
          [portSetting]: String(port),
          ...env,
        },
      });
      children.push(child);
      if (onLine !== undefined && child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
      const url = `http://127.0.0.1:${port}`;
      await untilLive(url, child);
      return url;
    },
    async stop() {
      for (const child of children.reverse()) await end(child);
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
