import { locateChromium } from './chromium.js';
import { DataFolder } from './data-folder.js';
import { startPostgres } from './postgres.js';
import { silent, type Progress } from './progress.js';
import { startRedis } from './redis.js';
import type { Server } from './supervise.js';

export interface StackOptions {
  readonly dataDir: string;
  /** Folder for unpacked programs, which may be shared by several data folders. Default: `tools` in `dataDir`. */
  readonly toolsDir?: string;
  /** Use this PostgreSQL instead of starting one. */
  readonly databaseUrl?: string;
  /** Use this Redis instead of starting one. */
  readonly redisUrl?: string;
  /** Use this Chromium instead of the npm-shipped one. */
  readonly chromiumPath?: string;
  /** `false` trades safety at a power cut for speed: for tests. Default true. */
  readonly durable?: boolean;
  /** Connections PostgreSQL takes. Default 200. */
  readonly maxConnections?: number;
  /** Numbered databases Redis has. Default 16. */
  readonly redisDatabases?: number;
  readonly progress?: Progress;
}

export interface Stack {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly chromiumPath: string;
  /** The folder it holds; other files of this deployment may be kept there. */
  readonly folder: DataFolder;
  /** Process ids of what it runs itself. */
  pids(): readonly number[];
  /** Ends Redis and PostgreSQL; resolves when both are gone. */
  stop(): Promise<void>;
}

/**
 * Brings up what the apps need and keeps it up: PostgreSQL, Redis, and a Chromium to launch.
 * @throws {DataFolderInUseError} when another living process runs a stack on the same folder.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { durable = true, progress = silent } = options;
  const folder = await DataFolder.claim(options.dataDir);
  const toolsDir = options.toolsDir ?? folder.file('tools');
  const started: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
    await folder.leave();
  };
  const keep = async (starting: Promise<Server>): Promise<string> => {
    const server = await starting;
    started.push(server);
    return server.url;
  };
  const results = await Promise.allSettled([
    options.databaseUrl ??
      keep(startPostgres({ dataDir: folder.file('postgres'), durable, maxConnections: options.maxConnections, progress })),
    options.redisUrl ?? keep(startRedis({ dataDir: folder.file('redis'), toolsDir, durable, databases: options.redisDatabases, progress })),
    locateChromium({ toolsDir, path: options.chromiumPath, progress }),
  ]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (failures.length > 0) {
    await stop();
    throw new AggregateError(failures, failures.map((failure) => failure.message).join('\n'));
  }
  const [databaseUrl, redisUrl, chromiumPath] = results.map((result) => (result as PromiseFulfilledResult<string>).value) as [
    string,
    string,
    string,
  ];
  folder.announce({ pid: process.pid, databaseUrl, redisUrl, chromiumPath });
  return { databaseUrl, redisUrl, chromiumPath, folder, pids: () => started.flatMap((server) => server.pid() ?? []), stop };
}
