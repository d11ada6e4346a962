import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findRedis, type GuardedProcess, spawnGuarded } from '@berth/local-stack';
import { Redis } from 'ioredis';

/** Where the test run unpacks what the machine does not have. */
const toolsDir = fileURLToPath(new URL('../../../.berth/tools', import.meta.url));

/** A Redis of a test's own, which may be killed, stopped, emptied and restarted as the test likes. It dies with the test's process. */
export interface RedisProcess {
  readonly url: string;
  readonly port: number;
  /** A plain connection for looking and tampering. */
  readonly admin: Redis;
  signal(name: NodeJS.Signals): void;
  /** Kills it and starts it again on what it had saved. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Below 22 000, because a cluster node also takes the port 10 000 above, and both must stay below the ephemeral range. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 6_900);
    if ((await canBind(port)) && (await canBind(port + 10_000))) return port;
  }
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

export async function startRedisProcess(extra: readonly string[] = []): Promise<RedisProcess> {
  const program = await findRedis({ toolsDir });
  const dir = mkdtempSync(join(tmpdir(), 'berth-redis-'));
  const port = await freePort();
  const launch = (): Promise<GuardedProcess> => {
    const options = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--loglevel', 'warning', ...extra];
    return spawnGuarded(program.path, options, { env: { PATH: process.env['PATH'], LC_ALL: 'C', ...program.env }, remove: [dir] });
  };
  let server = await launch();
  const admin = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, retryStrategy: () => 20 });
  admin.on('error', () => undefined);

  async function up(): Promise<void> {
    while ((await admin.ping().catch(() => '')) !== 'PONG') {
      if (server.child.exitCode !== null) throw new Error(`${program.path} ended with ${server.child.exitCode}`);
      await delay(10);
    }
  }
  async function kill(): Promise<void> {
    server.child.kill('SIGKILL');
    await server.exited;
  }
  await up();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    admin,
    signal: (name) => void server.child.kill(name),
    kill,
    async restart() {
      await kill();
      server = await launch();
      await up();
    },
    async stop() {
      admin.disconnect();
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
