import { unscoped } from '@berth/database/unscoped';
import type { Database } from '@berth/database';
import type { Tenant } from './tenants.js';
import pg from 'pg';

/** What a crowd is around: the run and the connection of the tenant that are read. */
export interface Surrounded {
  readonly tenant: Tenant;
  readonly invocationId: string;
  readonly connectionId: string;
}

type Filler = readonly [text: string, values: (around: Surrounded) => readonly unknown[]];

const padded = (letter: string): string => `'${letter}' || lpad(n::text, 23, '0')`;
/** Rows follow each other by a millisecond and are older than whatever a test makes. */
const made = `now() - interval '1 day' + n * interval '1 millisecond'`;
const halfDeleted = `CASE WHEN n % 2 = 0 THEN now() END`;
const owned = ({ tenant: { organizationId, defaultProjectId } }: Surrounded): readonly unknown[] => [organizationId, defaultProjectId];
const series = 'generate_series(%from, %to) n';

/** Rows of the very tenant that reads, in the very places where a scan would wade through them. */
const fillers: readonly Filler[] = [
  [
    `INSERT INTO browser_sessions (id, organization_id, project_id, kind, status, headless, timeout_seconds, created_at, started_at, ending_at, deleted_at, invocation_id)
      SELECT ${padded('s')}, $1, $2, 'on_demand', 'ended', true, 60, ${made}, now(), now(), now(), $3 FROM ${series}`,
    (around) => [...owned(around), around.invocationId],
  ],
  [
    `INSERT INTO projects (id, organization_id, name, name_folded, status, created_at, deleted_at) SELECT ${padded('p')}, $1, 'p' || n, 'p' || n, 'active', ${made}, ${halfDeleted} FROM ${series}`,
    ({ tenant }) => [tenant.organizationId],
  ],
  [
    `INSERT INTO api_keys (id, organization_id, name, name_folded, masked_key, created_by_id, created_by_email, created_at, deleted_at)
      SELECT ${padded('k')}, $1, 'k' || n, 'k' || n, 'bk_', 'cli', 'cli@crowd', ${made}, ${halfDeleted} FROM ${series}`,
    ({ tenant }) => [tenant.organizationId],
  ],
  [`INSERT INTO api_key_secrets (hash, api_key_id) SELECT sha256(n::text::bytea), ${padded('k')} FROM ${series}`, () => []],
  [
    `INSERT INTO invocations (id, organization_id, project_id, app_name, action_name, version, started_at, status, finished_at)
      SELECT ${padded('i')}, $1, $2, 'a', 'b', '1', ${made}, 'succeeded', now() FROM ${series}`,
    owned,
  ],
  [
    `INSERT INTO profiles (id, organization_id, project_id, name, created_at, deleted_at) SELECT ${padded('f')}, $1, $2, 'f' || n, ${made}, now() FROM ${series}`,
    owned,
  ],
  [
    `INSERT INTO credentials (id, organization_id, project_id, name, domain, created_at, deleted_at) SELECT ${padded('c')}, $1, $2, 'c' || n, 'x.test', ${made}, now() FROM ${series}`,
    owned,
  ],
  [
    `INSERT INTO browser_pools (id, organization_id, project_id, name, size, config, created_at, deleted_at) SELECT ${padded('b')}, $1, $2, 'b' || n, 1, '{}', ${made}, now() FROM ${series}`,
    owned,
  ],
  [
    `INSERT INTO auth_connections (id, organization_id, project_id, domain, profile_id, created_at, deleted_at) SELECT ${padded('a')}, $1, $2, 'x.test', ${padded('f')}, ${made}, now() FROM ${series}`,
    owned,
  ],
  [
    `INSERT INTO health_checks (id, connection_id, status, created_at) SELECT ${padded('h')}, $1, 'AUTHENTICATED', ${made} FROM ${series}`,
    ({ connectionId }) => [connectionId],
  ],
];

/**
 * Puts rows number `from` to `to` of every kind around what a test or a benchmark reads: ended browsers of one run, projects and keys of
 * which every second is deleted, profiles, credentials, pools and connections that are all deleted, ended runs, health checks of one
 * connection. Triggers and references are not asked, which a million rows would wait for. Needs a superuser, as test servers have one.
 */
export async function surround(database: Database, around: Surrounded, from: number, to: number): Promise<void> {
  // A connection of its own: tidying up may keep silent for longer than an application believes that PostgreSQL lives.
  const client = new pg.Client({ connectionString: unscoped(database).pool.options.connectionString });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const [text, values] of fillers)
      await client.query(text.replace('%from', String(from)).replace('%to', String(to)), [...values(around)]);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}
