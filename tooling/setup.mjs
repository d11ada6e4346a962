/**
 * Makes a fresh clone ready with nothing but Node and npm: installs the dependency tree with the pinned pnpm, then builds.
 * Cheap to call before every command: nothing is installed while the lock is the same, and turbo builds only what has changed.
 * `--quiet` says nothing unless something fails.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const quiet = process.argv.includes('--quiet');
const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Written when the tree is whole; holds what it was installed from. */
const stamp = join(root, 'node_modules', '.berth-installed');

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Berth needs Node ${engines.node}; this is ${process.version}. Install a newer Node and run the command again.`);
}

/** Runs a command in the root. Its output is shown as it comes, or, when quiet, once it has failed. */
function run(title, command, args) {
  const started = Date.now();
  if (!quiet) process.stdout.write(`${title} …\n`);
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      // turbo looks for pnpm in the PATH; a machine with Node alone has it only as a dependency of this repository.
      env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), TURBO_TELEMETRY_DISABLED: '1', CI: process.env.CI ?? '1' },
    });
    // npm hands a signal to this process alone; the child must not go on without it.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal));
    const held = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => held.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) {
        if (!quiet) process.stdout.write(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
        return resolve();
      }
      process.stderr.write(Buffer.concat(held));
      reject(new Error(`${title} failed: \`${command} ${args.join(' ')}\` ended with ${signal ?? code}. Its output is above.`));
    });
  });
}

async function install() {
  const hash = createHash('sha256');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await run('Installing dependencies', 'npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

try {
  requireNode();
  await install();
  await run('Building', join(bin, 'turbo'), ['run', 'build', '--output-logs=errors-only', '--log-order=grouped']);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
