import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { locateChromium, startPostgres, startRedis, startStack, DataFolderInUseError } from '../src/index.js';
import { unpackChromium } from '../src/chromium.js';
import { tryCommand } from '../src/commands.js';
import { pingRedis } from '../src/redis.js';
import { queryPostgres } from '../src/postgres.js';
import { findRedis } from '../src/redis-program.js';
import { processesOf, removeFolder, temporaryFolder } from './processes.js';

/** What this whole run has unpacked, for tests that are about something else. */
const unpacked = fileURLToPath(new URL('../../../.berth/tools', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  expect(processesOf(folder)).toEqual([]);
  removeFolder(folder);
});

describe('startPostgres', () => {
  it('starts over a stale postmaster.pid that names a living process of somebody else', async () => {
    const first = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    await first.stop();
    writeFileSync(
      join(folder, 'postgres', 'cluster', 'postmaster.pid'),
      `${process.pid}\n${folder}\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready\n`,
    );
    const second = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    await queryPostgres(second.url);
    await second.stop();
  });

  it('starts below a folder that only its owner may enter, such as /root', async () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o700);
    const server = await startPostgres({ dataDir: join(locked, 'postgres'), durable: false });
    await queryPostgres(server.url);
    await server.stop();
  });

  it('refuses a connection without the password', async () => {
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    await expect(queryPostgres(server.url.replace(/:[^:@]+@/, ':guess@'))).rejects.toThrow('password authentication failed');
    await server.stop();
  });

  it('refuses data of another major version and says so', async () => {
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    await server.stop();
    writeFileSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'), '12\n');
    await expect(startPostgres({ dataDir: join(folder, 'postgres'), durable: false })).rejects.toThrow(
      /written by PostgreSQL 12.*choose another BERTH_DATA_DIR/,
    );
  });

  it('tells why when its port is taken', async () => {
    const first = await startPostgres({ dataDir: join(folder, 'first'), durable: false });
    await expect(startPostgres({ dataDir: join(folder, 'second'), durable: false, port: Number(new URL(first.url).port) })).rejects.toThrow(
      /Address already in use/,
    );
    await first.stop();
  });
});

describe('startRedis', () => {
  it('never evicts, keeps its data on disk, and has the databases asked for', async () => {
    const first = await startRedis({ dataDir: join(folder, 'redis'), toolsDir: unpacked, databases: 1024 });
    const { Redis } = await import('ioredis');
    const client = new Redis(`${first.url.slice(0, -1)}1023`);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await client.config('GET', 'appendfsync')).toEqual(['appendfsync', 'everysec']);
    await client.set('kept', '1');
    client.disconnect();
    await first.stop();
    const second = await startRedis({ dataDir: join(folder, 'redis'), toolsDir: unpacked, databases: 1024 });
    const again = new Redis(`${second.url.slice(0, -1)}1023`);
    expect(await again.get('kept')).toBe('1');
    again.disconnect();
    await second.stop();
  });

  it('refuses a command without the password', async () => {
    const server = await startRedis({ dataDir: join(folder, 'redis'), toolsDir: unpacked, durable: false });
    await expect(pingRedis(server.url.replace(/:[^:@]+@/, ':guess@'))).rejects.toThrow();
    await server.stop();
  });
});

describe('findRedis', () => {
  /** Every program of the machine but Redis. */
  function pathWithoutRedis(): string {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const from of ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].filter((path) => existsSync(path))) {
      for (const name of readdirSync(from)) {
        if (!/^(redis|valkey)/.test(name) && lstatSync(join(bin, name), { throwIfNoEntry: false }) === undefined)
          symlinkSync(join(from, name), join(bin, name));
      }
    }
    return bin;
  }

  it("without one on the PATH, unpacks the machine's Debian package, and finds it there the next time", async () => {
    const searchPath = pathWithoutRedis();
    const toolsDir = join(folder, 'tools');
    const messages: string[] = [];
    const program = await findRedis({ toolsDir, searchPath, progress: (message) => messages.push(message) });
    expect(dirname(program.path).startsWith(toolsDir)).toBe(true);
    const { stdout } = await tryCommand(program.path, ['--version'], { env: program.env });
    expect(stdout).toMatch(/^Redis server v=/);
    expect(messages).toHaveLength(1);
    expect(await findRedis({ toolsDir, searchPath: join(folder, 'nowhere') })).toEqual(program);
  }, 180_000);

  it('passes over one that is too old or does not run', async () => {
    const bin = join(folder, 'old');
    mkdirSync(bin);
    writeFileSync(join(bin, 'redis-server'), '#!/bin/sh\necho "Redis server v=6.2.14 sha=0"\n', { mode: 0o755 });
    const real = await findRedis({ toolsDir: unpacked });
    expect((await findRedis({ toolsDir: unpacked, searchPath: [bin, dirname(real.path)].join(delimiter) })).path).toBe(real.path);
  });

  it('with nothing to get one from, says how to get one', async () => {
    await expect(findRedis({ toolsDir: join(folder, 'tools'), searchPath: join(folder, 'nowhere') })).rejects.toThrow(
      /There is no Redis.*apt-get install redis-server.*BERTH_REDIS_URL/,
    );
  });
});

describe('locateChromium', () => {
  it('refuses a BERTH_CHROMIUM_PATH that does not run', async () => {
    await expect(locateChromium({ toolsDir: folder, path: '/no/such/chromium' })).rejects.toThrow(
      /BERTH_CHROMIUM_PATH is \/no\/such\/chromium, but that does not run/,
    );
  });

  it('unpacks the npm-shipped one once, also for two that ask at the same time, and it runs', async () => {
    const [path, same] = await Promise.all([locateChromium({ toolsDir: folder }), locateChromium({ toolsDir: folder })]);
    expect(same).toBe(path);
    expect(path.startsWith(folder)).toBe(true);
    expect((await tryCommand(path, ['--version'])).stdout).toMatch(/Chrom/);
  });

  it('brings the shipped libraries and fonts where the machine has none, and runs with them', async () => {
    const target = join(folder, "chromium it's");
    await unpackChromium(target, async () => ({ libraries: true, fonts: true }));
    expect(existsSync(join(target, 'lib', 'libnss3.so'))).toBe(true);
    expect(readFileSync(join(target, 'fonts.conf'), 'utf8')).toContain(`<dir>${join(target, 'fonts')}</dir>`);
    expect(readdirSync(join(target, 'fonts')).length).toBeGreaterThan(0);
    expect((await tryCommand(join(target, 'chromium-launcher'), ['--version'])).stdout).toMatch(/Chrom/);
  });
});

describe('startStack', () => {
  it('refuses a folder that is in use, takes none of it down, and reports all that fails at once', async () => {
    const options = { dataDir: folder, toolsDir: unpacked, chromiumPath: process.env.BERTH_TEST_CHROMIUM, durable: false };
    const stack = await startStack(options);
    await expect(startStack(options)).rejects.toBeInstanceOf(DataFolderInUseError);
    await queryPostgres(stack.databaseUrl);
    await pingRedis(stack.redisUrl);
    await stack.stop();
    await expect(startStack({ ...options, chromiumPath: '/no/such/chromium' })).rejects.toThrow('BERTH_CHROMIUM_PATH');
  });
});
