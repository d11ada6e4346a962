import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { findFreePort, readAnnouncedStack, type RunningStack } from '../src/index.js';
import { fixture, processesOf, removeFolder, run, temporaryFolder, until, type Run } from './processes.js';

let dataDir: string;
let apiPort: number;

async function newFolder(): Promise<void> {
  dataDir = temporaryFolder();
  apiPort = await findFreePort();
}

async function clear(): Promise<void> {
  for (const pid of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
  await nothingLeft();
  removeFolder(dataDir);
}

// A shared unpacked Chromium would do as well, but any program that answers --version serves here.
const environment = () => ({
  BERTH_DATA_DIR: dataDir,
  BERTH_API_PORT: String(apiPort),
  BERTH_CHROMIUM_PATH: process.env.BERTH_TEST_CHROMIUM,
});
/** Stores that are there already, for what is not about stores. */
const givenStores = () => ({
  BERTH_DATABASE_URL: process.env.BERTH_TEST_POSTGRES_URL,
  BERTH_REDIS_URL: process.env.BERTH_TEST_REDIS_URL,
  BERTH_SECRET_KEY: 'ab'.repeat(32),
});
const launch = (argument: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> =>
  run(process.execPath, [fixture('launcher.mjs'), ...argument], { ...environment(), ...env });
const nothingLeft = () => until('all processes to be gone', () => processesOf(dataDir).length === 0);
const announced = (): RunningStack => {
  const stack = readAnnouncedStack(dataDir);
  if (!stack) throw new Error('no stack is announced');
  return stack;
};

async function up(launcher: Run): Promise<Run> {
  await until('the launcher to be up', () => {
    if (launcher.child.exitCode !== null) throw new Error(`it ended: ${launcher.output()}`);
    return launcher.output().includes('Ctrl-C stops');
  });
  return launcher;
}
const launchUp = async (env: NodeJS.ProcessEnv = {}): Promise<Run> => up(await launch([], env));

/** Everything is gone by the time the launcher is. */
async function stop(launcher: Run, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  launcher.child.kill(signal);
  expect(await launcher.ended).toEqual({ code: 0, signal: null });
  expect(processesOf(dataDir)).toEqual([]);
  expect(readAnnouncedStack(dataDir)).toBeUndefined();
}

interface Answer {
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
}
const ask = async (port = apiPort): Promise<Answer> => (await fetch(`http://127.0.0.1:${port}/`)).json() as Promise<Answer>;

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: announced().databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function redis<T>(use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(announced().redisUrl);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

describe('npm start, while it runs', () => {
  let launcher: Run;
  beforeAll(async () => {
    await newFolder();
    launcher = await launchUp();
  });
  afterAll(clear);

  it('D51: prints base URL, docs URL and bootstrap key, and hands the stores to the apps', async () => {
    expect(launcher.output()).toContain(`http://127.0.0.1:${apiPort}/docs`);
    expect(launcher.output()).toContain('bk_fixture');
    expect((await ask()).env).toMatchObject({
      BERTH_DATABASE_URL: announced().databaseUrl,
      BERTH_REDIS_URL: announced().redisUrl,
      BERTH_DATA_DIR: dataDir,
      BERTH_BOOTSTRAP_ORG: 'Local',
    });
  });

  it('D52: announces what it gave to its apps, for `berth config`', () => {
    expect(announced().settings).toMatchObject({
      BERTH_API_PORT: String(apiPort),
      BERTH_BOOTSTRAP_ORG: 'Local',
      BERTH_DATA_DIR: dataDir,
      BERTH_CHROMIUM_PATH: announced().chromiumPath,
    });
  });

  it('D13, D45: what it writes can be read by its owner only', () => {
    for (const name of ['stack.json', 'secret-key', 'redis/redis.conf', 'redis/password', 'postgres/password']) {
      expect([name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
    }
  });

  it.each([
    ['the same port', ''],
    ['another port', '0'],
  ])('D51: a second stack on the same data folder, with %s, is told that Berth runs there, and the first goes on', async (_which, port) => {
    const { pid } = await ask();
    const second = await launch([], port === '' ? {} : { BERTH_API_PORT: port });
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toContain(`Berth already runs on ${dataDir}`);
    expect(second.output()).not.toContain('is in use');
    expect((await ask()).pid).toBe(pid);
  });

  it('D51: start:api joins it, on a port of its own', async () => {
    const extra = await launch(['api'], { BERTH_API_PORT: '' });
    const port = Number(await until('its port', () => /starts on port (\d+)/.exec(extra.output())?.[1]));
    const answer = await until('the second API', () => ask(port).catch(() => undefined));
    expect(answer.env.BERTH_DATABASE_URL).toBe(announced().databaseUrl);
    expect(answer.env.BERTH_SECRET_KEY).toBe((await ask()).env.BERTH_SECRET_KEY);
    expect(answer.pid).toBe(extra.pid);
    extra.child.kill('SIGTERM');
    expect((await extra.ended).code).toBe(0);
  });

  it('D51: a child that dies is started again, PostgreSQL and Redis at the same address included', async () => {
    const { pid } = await ask();
    await fetch(`http://127.0.0.1:${apiPort}/die`).catch(() => undefined);
    await until('another API process', async () => ((await ask().catch(() => undefined))?.pid ?? pid) !== pid);
    const before = announced();
    const stores = processesOf(dataDir).filter((candidate) =>
      /redis-server |\/postgres\0-D/.test(readFileSync(`/proc/${candidate}/cmdline`, 'utf8')),
    );
    expect(stores).toHaveLength(2);
    for (const store of stores) process.kill(store, 'SIGKILL');
    await until(
      'both stores to run again',
      () => launcher.output().includes('PostgreSQL runs again') && launcher.output().includes('Redis runs again'),
    );
    expect(announced()).toEqual(before);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await redis((client) => client.ping())).toBe('PONG');
  });
});

describe('npm start', () => {
  beforeEach(newFolder);
  afterEach(clear);

  it('D51: Ctrl-C and SIGTERM stop all of it and leave no process; a second start reuses the data folder: rows, Redis keys and the secret key are the same', async () => {
    const first = await launchUp();
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    await redis((client) => client.set('kept', '43'));
    const { BERTH_SECRET_KEY: key } = (await ask()).env;
    await stop(first, 'SIGINT');
    const second = await launchUp();
    expect(await query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await redis((client) => client.get('kept'))).toBe('43');
    expect((await ask()).env.BERTH_SECRET_KEY).toBe(key);
    await stop(second, 'SIGTERM');
  });

  it('house: SIGKILL of the launcher leaves no process, and the next start recovers the data', async () => {
    const launcher = await launchUp();
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    launcher.child.kill('SIGKILL');
    await launcher.ended;
    await nothingLeft();
    await launchUp();
    expect(await query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('house: SIGKILL in the middle of the first start leaves no process, and the next start works', async () => {
    const launcher = await launch();
    await until('the database to be made', () => launcher.output().includes('Making a PostgreSQL database'));
    launcher.child.kill('SIGKILL');
    await launcher.ended;
    await nothingLeft();
    await launchUp();
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('D51: Ctrl-C in the middle of the first start leaves no process', async () => {
    const launcher = await launch();
    await until('the database to be made', () => launcher.output().includes('Making a PostgreSQL database'));
    launcher.child.kill('SIGINT');
    expect(await launcher.ended).toEqual({ code: 130, signal: null });
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('D51: ends with the npm that ran it, though npm tells only its shell', async () => {
    // npm runs a script as `sh -c`; a compound command keeps that shell as a process between the two. A session of its own keeps the
    // launcher out of the group that is killed with npm here.
    const script = `true /npm-cli.js; setsid sh -c "true && '${process.execPath}' '${fixture('launcher.mjs')}' && true" npm && true`;
    const npm = await up(await run('/bin/sh', ['-c', script, 'npm'], { ...environment(), ...givenStores(), npm_lifecycle_event: 'start' }));
    npm.child.kill('SIGKILL');
    await npm.ended;
    await nothingLeft();
  });

  it('D51: says which port is taken and which setting moves it', async () => {
    const squatter = createServer().listen(apiPort, '127.0.0.1');
    try {
      const launcher = await launch();
      expect((await launcher.ended).code).toBe(1);
      expect(launcher.output()).toMatch(new RegExp(`BERTH_API_PORT: port ${apiPort} on 127.0.0.1 is in use`));
    } finally {
      squatter.close();
    }
  });

  it("D52: a bad environment is refused with all its faults, the apps' settings included, before anything starts", async () => {
    const launcher = await launch([], {
      BERTH_API_PORT: 'x',
      BERTH_FLOW_MAX_STEPS: '0',
      BERTH_ALLOW_PRIVATE_NETWORKS: 'false',
      BERTH_DATABASE_URL: 'postgresql://localhost/berth',
    });
    expect((await launcher.ended).code).toBe(1);
    for (const name of [
      'BERTH_API_PORT: "x"',
      'BERTH_FLOW_MAX_STEPS: "0"',
      'BERTH_ALLOW_PRIVATE_NETWORKS cannot be false',
      'BERTH_SECRET_KEY is not set',
    ])
      expect(launcher.output()).toContain(name);
    expect(launcher.output()).not.toContain('Starting');
  });

  it('D51: uses the stores it is given and starts none of its own', async () => {
    const launcher = await launchUp(givenStores());
    const { env } = await ask();
    expect(env).toMatchObject(givenStores());
    expect(env.BERTH_BOOTSTRAP_ORG).toBeUndefined();
    await stop(launcher, 'SIGINT');
  });

  it('D51: start:api says what to do when no stack runs', async () => {
    const extra = await launch(['api']);
    expect((await extra.ended).code).toBe(1);
    expect(extra.output()).toMatch(/No stack runs on .*npm start.*BERTH_DATABASE_URL/);
  });
});
