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
    // Nothing is seen by waiting.
    BERTH_KEY_CACHE_SECONDS: '3600',
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

  it('D7, D54: running API processes hear of a changed organization at once; without Redis it is stored and said how long they may not', async () => {
    const withKey = { BERTH_API_KEY: valueOf(await berth(['org', 'create', 'Changing']), 'key') };
    const listed = async () => (await berth(['project', 'list'], withKey)).code;
    expect(await listed()).toBe(0);
    const off = await berth(['org', 'update', 'Changing', '--projects-enabled', 'false']);
    expect([off.code, off.complaint]).toEqual([0, '']);
    while ((await listed()) === 0);
    const unheard = await berth(['org', 'update', 'Changing', '--projects-enabled', 'true'], { BERTH_REDIS_URL: 'redis://127.0.0.1:1' });
    expect([unheard.code, unheard.complaint]).toEqual([0, expect.stringMatching(/Redis could not be told .* for 3600 s\.\n$/)]);
    expect(valueOf(unheard, 'projects_enabled')).toBe('true');
  }, 60_000);

  it('D23, D54: an organization gets a cap of its own, and the one of its plan again, at create and at update', async () => {
    expect((await berth(['org', 'create', 'Capped', '--max-concurrent-sessions', 'none'])).code).toBe(0);
    expect((await berth(['org', 'list'])).output).toMatch(/Capped +developer +5 /);
    const update = (given: string) => berth(['org', 'update', 'Capped', `--max-concurrent-sessions=${given}`]);
    for (const [given, stored] of [
      ['9', '9'],
      ['none', 'null'],
      ['08', '8'],
      ['00', 'null'],
    ] as const) {
      const changed = await update(given);
      expect([given, changed.code, changed.complaint, valueOf(changed, 'max_concurrent_sessions')]).toEqual([given, 0, '', stored]);
    }
    for (const given of ['-1', '', '1000001'])
      expect([given, (await update(given)).complaint]).toEqual([given, expect.stringContaining('must be a whole number')]);
  }, 60_000);

  it('D11, D54: a name or an external id that is taken or that nobody could have is refused in a sentence, and nothing is made', async () => {
    expect((await berth(['org', 'create', 'Taken', '--external-id', 'claim'])).code).toBe(0);
    expect((await berth(['org', 'create', 'Second'])).code).toBe(0);
    for (const [words, reason] of [
      [['create', 'Taken'], 'There is an organization "Taken" already.'],
      [['create', 'Other', '--external-id', 'claim'], 'Another organization has the external id "claim".'],
      [['update', 'Second', '--external-id', 'claim'], 'Another organization has the external id "claim".'],
      [['create', ''], 'must not be empty'],
      [['create', ' \t '], 'must not be empty'],
      [['create', 'Other', '--external-id', ''], 'must be 1 to 255 characters'],
    ] as const) {
      const answer = await berth(['org', ...words]);
      expect([words, answer.code, answer.complaint]).toEqual([words, 1, expect.stringContaining(reason)]);
      expect(answer.complaint).not.toMatch(/^ +at /m);
    }
    expect((await berth(['org', 'list'])).output).not.toContain('Other');
  }, 60_000);

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

  it('D17, D54: a key is bound to a project by its name or id, like every verb over HTTP', async () => {
    const withKey = { BERTH_API_KEY: valueOf(await berth(['org', 'create', 'Binding']), 'key') };
    const id = valueOf(await berth(['project', 'create', 'Customer / A'], withKey), 'id');
    for (const named of [id, 'customer / a']) {
      const bound = await berth(['key', 'create', `for ${named}`, '--project', named], withKey);
      expect([bound.code, bound.complaint]).toEqual([0, 'The key is shown this once; keep it.\n']);
    }
    expect((await berth(['key', 'list'], withKey)).output.match(/ Customer \/ A /g)).toHaveLength(2);
    const nowhere = await berth(['key', 'create', 'k', '--project', 'nobody'], withKey);
    expect([nowhere.code, nowhere.complaint]).toEqual([1, expect.stringContaining('404 project_not_found')]);
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
