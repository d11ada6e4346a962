import { spawn } from 'node:child_process';
import { locateChromium } from '@berth/local-stack';
import type { Command } from 'commander';
import { CliError, type Deployment } from '../deployment.js';
import { onDatabase } from '../operators/database.js';
import { onRedis } from '../operators/redis.js';

interface Check {
  readonly name: string;
  readonly run: (deployment: Deployment) => Promise<string>;
  /** What to do when it fails. */
  readonly advice: string;
}

async function postgresVersion(deployment: Deployment): Promise<string> {
  return onDatabase(deployment, async (prisma) => {
    const [{ server_version: version } = { server_version: '?' }] = await prisma.$queryRaw<
      { server_version: string }[]
    >`SHOW server_version`;
    const applied = await prisma.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM _prisma_migrations WHERE finished_at IS NOT NULL`;
    return `PostgreSQL ${version}, ${applied[0]?.count ?? 0} migration(s) applied`;
  });
}

async function redisVersion(deployment: Deployment): Promise<string> {
  return onRedis(deployment, async (redis) => {
    const info = await redis.info('server');
    const [, policy] = await redis.config('GET', 'maxmemory-policy');
    return `Redis ${/redis_version:(\S+)/.exec(info)?.[1] ?? '?'}${policy === 'noeviction' ? '' : `; its maxmemory-policy is ${policy ?? '?'}, and must be noeviction`}`;
  });
}

async function chromiumVersion({ chromiumPath, dataDir }: Deployment): Promise<string> {
  const path = await locateChromium({ toolsDir: `${dataDir}/tools`, ...(chromiumPath === undefined ? {} : { path: chromiumPath }) });
  return new Promise((resolve, reject) => {
    const child = spawn(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(`ended with ${String(code)}`))));
  });
}

async function apiReadiness({ publicUrl }: Deployment): Promise<string> {
  const response = await fetch(`${publicUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  const { status, checks } = (await response.json()) as { status: string; checks: Record<string, string> };
  if (!response.ok) throw new Error(`${status}: ${JSON.stringify(checks)}`);
  return `${publicUrl} is ${status}`;
}

const checks: readonly Check[] = [
  {
    name: 'postgres',
    run: postgresVersion,
    advice: 'Start Berth with `npm start`, or set BERTH_DATABASE_URL to a PostgreSQL that answers.',
  },
  { name: 'redis', run: redisVersion, advice: 'Start Berth with `npm start`, or set BERTH_REDIS_URL to a Redis that answers.' },
  {
    name: 'chromium',
    run: chromiumVersion,
    advice: 'Set BERTH_CHROMIUM_PATH to a Chromium that starts, or unset it to use the npm-shipped one.',
  },
  { name: 'api', run: apiReadiness, advice: 'Start Berth with `npm start`, or set BERTH_PUBLIC_URL to where its API answers.' },
];

/** `berth doctor`: checks PostgreSQL, Redis, Chromium and the API, and says what to do about each that fails (D54). */
export function doctorCommand(program: Command, deployment: Deployment): void {
  program
    .command('doctor')
    .description('check PostgreSQL, Redis, Chromium and the API')
    .action(async () => {
      let failures = 0;
      for (const { name, run, advice } of checks) {
        try {
          process.stdout.write(`ok    ${name.padEnd(9)} ${await run(deployment)}\n`);
        } catch (error) {
          failures += 1;
          process.stdout.write(`FAIL  ${name.padEnd(9)} ${(error as Error).message.split('\n')[0]}\n      ${advice}\n`);
        }
      }
      if (failures > 0) throw new CliError(`${failures} of ${checks.length} checks failed.`);
    });
}
