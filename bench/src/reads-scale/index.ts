import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { startStack } from '@berth/local-stack';
import { createTenant, migrate, surround, type Tenant, withDatabase } from '@berth/testkit';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { type ChildServer, startServer, stopServer } from '../child-server.js';

/** Rows of each kind around what is read. */
const SIZES = { small: 1_000, large: 1_000_000 } as const;
const ROUNDS = 5;
const REQUESTS = 400;
const WARM_UP_REQUESTS = 1_000;
/** More than a page of each kind. */
const SHOWN = 30;
const root = new URL('../../../', import.meta.url);

interface World {
  readonly server: ChildServer;
  readonly database: Database;
  readonly tenant: Tenant;
  readonly paths: Readonly<Record<string, string>>;
}

/** What the reads find, among everything else. Answers the reads by their names. */
async function furnish(database: Database, tenant: Tenant, size: number): Promise<Readonly<Record<string, string>>> {
  const { organizationId, defaultProjectId: projectId } = tenant;
  const { prisma } = unscoped(database);
  const own = { organizationId, projectId };
  const { id: invocationId } = await prisma.invocation.create({
    data: { id: newId(), ...own, appName: 'bench', actionName: 'read', version: '1' },
  });
  const { id: profileId } = await prisma.profile.create({ data: { id: newId(), ...own, name: 'p' } });
  const { id: connectionId } = await prisma.authConnection.create({ data: { id: newId(), ...own, domain: 'x.test', profileId } });
  await surround(database, { tenant, invocationId, connectionId }, 1, size);
  const several = <T extends object>(row: (number: number) => T) => ({
    data: Array.from({ length: SHOWN }, (_, number) => ({ id: newId(), organizationId, ...row(number) })),
  });
  const running = {
    projectId,
    kind: 'on_demand',
    status: 'running',
    headless: true,
    timeoutSeconds: 3_600,
    startedAt: new Date(),
    hostPublicUrl: 'http://127.0.0.1:9',
  } as const;
  await prisma.browserSession.createMany(
    several((number) => ({ ...running, name: `s-${number}`, invocationId: number < 5 ? invocationId : null })),
  );
  await prisma.project.createMany(several((number) => ({ name: `own-${number}`, nameFolded: `own-${number}` })));
  await prisma.profile.createMany(several((number) => ({ projectId, name: `own-${number}` })));
  return {
    '/org/limits': '/org/limits',
    '/org/projects': '/org/projects',
    '/invocations/{id}/browsers': `/invocations/${invocationId}/browsers`,
    '/browsers': '/browsers',
    '/browsers/{name}': '/browsers/s-7',
    '/org/projects/{name}': '/org/projects/own-7',
    '/org/api_keys': '/org/api_keys',
    '/invocations': '/invocations',
    '/profiles': '/profiles',
    '/auth/connections/{id}/timeline': `/auth/connections/${connectionId}/timeline`,
  };
}

async function build(stores: { readonly databaseUrl: string; readonly redisUrl: string }, size: number): Promise<World> {
  await migrate(stores.databaseUrl);
  // A million rows are one statement.
  const database = new Database({ url: stores.databaseUrl, maxConnections: 2, silentForMs: 600_000 });
  const tenant = await createTenant(database, { maxConcurrentSessions: 1_000 });
  const paths = await furnish(database, tenant, size);
  const server = await startServer(new URL('apps/api/dist/main.js', root), [], {
    // Nobody runs these browsers, and nobody is to end them for that.
    BERTH_DATABASE_URL: stores.databaseUrl,
    BERTH_REDIS_URL: stores.redisUrl,
    BERTH_SECRET_KEY: '5a'.repeat(32),
    BERTH_API_PORT: '0',
    BERTH_LOG_LEVEL: 'info',
    BERTH_LEASE_SECONDS: '3600',
    BERTH_RECONCILE_SECONDS: '3600',
    BERTH_SWEEP_SECONDS: '300',
  });
  return { server, database, tenant, paths };
}

/** Median time of one request after the other, milliseconds. */
async function medianMs({ server, tenant }: World, path: string, requests: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let number = 0; number < requests; number += 1) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(`${server.url}${path}`, { agent, headers: { authorization: `Bearer ${tenant.key}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} answered ${String(answer.statusCode)}`));
        answer.resume().once('end', resolve);
      }).once('error', reject);
    });
    times.push(performance.now() - began);
  }
  agent.destroy();
  return median(times);
}

/**
 * How much slower reads are among a million rows of each kind than among a thousand: the median time of a request on either side, both
 * asked in turn. The rows are the very tenant's own (`surround`). Goal: 1.2 at most. It needs some 5 GB of disk and a few minutes.
 */
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
  const worlds: World[] = [];
  try {
    const server = new Database({ url: stack.databaseUrl, maxConnections: 1 });
    for (const name of Object.keys(SIZES)) await unscoped(server).pool.query(`CREATE DATABASE ${name}`);
    await server.close();
    for (const [index, [name, size]] of Object.entries(SIZES).entries()) {
      worlds.push(
        await build({ databaseUrl: withDatabase(stack.databaseUrl, name), redisUrl: withDatabase(stack.redisUrl, String(index)) }, size),
      );
    }
    const [small, large] = worlds as [World, World];
    const ratios: Record<string, number> = {};
    const raw: Record<string, unknown> = {};
    for (const name of Object.keys(small.paths)) {
      const ask = (world: World, requests: number) => medianMs(world, world.paths[name] ?? '', requests);
      for (const world of worlds) await ask(world, WARM_UP_REQUESTS);
      const rounds: { small: number; large: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push({ small: await ask(small, REQUESTS), large: await ask(large, REQUESTS) });
      ratios[name] = median(rounds.map((round) => round.large / round.small));
      raw[name] = rounds;
    }
    return { bench: 'reads-scale', ratios, raw };
  } finally {
    await Promise.all(worlds.map(({ server }) => stopServer(server)));
    await Promise.all(worlds.map(({ database }) => database.close()));
    await stack.stop();
  }
}
