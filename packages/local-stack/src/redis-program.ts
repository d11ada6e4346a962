import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, tryCommand } from './commands.js';
import { isRoot } from './postgres-user.js';
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
export async function findRedis({ toolsDir, progress = silent, searchPath = process.env.PATH ?? '' }: RedisProgramOptions): Promise<RedisProgram> {
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

function unpackedProgram(target: string): RedisProgram {
  const libraries = ['usr/lib', 'lib'].map((folder) => join(target, folder)).filter((folder) => existsSync(folder));
  const folders = libraries.flatMap((folder) => [folder, ...readdirSync(folder).filter((name) => name.endsWith('-linux-gnu')).map((name) => join(folder, name))]);
  return { path: join(target, 'usr', 'bin', 'redis-server'), env: { LD_LIBRARY_PATH: folders.join(delimiter) } };
}

/** Lets apt work for anybody: its state and cache are ours, only the list of sources and what is installed are the machine's. */
async function unpackFromDebian(target: string, searchPath: string, progress: Progress): Promise<void> {
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  const [apt, root, debs] = ['apt', 'root', 'debs'].map((name) => join(work, name)) as [string, string, string];
  for (const folder of [join(apt, 'lists', 'partial'), join(apt, 'cache', 'archives', 'partial'), root, debs]) mkdirSync(folder, { recursive: true });
  const options = Object.entries({
    'Dir::State': apt, 'Dir::State::status': '/var/lib/dpkg/status', 'Dir::State::lists': join(apt, 'lists'), 'Dir::Cache': join(apt, 'cache'), 'Debug::NoLocking': '1',
    // As root apt would hand downloads to its own user, who cannot write into our folder.
    ...(isRoot() ? { 'APT::Sandbox::User': 'root' } : {}),
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { ...process.env, PATH: searchPath, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => runCommand('apt-get', [...options, ...args], { cwd: debs, env });

  progress("Fetching Redis from the machine's Debian packages");
  await aptGet('update', '-qq');
  const plan = await aptGet('install', '--simulate', '--no-install-recommends', 'redis-server');
  const packages = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] as string);
  // One that is installed but off the PATH is in no plan; its package can be fetched all the same.
  await aptGet('download', ...new Set([...packages, 'redis-server', 'redis-tools']));
  for (const deb of readdirSync(debs)) await runCommand('dpkg', ['-x', join(debs, deb), root], { env });
  if (!(await isUsable(unpackedProgram(root)))) throw new Error('the unpacked server does not run');
  renameSync(root, target);
  rmSync(work, { recursive: true, force: true });
}
