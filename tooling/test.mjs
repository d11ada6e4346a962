/**
 * Runs the whole suite: lint, boundaries, types, then every Jest test on real services. Closes with `N passed, N failed`.
 * `--long` adds the very large runs; any other argument is handed to Jest (a path or a -t pattern) and skips the static checks.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const args = process.argv.slice(2);
const long = args.includes('--long');
const jestArgs = args.filter((arg) => arg !== '--long');

function run(command, commandArgs, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, { cwd: root, stdio: 'inherit', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env } });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const checks = [
  ['lint', bin('eslint'), ['.', '--max-warnings', '0']],
  ['boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'demo', 'bench']],
  ['types', bin('turbo'), ['run', 'typecheck', '--output-logs=errors-only']],
];
let passed = 0;
let failed = 0;
if (jestArgs.length === 0) {
  for (const [name, command, commandArgs] of checks) {
    process.stdout.write(`\n── ${name}\n`);
    if ((await run(command, commandArgs)) === 0) passed += 1;
    else failed += 1;
  }
}

process.stdout.write('\n── tests\n');
const folder = mkdtempSync(join(tmpdir(), 'berth-test-'));
const report = join(folder, 'jest.json');
const code = await run(process.execPath, ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
  '--json', `--outputFile=${report}`, '--forceExit', ...jestArgs], long ? { BERTH_TEST_LONG: '1' } : {});
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed += result.numPassedTests;
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
} catch {
  failed += 1;
  console.error('Jest wrote no report: it ended before the tests did.');
}
rmSync(folder, { recursive: true, force: true });
if (code !== 0 && failed === 0) failed = 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
