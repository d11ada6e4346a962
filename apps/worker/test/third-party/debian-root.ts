import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { libraryPath, unpackDebian } from '@berth/local-stack';

export interface DebianRoot {
  readonly path: string;
  readonly python: string;
  readonly php: string;
  /** For every program of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that load PHP's extensions from here; those that the machine has installed are loaded by its own configuration. */
  readonly phpExtensions: readonly string[];
}

const packages = [
  'python3',
  'python3-django',
  'python3-django-otp',
  'radicale',
  'php-cli',
  'php-sqlite3',
  'php-pgsql',
  'php-mbstring',
  'deluge-web',
  'fossil',
] as const;
/** Each asks for a web server of its own; PHP has one built in. */
const alone = ['phpliteadmin', 'adminer'] as const;

/**
 * The packages of the applications, unpacked once (some 20 MB to fetch) and kept beside the other tools, under a name that changes with the
 * list.
 */
export async function debianRoot(toolsDir: string): Promise<DebianRoot> {
  const path = join(
    toolsDir,
    `third-party-${createHash('sha256')
      .update([...packages, ...alone].join())
      .digest('hex')
      .slice(0, 8)}`,
  );
  if (!existsSync(path)) {
    const work = `${path}.${process.pid}.new`;
    renameSync(await unpackDebian(work, { packages, alone }), path);
    rmSync(work, { recursive: true, force: true });
  }
  const bin = join(path, 'usr/bin');
  const own = (name: string): string => join(bin, name);
  const php = readdirSync(bin).find((name) => /^php\d+\.\d+$/.test(name)) ?? 'php';
  // What the machine has installed of PHP is not unpacked here.
  const modules = join(path, 'usr/lib/php');
  const extensions = (existsSync(modules) ? readdirSync(modules) : [])
    .map((name) => join(modules, name))
    .filter((folder) => statSync(folder).isDirectory())
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => /\/(ctype|mbstring|pdo|pgsql|sqlite3|pdo_sqlite|tokenizer)\.so$/.test(file))
    .sort();
  return {
    path,
    php: existsSync(own(php)) ? own(php) : php,
    python: existsSync(own('python3')) ? own('python3') : '/usr/bin/python3',
    env: { LD_LIBRARY_PATH: libraryPath(path), PYTHONPATH: join(path, 'usr/lib/python3/dist-packages'), PYTHONDONTWRITEBYTECODE: '1' },
    phpExtensions: extensions.flatMap((file) => ['-d', `extension=${file}`]),
  };
}
