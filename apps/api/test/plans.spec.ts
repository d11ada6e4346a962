import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { surround, type Tenant } from '@berth/testkit';
import type { Pool } from 'pg';
import { type ApiFixture, startApi } from './api-fixture.js';

/** Every read is asked among so many rows of each kind; a million comes with the long run. */
const sizes = [1_000, 100_000, ...(process.env['BERTH_TEST_LONG'] === '1' ? [1_000_000] : [])];
/** What a page shows, and some more than one page. */
const shown = 30;
/**
 * A page and the row after it with what is passed over on the way. A table of a thousand rows is a few blocks, which PostgreSQL may rather
 * read whole: there the blocks alone tell.
 */
const mostRowsTouched = (size: number): number => (size > 1_000 ? 50 : Infinity);
/** 8 kB blocks of a whole statement: a few levels of an index, and a block for each row and each thing that it refers to. */
const mostBlocks = 120;

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}
type Plan = Readonly<Record<string, unknown>>;

let api: ApiFixture;
let tenant: Tenant;
let pool: Pool;
let invocationId: string;
let connectionId: string;
/** Calls go through; what the process asks PostgreSQL is noted. */
let queries: { readonly mock: { readonly calls: unknown[][] }; mockClear(): unknown };
let surroundedBy = 0;

/** What the reads are to find: some of each kind, younger than the crowd. */
async function furnish({ organizationId, defaultProjectId: projectId }: Tenant): Promise<void> {
  const { prisma } = unscoped(api.database);
  const each = <T extends object>(row: (number: number) => T) => ({
    data: Array.from({ length: shown }, (_, number) => ({ id: newId(), organizationId, ...row(number) })),
  });
  const running = {
    projectId,
    kind: 'on_demand',
    status: 'running',
    headless: true,
    timeoutSeconds: 3_600,
    startedAt: new Date(),
    hostPublicUrl: 'http://127.0.0.1:9',
  } as const;
  await prisma.browserSession.createMany(
    each((number) => ({ ...running, name: `s-${number}`, invocationId: number < 5 ? invocationId : null })),
  );
  await prisma.project.createMany(each((number) => ({ name: `own-${number}`, nameFolded: `own-${number}` })));
  await prisma.profile.createMany(each((number) => ({ projectId, name: `own-${number}` })));
  await prisma.credential.createMany(each((number) => ({ projectId, name: `own-${number}`, domain: 'x.test', valueKeys: [] })));
  await prisma.browserPool.createMany(each((number) => ({ projectId, name: `own-${number}`, size: 1, config: {} })));
  await prisma.invocation.createMany(each(() => ({ projectId, appName: 'a', actionName: 'b', version: '1' })));
}

beforeAll(async () => {
  api = await startApi({ BERTH_LEASE_SECONDS: '3600', BERTH_RECONCILE_SECONDS: '3600', BERTH_SWEEP_SECONDS: '300' });
  tenant = await api.tenant();
  pool = unscoped(api.database).pool;
  const make = async (path: string, body: object) => (await api.call<{ id: string }>('POST', path, { key: tenant.key, body })).body.id;
  invocationId = await make('/invocations', { app_name: 'a', action_name: 'b', version: '1' });
  connectionId = await make('/auth/connections', { domain: 'x.test', profile_name: 'p' });
  await furnish(tenant);
  queries = jest.spyOn(unscoped(api.app.get(Database)).pool, 'query');
}, 60_000);
afterAll(() => api.stop());

/** The statements of a request: those with one of the tenant's ids or a key's hash among their values; sweeps ask about everybody. */
async function statementsOf(path: string, key: string): Promise<Asked[]> {
  queries.mockClear();
  const { status } = await api.call('GET', path, { key });
  expect([path, [200, 401].includes(status)]).toEqual([path, true]);
  const own = [tenant.organizationId, tenant.defaultProjectId, connectionId];
  const asked = queries.mock.calls.map(([statement]) => statement as Asked);
  return asked.filter(({ values }) => values?.some((value) => value instanceof Uint8Array || own.includes(String(value))));
}

async function planOf({ text, values }: Asked): Promise<Plan[]> {
  const nodes = (plan: Plan): Plan[] => [plan, ...((plan['Plans'] ?? []) as Plan[]).flatMap(nodes)];
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
  return nodes(rows[0]?.['QUERY PLAN'][0].Plan ?? {});
}

const touched = (node: Plan): number =>
  (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)) * Number(node['Actual Loops']);
const blocks = (node: Plan | undefined): number => Number(node?.['Shared Hit Blocks'] ?? 0) + Number(node?.['Shared Read Blocks'] ?? 0);

async function assertFlat(size: number, asked: readonly Asked[]): Promise<void> {
  for (const statement of asked) {
    const plan = await planOf(statement);
    expect([statement.text, plan.filter((node) => touched(node) > mostRowsTouched(size))]).toEqual([statement.text, []]);
    expect([statement.text, blocks(plan[0]) <= mostBlocks ? 'few' : blocks(plan[0])]).toEqual([statement.text, 'few']);
  }
}

/** Hot reads, with the number of statements that they ask of a known caller, and every list and look-up; `null`: as many as it needs. */
const reads: readonly (readonly [path: string, statements: number | null])[] = [
  ['/org/limits', 1],
  ['/org/projects', 1],
  ['/org/projects?offset=10', 1],
  ['/invocations/{invocation}/browsers', 1],
  ['/org/projects/own-7', 1],
  ['/org/projects?name=OWN-7', 1],
  ['/org/projects/own-7/limits', null],
  ['/org/api_keys', 1],
  ['/org/api_keys?status=all', 1],
  ['/org/api_keys?name=K7', 1],
  ['/browsers', 1],
  ['/browsers?status=all', 1],
  ['/browsers?status=deleted', 1],
  ['/browsers/s-7', 1],
  ['/invocations', 1],
  ['/invocations/{invocation}', 1],
  ['/profiles', 1],
  ['/profiles/own-7', 1],
  ['/credentials', 1],
  ['/credentials/own-7', 1],
  ['/browser_pools', 1],
  ['/browser_pools/own-7', 1],
  ['/auth/connections', null],
  ['/auth/connections/{connection}', null],
  ['/auth/connections/{connection}/timeline', null],
];

describe.each(sizes)('among %i rows of each kind', (size) => {
  beforeAll(async () => {
    await surround(api.database, { tenant, invocationId, connectionId }, surroundedBy + 1, size);
    surroundedBy = size;
    // The first one fills what is kept: in Redis, who is live.
    await api.call('GET', '/org/limits', { key: tenant.key });
  }, 600_000);

  it.each(reads)(
    'D15, D22, D35: GET %s of a known caller asks few statements that touch few rows and few blocks',
    async (path, statements) => {
      const target = path.replace('{invocation}', invocationId).replace('{connection}', connectionId);
      await api.call('GET', target, { key: tenant.key });
      const asked = await statementsOf(target, tenant.key);
      if (statements === null) expect(asked.length).toBeGreaterThan(0);
      else expect(asked.map(({ text }) => text)).toHaveLength(statements);
      await assertFlat(size, asked);
    },
  );

  it('D10: a key that nobody knows yet is found by its hash', async () => {
    const asked = await statementsOf('/whoami', `bk_nobody-knows-it-${size}`);
    expect(asked).toHaveLength(1);
    await assertFlat(size, asked);
  });
});
