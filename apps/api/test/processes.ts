import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, spawnGuarded, type StopStep } from '@berth/local-stack';
import { testChromium } from '@berth/testkit';
import { testSecretKey } from './api-fixture.js';

/** A start on a machine that is busy with other tests. */
const startWithinMs = 60_000;
const killAtOnce: readonly StopStep[] = [];

const apps = fileURLToPath(new URL('../../', import.meta.url));

/** What these processes are given, seconds: short, for tests that wait for its end, and longer than a busy machine lets a host stand still. */
const leaseSeconds = 4;
/** Where no test waits for a lease to end: hardly a stall of the machine lets one lapse, and what follows leases (D34) still comes soon. */
export const longLease = { BERTH_LEASE_SECONDS: '10' };
const launchTimeoutSeconds = 10;
/** A create's slot is held for its launch and this much more, since nobody renews it until a host has claimed it. */
const graceAfterLaunchSeconds = 2;
/** What starting a process or a browser, or a sweep's turn, may take while other tests run. */
const busySeconds = 8;
/** Whatever is killed, its rows are ended and its slots are back within one lease (issue 4); the rest is a busy machine. */
export const settleWithinMs = (leaseSeconds + busySeconds) * 1_000;
/** The same where a create may have been killed before any host had its launch: its slot has the longer lease. */
export const launchSettlesWithinMs = (Math.max(leaseSeconds, launchTimeoutSeconds + graceAfterLaunchSeconds) + busySeconds) * 1_000;

/** Where a process finds its stores; a test may put a proxy in between. */
export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A built app running as a process of its own, so that it can be killed. */
export interface AppProcess {
  readonly url: string;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface HostProcess extends AppProcess {
  /** Where its browsers keep their files, as the kernel shows it in their command lines. */
  readonly dataDir: string;
}

/** Waits for something that a condition tells, looking often; the deadline only bounds a failing test. */
export async function until(condition: () => Promise<boolean> | boolean, deadlineMs = 40_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('what was waited for did not happen');
    await pause(20);
  }
}

/** The end of what a process said, for the message of a start that failed. */
const saidChars = 4_000;

interface AppChoices {
  readonly port: number;
  readonly env: Record<string, string>;
  /** Folders that are worthless without the process. */
  readonly remove?: readonly string[];
}

/** The process dies with this one, however this one dies. */
async function startApp(app: 'api' | 'browser-host' | 'worker', { port, env, remove = [] }: AppChoices): Promise<AppProcess> {
  const guarded = await spawnGuarded(process.execPath, [join(apps, app, 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    remove,
  });
  const { child } = guarded;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-saidChars)));
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended');
      return fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, startWithinMs);
  } catch (cause) {
    await guarded.stop(killAtOnce);
    throw new Error(`${app} did not start:\n${said}`, { cause });
  }
  return {
    url,
    child,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await guarded.exited;
    },
  };
}

const shared = ({ databaseUrl, redisUrl }: Stores): Record<string, string> => ({
  BERTH_DATABASE_URL: databaseUrl,
  BERTH_REDIS_URL: redisUrl,
  BERTH_SECRET_KEY: testSecretKey,
  BERTH_LOG_LEVEL: 'error',
  BERTH_DATABASE_POOL_SIZE: '4',
  BERTH_LEASE_SECONDS: String(leaseSeconds),
});

export async function startApiProcess(stores: Stores, env: Record<string, string> = {}): Promise<AppProcess> {
  const port = await findFreePort();
  return startApp('api', {
    port,
    env: { ...shared(stores), BERTH_API_PORT: String(port), BERTH_LAUNCH_TIMEOUT_SECONDS: String(launchTimeoutSeconds), ...env },
  });
}

/** What drives the login flows. */
export async function startWorkerProcess(stores: Stores, env: Record<string, string> = {}): Promise<AppProcess> {
  const port = await findFreePort();
  return startApp('worker', { port, env: { ...shared(stores), BERTH_WORKER_PORT: String(port), ...env } });
}

/** A real browser host with real Chromium. */
export async function startHostProcess(stores: Stores, env: Record<string, string> = {}): Promise<HostProcess> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'berth-api-test-'));
  const host = await startApp('browser-host', {
    port,
    remove: [folder],
    env: {
      ...shared(stores),
      BERTH_HOST_PORT: String(port),
      BERTH_DATA_DIR: folder,
      BERTH_CHROMIUM_PATH: testChromium(),
      BERTH_CHROMIUM_SANDBOX: 'false',
      BERTH_HOST_WARM_BROWSERS: '1',
      ...env,
    },
  });
  host.child.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return { ...host, dataDir: folder };
}
