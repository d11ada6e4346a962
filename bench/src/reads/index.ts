import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { startStack } from '@berth/local-stack';
import { createTenant, migrate } from '@berth/testkit';
import autocannon from 'autocannon';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';

const ROUNDS = 5;
const CONNECTIONS = 50;
const SECONDS = 3;
const PROJECTS = 1_000;
const PATHS = ['/org/limits', '/org/projects'];
const root = new URL('../../../', import.meta.url);

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts a program and waits for the address that it prints. */
async function start(program: URL, args: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  // The settings go to the child whole; nothing of this process's own is read.
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error(`${program.pathname} ended before it listened`);
}

async function stop({ child }: Server): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function requestsPerSecond(url: string, key: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { authorization: `Bearer ${key}` } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}

/** Reads through the whole API against bare Fastify with the same statements, both asked in turn (house floor: 0.6). */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const stack = await startStack({ dataDir: workDir, toolsDir: join(fileURLToPath(root), '.berth', 'tools'), chromiumPath: undefined, durable: false, maxConnections: 100, redisDatabases: 16, progress: () => undefined });
  const database = new Database({ url: stack.databaseUrl, maxConnections: 2 });
  try {
    await migrate(stack.databaseUrl);
    const tenant = await createTenant(database);
    const named = (number: number) => ({ id: newId(), organizationId: tenant.organizationId, name: `p${number}`, nameFolded: `p${number}` });
    await unscoped(database).prisma.project.createMany({ data: Array.from({ length: PROJECTS }, (_, number) => named(number)) });
    const api = await start(new URL('apps/api/dist/main.js', root), [], {
      BERTH_DATABASE_URL: stack.databaseUrl, BERTH_REDIS_URL: stack.redisUrl, BERTH_SECRET_KEY: '5a'.repeat(32), BERTH_API_PORT: '0', BERTH_LOG_LEVEL: 'info',
    });
    const floor = await start(new URL('./floor.js', import.meta.url), [stack.databaseUrl, stack.redisUrl, tenant.organizationId]);
    try {
      const ratios: Record<string, number> = {};
      const raw: Record<string, unknown> = {};
      for (const path of PATHS) {
        const rounds: { api: number; floor: number }[] = [];
        for (let round = 0; round < ROUNDS; round += 1) rounds.push({ floor: await requestsPerSecond(`${floor.url}${path}`, tenant.key), api: await requestsPerSecond(`${api.url}${path}`, tenant.key) });
        ratios[path] = median(rounds.map((round) => round.api / round.floor));
        raw[path] = rounds;
      }
      return { bench: 'reads', ratios, raw };
    } finally {
      await Promise.all([stop(api), stop(floor)]);
    }
  } finally {
    await database.close();
    await stack.stop();
  }
}
