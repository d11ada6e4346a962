import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './commands.js';
import { isRoot } from './postgres-user.js';

export interface DebianPackages {
  /** Fetched with whatever they need that this machine has not installed. */
  readonly packages: readonly string[];
  /** Fetched as they are, without what they ask for beside them: a web application without its web server. */
  readonly alone?: readonly string[];
  /** Where `apt-get` and `dpkg` are looked for. Default: the PATH of this process. */
  readonly searchPath?: string;
}

/**
 * Fetches packages of the machine's own Debian or Ubuntu and unpacks them under `folder`, which needs no root and installs nothing.
 * @returns the folder that stands for `/`.
 * @throws when there is no apt, or a package cannot be fetched
 */
export async function unpackDebian(
  folder: string,
  { packages, alone = [], searchPath = process.env.PATH ?? '' }: DebianPackages,
): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const [apt, root, debs] = ['apt', 'root', 'debs'].map((name) => join(folder, name)) as [string, string, string];
  for (const made of [join(apt, 'lists', 'partial'), join(apt, 'cache', 'archives', 'partial'), root, debs])
    mkdirSync(made, { recursive: true });
  // Lets apt work for anybody: its state and cache are ours, only the list of sources and what is installed are the machine's.
  const options = Object.entries({
    'Dir::State': apt,
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::Cache': join(apt, 'cache'),
    'Debug::NoLocking': '1',
    // As root apt would hand downloads to its own user, who cannot write into our folder.
    ...(isRoot() ? { 'APT::Sandbox::User': 'root' } : {}),
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { ...process.env, PATH: searchPath, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => runCommand('apt-get', [...options, ...args], { cwd: debs, env });

  await aptGet('update', '-qq');
  const plan = await aptGet('install', '--simulate', '--no-install-recommends', ...packages);
  const planned = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] as string);
  // One that is installed but off the PATH is in no plan; its package can be fetched all the same.
  await aptGet('download', ...new Set([...planned, ...packages, ...alone]));
  for (const deb of readdirSync(debs)) await runCommand('dpkg', ['-x', join(debs, deb), root], { env });
  for (const done of [apt, debs]) rmSync(done, { recursive: true, force: true });
  return root;
}

/** Value of LD_LIBRARY_PATH for programs unpacked under `root`. */
export function libraryPath(root: string): string {
  const libraries = ['usr/lib', 'lib'].map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  return libraries
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder)
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => join(folder, name)),
    ])
    .join(delimiter);
}
