/**
 * Runs the whole suite: lint, boundaries, types, then every Jest test on real services. Closes with `N passed, N failed`.
 * `--long` adds the very large runs; any other argument is handed to Jest (a path or a -t pattern) and skips the static checks.
 *
 * Whatever happens it ends and says so: a run that hangs is ended by the watchdog, and all that was started dies with this process,
 * even if that is SIGKILLed.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { removeAtDeath, spawnGuarded, terminate } from '../packages/local-stack/dist/index.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const args = process.argv.slice(2);
const long = args.includes('--long');
const jestArgs = args.filter((arg) => arg !== '--long');

/**
 * A run takes some 22 minutes on two cores that nobody else uses, and took 35 on shared ones: slow is not red. What hangs
 * is known by no test file coming to its end for longer than the slowest takes; the limit is for what hangs and still moves.
 */
const stuckMinutes = long ? 120 : 10;
const limitMinutes = long ? 240 : 45;
/** Jest closes its own workers and our global teardown stops the stores; after that nothing may keep it alive. */
const exitSeconds = 60;
const tallyPollMs = 500;

const totals = { passed: 0, failed: 0 };
const running = new Set();
let ending;

/** Ends what runs now; everything after it is left out, and the closing line is still printed. */
function end(reason) {
  if (ending) return;
  ending = reason;
  console.error(`\n${reason}`);
  for (const one of running) void one.stop();
}
const limit = (what, minutes) => setTimeout(() => end(`Ended by the watchdog: ${what} ${minutes} minutes.`), minutes * 60_000).unref();
limit('not done after', limitMinutes);
let stuck = limit('nothing came to its end for', stuckMinutes);
function moved() {
  clearTimeout(stuck);
  stuck = limit('nothing came to its end for', stuckMinutes);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(`Ended by ${signal}.`));

/** Runs a command to its end. Gives whether it succeeded. `hear` gets what it says, which is shown as it comes without it. */
async function succeeds(command, commandArgs, { env = {}, hear } = {}) {
  if (ending) return false;
  const output = hear ? 'pipe' : 'inherit';
  const started = await spawnGuarded(command, commandArgs, {
    cwd: root,
    stdio: ['ignore', output, output],
    stop: terminate(15_000),
    env: { ...process.env, ...env },
  });
  running.add(started);
  for (const stream of hear ? [started.child.stdout, started.child.stderr] : []) stream.on('data', hear);
  const heard = hear ? once(started.child, 'close') : undefined;
  if (ending) void started.stop();
  const { code } = await started.exited;
  await heard;
  running.delete(started);
  return code === 0;
}

/** At once, because each keeps one core busy; what one says is shown when it is done. */
async function runStaticChecks() {
  const checks = [
    ['lint', bin('eslint'), ['.', '--max-warnings', '0']],
    ['types', bin('tsc'), ['--project', 'tsconfig.json']],
    ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
    ['boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'demo', 'bench']],
  ];
  await Promise.all(
    checks.map(async ([name, command, commandArgs]) => {
      let said = '';
      const succeeded = await succeeds(command, commandArgs, { hear: (chunk) => (said += chunk) });
      process.stdout.write(`\n── ${name}: ${succeeded ? 'clean' : 'FAILED'}\n${said}`);
      totals[succeeded ? 'passed' : 'failed'] += 1;
    }),
  );
}

function readTally(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, running: [], complete: false };
  }
}

/**
 * Tells the watchdog of each file that is done; and instead of Jest's --forceExit, which would hide what a test or the teardown left open:
 * that is told, and it is a failure.
 */
function watch(file) {
  let done = 0;
  let completeAt;
  const timer = setInterval(() => {
    const tally = readTally(file);
    const doneNow = tally.passed + tally.failed;
    if (doneNow !== done) moved();
    done = doneNow;
    if (!tally.complete) return;
    completeAt ??= Date.now();
    if (Date.now() - completeAt > exitSeconds * 1000)
      end(`All tests have run, but Jest did not end within ${exitSeconds} s: something was left open.`);
  }, tallyPollMs);
  return () => clearInterval(timer);
}

async function runTests() {
  process.stdout.write('\n── tests\n');
  const folder = mkdtempSync(join(tmpdir(), 'berth-test-'));
  await removeAtDeath(folder);
  const file = join(folder, 'tally.json');
  const stopWatching = watch(file);
  const succeeded = await succeeds(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...jestArgs],
    { env: { BERTH_TEST_TALLY: file, ...(long ? { BERTH_TEST_LONG: '1' } : {}) } },
  );
  stopWatching();
  const tally = readTally(file);
  rmSync(folder, { recursive: true, force: true });
  totals.passed += tally.passed;
  totals.failed += tally.failed;
  if (!tally.complete)
    console.error(`Jest ended before the tests did${tally.running.length > 0 ? `; still running: ${tally.running.join(', ')}` : ''}.`);
  if (!succeeded && tally.failed === 0) totals.failed += 1;
}

if (jestArgs.length === 0) await runStaticChecks();
moved();
if (!ending) await runTests();
else totals.failed += 1;
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
