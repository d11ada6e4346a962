import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@berth/local-stack';
import { type FreshStores, testChromium } from '@berth/testkit';
import pg from 'pg';
import { testSecretKey } from './api-fixture.js';
import { until } from './until.js';

const program = fileURLToPath(new URL('../../browser-host/dist/main.js', import.meta.url));

/** A real browser host in a process of its own, on the given stores. */
export class HostProcess {
  private constructor(readonly id: string, readonly child: ChildProcess, private readonly dataDir: string) {}

  /** Answers once the host has registered and takes launches. */
  static async start(stores: FreshStores, changes: Record<string, string> = {}): Promise<HostProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'berth-api-host-'));
    const id = `host-${crypto.randomUUID().slice(0, 8)}`;
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env, NODE_OPTIONS: '', BERTH_DATABASE_URL: stores.databaseUrl, BERTH_REDIS_URL: stores.redisUrl, BERTH_SECRET_KEY: testSecretKey, BERTH_DATA_DIR: dataDir,
        BERTH_HOST_ID: id, BERTH_HOST_PORT: String(await findFreePort()), BERTH_CHROMIUM_PATH: testChromium(), BERTH_CHROMIUM_SANDBOX: 'false',
        BERTH_HOST_WARM_BROWSERS: '0', BERTH_LEASE_SECONDS: '2', BERTH_LOG_LEVEL: 'fatal', BERTH_DATABASE_POOL_SIZE: '3', ...changes,
      },
    });
    const host = new HostProcess(id, child, dataDir);
    await until('the host registers', () => host.#isRegistered(stores), 30_000);
    return host;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** SIGTERM: browsers are ended first (D55). */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.running) {
      const exited = once(this.child, 'exit');
      this.child.kill(signal);
      await exited;
    }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #isRegistered(stores: FreshStores): Promise<boolean> {
    if (!this.running) throw new Error(`the host ended with ${String(this.child.exitCode ?? this.child.signalCode)}`);
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    try {
      return (await client.query('SELECT 1 FROM browser_hosts WHERE id = $1', [this.id])).rowCount === 1;
    } finally {
      await client.end();
    }
  }
}
