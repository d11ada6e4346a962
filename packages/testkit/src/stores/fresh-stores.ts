import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A PostgreSQL database and a Redis database that nobody else uses. */
export interface FreshStores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  drop(): Promise<void>;
}

const template = 'berth_template';
/** Any number that no other lock of the test run uses. */
const templateLock = 7_241_001;

function testSetting(name: 'BERTH_TEST_POSTGRES_URL' | 'BERTH_TEST_REDIS_URL' | 'BERTH_TEST_CHROMIUM'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run tests through the root's \`npm test\`, which starts the stores.`);
  return value;
}

/** The Chromium that the test run found. */
export function testChromium(): string {
  return testSetting('BERTH_TEST_CHROMIUM');
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: testSetting('BERTH_TEST_POSTGRES_URL') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Applies the migrations exactly as production does: `prisma migrate deploy`. */
export async function migrate(databaseUrl: string): Promise<void> {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@berth/database')));
  await new Promise<void>((resolve, reject) => {
    const child = spawn('node_modules/.bin/prisma', ['migrate', 'deploy'], {
      cwd: packageFolder,
      env: {
        ...process.env,
        BERTH_DATABASE_URL: databaseUrl,
        PRISMA_SCHEMA_ENGINE_BINARY: 'tools/schema-engine.mjs',
        CHECKPOINT_DISABLE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`prisma migrate deploy ended with ${String(code)}:\n${output}`)),
    );
  });
}

/** Makes the migrated template once per server; test processes that come at the same time wait for the first. */
async function ensureTemplate(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [template]);
    if (rowCount !== 0) return;
    await client.query(`DROP DATABASE IF EXISTS ${template}`);
    await client.query(`CREATE DATABASE ${template}`);
    await migrate(withDatabase(testSetting('BERTH_TEST_POSTGRES_URL'), template));
    await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  }
}

/** Redis database numbers are handed out by a counter in database 0, so that parallel test processes never share one. */
async function claimRedisDatabase(): Promise<string> {
  const base = testSetting('BERTH_TEST_REDIS_URL');
  const redis = new Redis(base);
  try {
    const number = await redis.incr('berth:test:database');
    const url = new URL(base);
    url.pathname = `/${number}`;
    return url.toString();
  } finally {
    redis.disconnect();
  }
}

/** A migrated, empty PostgreSQL database and an empty Redis database of their own for one test file. */
export async function freshStores(): Promise<FreshStores> {
  const name = `berth_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  await onServer(async (client) => {
    await ensureTemplate(client);
    // The template may be in use for the moment that another copy takes.
    await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    databaseUrl: withDatabase(testSetting('BERTH_TEST_POSTGRES_URL'), name),
    redisUrl: await claimRedisDatabase(),
    drop: () => onServer(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}
