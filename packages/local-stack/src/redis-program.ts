import { existsSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tryCommand } from './commands.js';
import { libraryPath, unpackDebian } from './debian.js';
import { silent, type Progress } from './progress.js';

/** A Redis server that runs on this machine. */
export interface RedisProgram {
  readonly path: string;
  /** What it needs to find its libraries. */
  readonly env: NodeJS.ProcessEnv;
}

export interface RedisProgramOptions {
  /** Folder for unpacked programs. */
  readonly toolsDir: string;
  readonly progress?: Progress;
  /** Default: the PATH of this process. */
  readonly searchPath?: string;
}

const names = ['redis-server', 'valkey-server'] as const;
/** Admission is bound to one life of Redis by scripts that an older one would replicate and save (docs/adr/0003). */
const oldest = [7, 0] as const;

/**
 * A Redis from the PATH, else one unpacked earlier, else one unpacked now from the machine's Debian packages, which needs no root.
 * @throws with the ways to get one when there is none.
 */
export async function findRedis({
  toolsDir,
  progress = silent,
  searchPath = process.env.PATH ?? '',
}: RedisProgramOptions): Promise<RedisProgram> {
  const installed = searchPath.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of installed) {
    const program = { path, env: {} };
    if (existsSync(path) && (await isUsable(program))) return program;
  }
  const target = join(toolsDir, 'redis');
  if (!existsSync(target)) {
    try {
      await unpackFromDebian(target, searchPath, progress);
    } catch (error) {
      throw new Error(
        `There is no Redis: no ${names.join(' or ')} (${oldest.join('.')} or newer) on the PATH, and none could be unpacked from Debian's packages (${(error as Error).message}). ` +
          'Install one (Debian, Ubuntu: apt-get install redis-server; Fedora: dnf install valkey; Alpine: apk add redis), or set BERTH_REDIS_URL to a running one.',
        { cause: error },
      );
    }
  }
  return unpackedProgram(target);
}

async function isUsable({ path, env }: RedisProgram): Promise<boolean> {
  const { stdout } = await tryCommand(path, ['--version'], { env: { ...process.env, ...env } });
  const [major = 0, minor = 0] = (/\bv=(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

function unpackedProgram(root: string): RedisProgram {
  return { path: join(root, 'usr', 'bin', 'redis-server'), env: { LD_LIBRARY_PATH: libraryPath(root) } };
}

async function unpackFromDebian(target: string, searchPath: string, progress: Progress): Promise<void> {
  const work = `${target}.new`;
  progress("Fetching Redis from the machine's Debian packages");
  const root = await unpackDebian(work, { packages: ['redis-server', 'redis-tools'], searchPath });
  if (!(await isUsable(unpackedProgram(root)))) throw new Error('the unpacked server does not run');
  renameSync(root, target);
  rmSync(work, { recursive: true, force: true });
}
