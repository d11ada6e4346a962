import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { writePrivately } from './data-folder.js';
import { terminate } from './guardian/ending.js';
import { workingFolderOf } from './guardian/process-table.js';
import { spawnGuarded, type GuardedProcess } from './guardian/spawn-guarded.js';
import { endLeftover } from './leftover.js';
import { startOnPort } from './ports.js';
import { silent, type Progress } from './progress.js';
import { waitUntilReady } from './readiness.js';
import { findRedis, type RedisProgram } from './redis-program.js';
import { ServerLog } from './server-log.js';
import { supervise, type Server } from './supervise.js';

export interface RedisOptions {
  /** Folder for this server alone; made when it is not there. */
  readonly dataDir: string;
  /** Folder for a server that has to be unpacked. Default: `tools` in `dataDir`. */
  readonly toolsDir?: string;
  /** Default: a free one below 32768. */
  readonly port?: number;
  /** How many numbered databases it has. Default 16; tests take one a file. */
  readonly databases?: number;
  /** `false` keeps everything in memory only: for tests. Default true. */
  readonly durable?: boolean;
  readonly progress?: Progress;
}

/** It writes what is left of its log file; that takes a moment when there is much of it. */
const stopSteps = terminate(15_000);
const readyMs = 60_000;

/**
 * Starts a Redis of our own and keeps it running. Commands need the password in the URL, because other users of the machine reach the port
 * too.
 */
export async function startRedis(options: RedisOptions): Promise<Server> {
  const { dataDir, toolsDir = join(dataDir, 'tools'), progress = silent } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const program = await findRedis({ toolsDir, progress });
  const pidFile = join(dataDir, 'redis.pid');
  await endLeftover(pidFile, (pid) => workingFolderOf(pid) === dataDir, stopSteps);

  const password = passwordOf(dataDir);
  const log = new ServerLog(join(dataDir, 'redis.log'));
  const start = (port: number) => launch(program, port, password, pidFile, log, options);
  const { running, port } = await startOnPort(options.port, join(dataDir, 'port'), start);
  const supervised = supervise('Redis', running, () => start(port), progress);
  return { url: urlOf(port, password), pid: () => supervised.current()?.pid, stop: () => supervised.stop() };
}

const urlOf = (port: number, password: string): string => `redis://:${password}@127.0.0.1:${port}/0`;

function passwordOf(dataDir: string): string {
  const path = join(dataDir, 'password');
  if (!existsSync(path)) writePrivately(path, randomBytes(24).toString('base64url'));
  return readFileSync(path, 'utf8').trim();
}

/** A file rather than arguments, which every user of the machine could read. */
function configuration(port: number, password: string, pidFile: string, { dataDir, databases = 16, durable = true }: RedisOptions): string {
  const settings: readonly (readonly [string, string])[] = [
    ['bind', '127.0.0.1'],
    ['port', String(port)],
    ['requirepass', password],
    ['databases', String(databases)],
    ['dir', JSON.stringify(dataDir)],
    ['pidfile', JSON.stringify(pidFile)],
    ['daemonize', 'no'],
    // BullMQ's jobs and the members of admission must never be evicted; a full Redis has to refuse instead.
    ['maxmemory-policy', 'noeviction'],
    ['appendonly', durable ? 'yes' : 'no'],
    ['appendfsync', 'everysec'],
    ['save', '""'],
  ];
  return settings.map((setting) => setting.join(' ')).join('\n');
}

async function launch(
  program: RedisProgram,
  port: number,
  password: string,
  pidFile: string,
  log: ServerLog,
  options: RedisOptions,
): Promise<GuardedProcess> {
  const configFile = join(options.dataDir, 'redis.conf');
  writePrivately(configFile, configuration(port, password, pidFile, options));
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...program.env };
  const server = await log.open((output) =>
    spawnGuarded(program.path, [configFile], { cwd: options.dataDir, env, stdio: ['ignore', output, output], stop: stopSteps, order: 1 }),
  );
  try {
    await waitUntilReady('Redis', server, () => pingRedis(urlOf(port, password)), readyMs);
  } catch (error) {
    await server.stop();
    throw new Error(`${(error as Error).message} The end of ${log.path}:\n${log.lastLines()}`, { cause: error });
  }
  return server;
}

/** Resolves on a PONG: only the right server knows the password. Until it has loaded its data it answers with an error. */
export async function pingRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}
