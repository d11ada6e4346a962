import { join } from 'node:path';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { findFreePort, startPostgres, startRedis } from '@berth/local-stack';
import { createTenant, migrate, withDatabase } from '@berth/testkit';
import { Redis } from 'ioredis';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { MeasuredProgram, Readers, type Received, type StreamServer, untilQuiet } from './measured-process.js';
import { Nchan } from './nchan.js';

/** How much is measured; the figures of issue 6 unless a caller asks for less. */
export interface Size {
  readonly rounds: number;
  readonly streams: number;
  readonly fewStreams: number;
  readonly eventsPerSecond: number;
  readonly events: number;
  readonly broadcasts: number;
  readonly heartbeatSeconds: number;
}

const full: Size = {
  rounds: 5,
  streams: 10_000,
  fewStreams: 1_000,
  eventsPerSecond: 2_000,
  events: 10_000,
  broadcasts: 5,
  heartbeatSeconds: 15,
};

interface Measured {
  readonly rssPerStream: number;
  readonly cpuPerEvent: number;
  readonly cpuPerEventOfFew: number;
  readonly p50: number;
  readonly p99: number;
  readonly broadcast: number;
  /** Share of one core that the streams take while nothing is published: what the process takes without them is no cost of theirs. */
  readonly idleShare: number;
}

interface Round {
  readonly raw: Measured;
  readonly api: Measured;
  readonly nchan?: Measured;
}

interface Stage {
  readonly size: Size;
  readonly readers: Readers;
  readonly key: string;
  readonly connections: readonly string[];
  sequence: number;
}

const tickMs = 5;
const pathOf = (id: string): string => `/auth/connections/${id}/events`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** About 430 bytes, as a state with two fields has; carries the instant of publishing. */
function message(sequence: number): string {
  const state = {
    event: 'managed_auth_state',
    timestamp: new Date().toISOString(),
    flow_status: 'IN_PROGRESS',
    flow_step: 'AWAITING_INPUT',
    flow_type: 'LOGIN',
    interaction_id: String(performance.timeOrigin + performance.now()),
    fields: [
      { id: 'username', ref: 'username', type: 'identifier', reason: 'missing', label: 'Email' },
      { id: 'password', ref: 'password', type: 'password', reason: 'missing', label: 'Password' },
    ],
    hosted_url: `https://berth.test/hosted/${'x'.repeat(43)}`,
  };
  return JSON.stringify({ flowId: 'bench', sequence, state });
}

/** Microseconds of CPU a millisecond that a server takes while nothing is published. */
async function idleRate({ size }: Stage, server: StreamServer): Promise<number> {
  await untilQuiet(server);
  const [before, from] = [await server.cpuMicros(), performance.now()];
  await pause(size.heartbeatSeconds * 1_000);
  return ((await server.cpuMicros()) - before) / (performance.now() - from);
}

async function open({ readers, key }: Stage, server: StreamServer, paths: readonly string[]): Promise<void> {
  await readers.ask({ kind: 'open', url: server.url, key, paths });
}

async function closeAll({ readers }: Stage): Promise<void> {
  await readers.ask({ kind: 'close' });
  await pause(500);
}

/** Publishes to one stream after another at the wanted rate; answers when all has arrived. `idle` is what the server takes anyway. */
async function publishSteadily(
  stage: Stage,
  server: StreamServer,
  ids: readonly string[],
  events: number,
  idle: number,
): Promise<{ cpuPerEvent: number; latencies: readonly number[] }> {
  const before = await server.cpuMicros();
  const received = stage.readers.ask<Received>({ kind: 'receive', events });
  const started = performance.now();
  for (let sent = 0; sent < events;) {
    const due = Math.min(events, Math.ceil(((performance.now() - started) / 1_000) * stage.size.eventsPerSecond));
    for (; sent < due; sent += 1) server.publish(ids[sent % ids.length] as string, message((stage.sequence += 1)));
    await pause(tickMs);
  }
  const { latencies } = await received;
  const spent = (await server.cpuMicros()) - before - idle * (performance.now() - started);
  return { cpuPerEvent: spent / events, latencies };
}

async function broadcast(stage: Stage, server: StreamServer): Promise<number> {
  const [id] = stage.connections as [string];
  await open(
    stage,
    server,
    Array.from({ length: stage.size.streams }, () => pathOf(id)),
  );
  const times: number[] = [];
  for (let round = 0; round < stage.size.broadcasts; round += 1) {
    const received = stage.readers.ask<Received>({ kind: 'receive', events: stage.size.streams });
    const at = performance.timeOrigin + performance.now();
    server.publish(id, message((stage.sequence += 1)));
    times.push((await received).lastAt - at);
  }
  await closeAll(stage);
  return median(times);
}

async function measure(stage: Stage, server: StreamServer): Promise<Measured> {
  const { size, connections } = stage;
  const few = connections.slice(0, size.fewStreams);
  const idleAlone = await idleRate(stage, server);
  await open(stage, server, few.map(pathOf));
  const ofFew = await publishSteadily(stage, server, few, size.events, idleAlone);

  // Between few streams and all of them: the first ones lie where starting has left room, which is no figure of streams.
  const some = await server.cost();
  await open(stage, server, connections.slice(few.length).map(pathOf));
  const loaded = await server.cost();
  const idle = await idleRate(stage, server);
  const { cpuPerEvent, latencies } = await publishSteadily(stage, server, connections, size.events, idle);
  await closeAll(stage);

  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return {
    rssPerStream: (loaded.rss - some.rss) / (connections.length - few.length),
    cpuPerEvent,
    cpuPerEventOfFew: ofFew.cpuPerEvent,
    p50: at(0.5),
    p99: at(0.99),
    broadcast: await broadcast(stage, server),
    idleShare: (idle - idleAlone) / 1_000,
  };
}

async function makeConnections(database: Database, organizationId: string, projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const profileId = newId();
  const { prisma } = unscoped(database);
  await prisma.profile.create({ data: { id: profileId, organizationId, projectId } });
  await prisma.authConnection.createMany({
    data: ids.map((id, index) => ({ id, organizationId, projectId, profileId, domain: `site-${index}.test`, allowedDomains: [] })),
  });
  return ids;
}

const medianOf = (rounds: readonly Measured[]): Measured => {
  const names = Object.keys(rounds[0] as Measured) as (keyof Measured)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as unknown as Measured;
};

/** The API's event stream against raw node:http, and against nchan where Debian has it; rounds interleaved, medians of all. */
export async function runSized(size: Size, { workDir }: BenchOptions): Promise<BenchResult> {
  const [postgres, redisServer] = await Promise.all([
    startPostgres({ dataDir: join(workDir, 'postgres') }),
    startRedis({ dataDir: join(workDir, 'redis'), durable: false }),
  ]);
  const databaseUrl = withDatabase(postgres.url, 'postgres');
  await migrate(databaseUrl);
  const database = new Database({ url: databaseUrl, maxConnections: 2 });
  const tenant = await createTenant(database);
  const connections = await makeConnections(database, tenant.organizationId, tenant.defaultProjectId, size.streams);
  const env = (port: number) => ({
    BERTH_API_PORT: String(port),
    BERTH_DATABASE_URL: databaseUrl,
    BERTH_REDIS_URL: redisServer.url,
    BERTH_SECRET_KEY: '5a'.repeat(32),
    BERTH_LOG_LEVEL: 'fatal',
    BERTH_SSE_HEARTBEAT_SECONDS: String(size.heartbeatSeconds),
    NODE_ENV: 'production',
  });
  const redis = new Redis(redisServer.url);
  const start = async (program: string): Promise<StreamServer> => {
    const port = await findFreePort();
    return MeasuredProgram.start(program, port, redis, env(port), [String(port), redisServer.url]);
  };
  const [readers, startNchan] = [new Readers(), await Nchan.fetch(workDir)];
  const stage: Stage = { size, readers, key: tenant.key, connections, sequence: 0 };
  // Each round in new processes: one that has had ten thousand streams keeps their memory, and the next ones would seem to cost none.
  const measureFresh = async (startOne: () => Promise<StreamServer>): Promise<Measured> => {
    const server = await startOne();
    return measure(stage, server).finally(() => server.stop());
  };
  const rounds: Round[] = [];
  try {
    for (let round = 0; round < size.rounds; round += 1) {
      rounds.push({
        raw: await measureFresh(() => start('./raw-server.js')),
        api: await measureFresh(() => start('../../../apps/api/dist/main.js')),
        ...(startNchan && { nchan: await measureFresh(startNchan) }),
      });
    }
  } finally {
    redis.disconnect();
    await Promise.all([readers.stop(), database.close()]);
    await Promise.all([postgres.stop(), redisServer.stop()]);
  }
  const ours = medianOf(rounds.map((round) => round.api));
  const floor = medianOf(rounds.map((round) => round.raw));
  const inC = startNchan && medianOf(rounds.map((round) => round.nchan as Measured));
  return {
    bench: 'events',
    ratios: {
      'memory per idle stream (≤ 1.3)': ours.rssPerStream / floor.rssPerStream,
      'CPU per event (≤ 1.3)': ours.cpuPerEvent / floor.cpuPerEvent,
      'broadcast to all (≤ 1.3)': ours.broadcast / floor.broadcast,
      'publish to receipt p50 (≤ 1.5)': ours.p50 / floor.p50,
      'publish to receipt p99': ours.p99 / floor.p99,
      'CPU per event, all streams / few (≤ 1.2)': ours.cpuPerEvent / ours.cpuPerEventOfFew,
      'idle share of a core (≤ 0.02)': ours.idleShare,
      ...(inC && {
        'memory per idle stream over nchan (≤ 1.3)': ours.rssPerStream / inC.rssPerStream,
        'CPU per event over nchan': ours.cpuPerEvent / inC.cpuPerEvent,
        'broadcast to all over nchan (≤ 1.5)': ours.broadcast / inC.broadcast,
        'publish to receipt p50 over nchan': ours.p50 / inC.p50,
      }),
    },
    raw: { size, api: ours, floor, nchan: inC, rounds },
  };
}

export const run = (options: BenchOptions): Promise<BenchResult> => runSized(full, options);
