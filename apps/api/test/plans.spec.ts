import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { Tenant } from '@berth/testkit';
import type { Pool } from 'pg';
import { type ApiFixture, startApi } from './api-fixture.js';

const rowsInTheWay = 100_000;
/** A page and the row after it, or an invocation's browsers; what a read may touch of a table that has no end. */
const mostRowsTouched = 50;

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}
type Plan = Readonly<Record<string, unknown>>;

let api: ApiFixture;
let tenant: Tenant;
let pool: Pool;
let invocationId: string;
/** Calls go through; what the process asks PostgreSQL is noted. */
let queries: { readonly mock: { readonly calls: unknown[][] }; mockClear(): unknown };

beforeAll(async () => {
  api = await startApi({ BERTH_LEASE_SECONDS: '3600', BERTH_RECONCILE_SECONDS: '3600', BERTH_SWEEP_SECONDS: '300' });
  tenant = await api.tenant();
  pool = unscoped(api.database).pool;
  invocationId = (await api.call<{ id: string }>('POST', '/invocations', { key: tenant.key, body: { app_name: 'a', action_name: 'b', version: '1' } })).body.id;
  const { organizationId, defaultProjectId, keyId } = tenant;
  const series = `generate_series(1, ${rowsInTheWay}) n`;
  // Of the very tenant that reads, and ended browsers of the very invocation: what a scan would wade through.
  const fill: readonly (readonly [string, readonly unknown[]])[] = [
    [`INSERT INTO browser_sessions (id, organization_id, project_id, kind, status, headless, timeout_seconds, started_at, ending_at, deleted_at, invocation_id)
      SELECT 's' || n, $1, $2, 'on_demand', 'ended', true, 60, now(), now(), now(), $3 FROM ${series}`, [organizationId, defaultProjectId, invocationId]],
    [`INSERT INTO projects (id, organization_id, name, name_folded, status) SELECT 'p' || lpad(n::text, 23, '0'), $1, 'p' || n, 'p' || n, 'active' FROM ${series}`, [organizationId]],
    [`INSERT INTO invocations (id, organization_id, project_id, app_name, action_name, version) SELECT 'i' || n, $1, $2, 'a', 'b', '1' FROM ${series}`, [organizationId, defaultProjectId]],
    [`INSERT INTO api_key_secrets (hash, api_key_id) SELECT sha256(n::text::bytea), $1 FROM ${series}`, [keyId]],
  ];
  for (const [text, values] of fill) await pool.query(text, [...values]);
  await pool.query('ANALYZE');
  queries = jest.spyOn(unscoped(api.app.get(Database)).pool, 'query');
}, 120_000);
afterAll(() => api.stop());

/** The statements of a request that begin with one of the tenant's ids or with a key's hash; sweeps ask about everybody. */
async function statementsOf(path: string, key: string): Promise<Asked[]> {
  queries.mockClear();
  await api.call('GET', path, { key });
  const asked = queries.mock.calls.map(([statement]) => statement as Asked);
  return asked.filter(({ values }) => values?.[0] instanceof Uint8Array || [tenant.organizationId, tenant.defaultProjectId].includes(String(values?.[0])));
}

async function planOf({ text, values }: Asked): Promise<Plan[]> {
  const nodes = (plan: Plan): Plan[] => [plan, ...((plan['Plans'] ?? []) as Plan[]).flatMap(nodes)];
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
  return nodes(rows[0]?.['QUERY PLAN'][0].Plan ?? {});
}

const touched = (node: Plan): number => (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)) * Number(node['Actual Loops']);

async function assertFlat(asked: readonly Asked[]): Promise<void> {
  for (const statement of asked) {
    expect(statement.text).not.toMatch(/count\(/i);
    const tooMany = (await planOf(statement)).filter((node) => touched(node) > mostRowsTouched);
    expect([statement.text, tooMany]).toEqual([statement.text, []]);
  }
}

describe('hot reads among a hundred thousand rows of each kind', () => {
  it.each([
    ['/org/limits', 1],
    ['/org/projects', 1],
    ['/org/projects?offset=20', 1],
    ['/invocations/{id}/browsers', 2],
  ])('D15, D22, D35: GET %s of a known caller asks %i statements that touch few rows, and counts nothing', async (path, statements) => {
    const target = path.replace('{id}', invocationId);
    // The first one fills what is kept: who asks, and in Redis who is live.
    await api.call('GET', target, { key: tenant.key });
    const asked = await statementsOf(target, tenant.key);
    expect(asked).toHaveLength(statements);
    await assertFlat(asked);
  });

  it('D10: a key that nobody knows yet is found by its hash', async () => {
    const asked = await statementsOf('/whoami', 'bk_nobody-knows-it');
    expect(asked).toHaveLength(1);
    await assertFlat(asked);
  });
});
