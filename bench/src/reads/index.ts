import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { startStack } from '@berth/local-stack';
import { createTenant, migrate, type Tenant } from '@berth/testkit';
import autocannon from 'autocannon';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { startServer, stopServer } from '../child-server.js';

const ROUNDS = 5;
const CONNECTIONS = 50;
const SECONDS = 3;
const WARM_UP_SECONDS = 5;
const PROJECTS = 1_000;
const BROWSERS = 5;
const root = new URL('../../../', import.meta.url);

async function requestsPerSecond(url: string, key: string, duration = SECONDS): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration, headers: { authorization: `Bearer ${key}` } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}

/** A page of projects, and an invocation with a few browsers that run. Answers the invocation's id. */
async function fill(database: Database, { organizationId, defaultProjectId: projectId }: Tenant): Promise<string> {
  const { prisma } = unscoped(database);
  const named = (number: number) => ({ id: newId(), organizationId, name: `p${number}`, nameFolded: `p${number}` });
  await prisma.project.createMany({ data: Array.from({ length: PROJECTS }, (_, number) => named(number)) });
  const { id: invocationId } = await prisma.invocation.create({
    data: { id: newId(), organizationId, projectId, appName: 'bench', actionName: 'read', version: '1' },
  });
  const hostPublicUrl = 'http://127.0.0.1:9';
  // Ending them is nobody's business here: no host, and leases that outlast the run.
  await prisma.browserSession.createMany({
    data: Array.from({ length: BROWSERS }, () => ({
      id: newId(),
      organizationId,
      projectId,
      kind: 'on_demand' as const,
      status: 'running' as const,
      headless: true,
      timeoutSeconds: 3_600,
      startedAt: new Date(),
      hostPublicUrl,
      invocationId,
      tags: { bench: 'reads' },
    })),
  });
  return invocationId;
}

/** Reads through the whole API against bare Fastify with the same statements, both asked in turn (house floor: 0.6). */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const stack = await startStack({
    dataDir: workDir,
    toolsDir: join(fileURLToPath(root), '.berth', 'tools'),
    chromiumPath: undefined,
    durable: false,
    maxConnections: 100,
    redisDatabases: 16,
    progress: () => undefined,
  });
  const database = new Database({ url: stack.databaseUrl, maxConnections: 2 });
  try {
    await migrate(stack.databaseUrl);
    const tenant = await createTenant(database);
    const invocationId = await fill(database, tenant);
    const api = await startServer(new URL('apps/api/dist/main.js', root), [], {
      BERTH_DATABASE_URL: stack.databaseUrl,
      BERTH_REDIS_URL: stack.redisUrl,
      BERTH_SECRET_KEY: '5a'.repeat(32),
      BERTH_API_PORT: '0',
      BERTH_LOG_LEVEL: 'info',
      BERTH_LEASE_SECONDS: '600',
    });
    const floor = await startServer(new URL('./floor.js', import.meta.url), [
      stack.databaseUrl,
      stack.redisUrl,
      tenant.organizationId,
      tenant.defaultProjectId,
      invocationId,
    ]);
    try {
      const ratios: Record<string, number> = {};
      const raw: Record<string, unknown> = {};
      for (const [name, path] of [
        ['/org/limits', '/org/limits'],
        ['/org/projects', '/org/projects'],
        ['/invocations/{id}/browsers', `/invocations/${invocationId}/browsers`],
      ] as const) {
        for (const { url } of [floor, api]) await requestsPerSecond(`${url}${path}`, tenant.key, WARM_UP_SECONDS);
        const rounds: { api: number; floor: number }[] = [];
        for (let round = 0; round < ROUNDS; round += 1)
          rounds.push({
            floor: await requestsPerSecond(`${floor.url}${path}`, tenant.key),
            api: await requestsPerSecond(`${api.url}${path}`, tenant.key),
          });
        ratios[name] = median(rounds.map((round) => round.api / round.floor));
        raw[name] = rounds;
      }
      const answer = await fetch(`${api.url}/invocations/${invocationId}/browsers`, { headers: { authorization: `Bearer ${tenant.key}` } });
      const { browsers } = (await answer.json()) as { browsers: unknown[] };
      if (browsers.length !== BROWSERS)
        throw new Error(`the invocation lists ${browsers.length} browsers at the end, not ${BROWSERS}: they were not what was measured`);
      return { bench: 'reads', ratios, raw };
    } finally {
      await Promise.all([stopServer(api), stopServer(floor)]);
    }
  } finally {
    await database.close();
    await stack.stop();
  }
}
