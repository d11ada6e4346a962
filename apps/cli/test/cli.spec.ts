import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, type GuardedProcess, spawnGuarded } from '@berth/local-stack';
import { freshStores, type FreshStores, testChromium } from '@berth/testkit';

const apps = fileURLToPath(new URL('../../', import.meta.url));

interface Answer {
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
}

let stores: FreshStores;
let api: GuardedProcess;
let env: Record<string, string>;
let folder: string;

async function berth(words: readonly string[], extra: Record<string, string> = {}): Promise<Answer> {
  const cli = await spawnGuarded(process.execPath, [join(apps, 'cli', 'dist', 'main.js'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...extra },
  });
  let [output, complaint] = ['', ''];
  cli.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  cli.child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const { code } = await cli.exited;
  return { code, output, complaint };
}

/** The value behind a name in a record that the command printed. */
const valueOf = (answer: Answer, name: string): string => new RegExp(`^${name} +(\\S+)`, 'm').exec(answer.output)?.[1] ?? '';

beforeAll(async () => {
  stores = await freshStores();
  folder = mkdtempSync(join(tmpdir(), 'berth-cli-test-'));
  const port = await findFreePort();
  env = {
    PATH: process.env['PATH'] ?? '',
    BERTH_DATABASE_URL: stores.databaseUrl,
    BERTH_REDIS_URL: stores.redisUrl,
    BERTH_SECRET_KEY: '5a'.repeat(32),
    BERTH_API_PORT: String(port),
    BERTH_DATA_DIR: folder,
    BERTH_CHROMIUM_PATH: testChromium(),
    BERTH_LOG_LEVEL: 'fatal',
  };
  api = await spawnGuarded(process.execPath, [join(apps, 'api', 'dist', 'main.js')], { env });
  for (let ready = false; !ready;)
    ready = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
});

afterAll(async () => {
  await api.stop();
  await stores.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('berth', () => {
  it('D54: an operator makes an organization and a first key on the database; the key works over HTTP for projects, limits and keys', async () => {
    const organization = await berth(['org', 'create', 'Acme', '--max-concurrent-sessions', '7']);
    expect([organization.code, valueOf(organization, 'key')]).toEqual([0, expect.stringMatching(/^bk_/)]);
    expect((await berth(['org', 'list'])).output).toMatch(/Acme +developer +7 +true/);

    const key = await berth(['key', 'create', 'laptop', '--org', 'Acme']);
    const withKey = { BERTH_API_KEY: valueOf(key, 'key') };
    expect((await berth(['project', 'create', 'Customer A'], withKey)).code).toBe(0);
    expect((await berth(['project', 'list'], withKey)).output).toMatch(/Customer A +active/);
    expect((await berth(['limits', 'set', '--project', 'customer a', '--sessions', '3'], withKey)).output).toMatch(
      /max_concurrent_sessions +3/,
    );
    expect((await berth(['limits', 'get'], withKey)).output).toMatch(/max_concurrent_sessions +7/);
    expect((await berth(['key', 'list'], withKey)).output).toMatch(/laptop/);
    const revoked = await berth(['key', 'revoke', valueOf(organization, 'id')], withKey);
    expect([revoked.code, revoked.complaint]).toEqual([1, expect.stringContaining('not_found')]);
  });

  it('D54: beside a running stack the command finds everything by its data folder, the port that the stack took included', async () => {
    const dataDir = join(folder, 'announced');
    mkdirSync(dataDir);
    const { BERTH_DATABASE_URL: databaseUrl, BERTH_REDIS_URL: redisUrl, BERTH_CHROMIUM_PATH: chromiumPath, BERTH_API_PORT } = env;
    writeFileSync(
      join(dataDir, 'stack.json'),
      JSON.stringify({ pid: 1, databaseUrl, redisUrl, chromiumPath, settings: { BERTH_API_PORT } }),
    );
    const nothing = { BERTH_DATABASE_URL: '', BERTH_REDIS_URL: '', BERTH_CHROMIUM_PATH: '', BERTH_API_PORT: '', BERTH_DATA_DIR: dataDir };
    const { code, output } = await berth(['doctor'], nothing);
    expect([code, output]).toEqual([0, expect.stringContaining(`:${BERTH_API_PORT ?? ''} is ok`)]);
  });

  it('D10, D16, D54: a key that an operator makes on the database has the name, days and project that the API would take', async () => {
    const organization = await berth(['org', 'create', 'Strict']);
    const withKey = { BERTH_API_KEY: valueOf(organization, 'key') };
    for (const name of ['asleep', 'awake']) await berth(['project', 'create', name], withKey);
    await berth(['project', 'archive', 'asleep'], withKey);
    const create = (...words: string[]) => berth(['key', 'create', ...words, '--org', 'Strict']);
    for (const words of [['k', '--days', '0'], ['k', '--days', '3651'], [' '], ['a\nb'], ['k', '--project', 'asleep']])
      expect([words, (await create(...words)).code]).toEqual([words, 1]);
    expect([(await create(' \u0130k ', '--days', '1', '--project', 'AWAKE')).code, (await berth(['key', 'list'], withKey)).output]).toEqual(
      [0, expect.stringMatching(/ {2}\u0130k +bk_\S+ +awake /)],
    );
  }, 60_000);

  it('D54: a refusal is told in the API’s own words, and what is missing with what to do', async () => {
    const unknown = await berth(['project', 'get', 'nobody'], { BERTH_API_KEY: `bk_${'x'.repeat(43)}` });
    expect([unknown.code, unknown.complaint]).toEqual([1, expect.stringContaining('401 unauthorized')]);
    const keyless = await berth(['project', 'list']);
    expect([keyless.code, keyless.complaint]).toEqual([1, expect.stringContaining('BERTH_API_KEY')]);
  });

  it('D54: doctor checks PostgreSQL, Redis, Chromium and the API, and says what to do about each that fails', async () => {
    const well = await berth(['doctor']);
    expect([well.code, well.output.match(/^ok/gm)?.length]).toEqual([0, 4]);
    const ill = await berth(['doctor'], { BERTH_REDIS_URL: 'redis://127.0.0.1:1', BERTH_PUBLIC_URL: 'http://127.0.0.1:1' });
    expect([ill.code, ill.output.match(/^FAIL/gm)?.length]).toEqual([1, 2]);
    expect(ill.output).toContain('set BERTH_REDIS_URL');
  });

  it('D52: config lists all settings with their values, secrets masked', async () => {
    const { code, output } = await berth(['config']);
    expect([code, output]).toEqual([0, expect.stringMatching(/BERTH_API_PORT +\d+ +environment/)]);
    expect(output).not.toContain('5a'.repeat(32));
  });

  it('D52: config shows wrong values with what is wrong with them, and fails', async () => {
    const { code, output, complaint } = await berth(['config'], { BERTH_PUBLIC_URL: 'nowhere', BERTH_LEASE_SECONDS: 'soon' });
    expect(code).toBe(1);
    expect(output).toMatch(/BERTH_LEASE_SECONDS +soon +environment/);
    expect(complaint).toMatch(/BERTH_LEASE_SECONDS: "soon" cannot be used: it must be a whole number from 1 to 3600/);
    expect(complaint).toMatch(/BERTH_PUBLIC_URL: "nowhere" cannot be used/);
  });
});
