/**
 * Makes a fresh clone ready with nothing but Node: installs the pinned pnpm's dependency tree, then builds.
 * Both steps are skipped when nothing they read has changed, so this is cheap to call before every command.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const quiet = process.argv.includes('--quiet');
const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Berth needs Node ${engines.node}; this is ${process.version}. Install a newer Node and run the command again.`);
  process.exit(1);
}

function run(title, command, args) {
  const started = Date.now();
  if (!quiet) process.stdout.write(`${title} …\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'], env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', CI: process.env.CI ?? '1' } });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) {
        if (!quiet) process.stdout.write(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
        resolve();
      } else {
        process.stderr.write(output);
        reject(new Error(`${title} failed: \`${command} ${args.join(' ')}\` ended with ${code}. Its output is above.`));
      }
    });
  });
}

try {
  const lock = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml'))).digest('hex');
  const stamp = join(root, 'node_modules', '.berth-installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    await run('Installing dependencies', 'npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only']);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, lock);
  }
  await run('Building', join(root, 'node_modules', '.bin', 'turbo'), ['run', 'build', '--output-logs=errors-only', '--log-order=grouped']);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
