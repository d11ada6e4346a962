import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { AuthConnection, CreatedApiKey, ErrorBody, OrganizationLimits, Project, Readiness } from '@berth/schema';
import { type HangingPostgres, slotsSettleAt, startDatabaseProxy, startHangingPostgres, type Tenant } from '@berth/testkit';
import pg from 'pg';
import { type RedisProcess, startRedisProcess } from '../../../packages/live-sessions/test/redis-process.js';
import { EventStreams } from '../src/events/event-streams.js';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type EventReader, readEvents } from './event-reader.js';
import { LoginWorld, noHostEnv } from './login-world.js';
import { until } from './processes.js';

const poolSize = 4;

describe('a PostgreSQL that hangs', () => {
  let postgres: HangingPostgres;
  let api: ApiFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    postgres = await startHangingPostgres();
    api = await startApi({
      BERTH_DATABASE_URL: postgres.url,
      BERTH_DATABASE_POOL_SIZE: String(poolSize),
      BERTH_SSE_HEARTBEAT_SECONDS: '1',
      // Slots without a row lapse soon.
      BERTH_LEASE_SECONDS: '2',
      BERTH_LAUNCH_TIMEOUT_SECONDS: '2',
      BERTH_LOG_LEVEL: 'fatal',
    });
    tenant = await api.tenant();
  }, 120_000);
  afterEach(() => postgres.wake());
  afterAll(async () => {
    await api.stop();
    await postgres.stop();
  }, 60_000);

  const connect = async (domain: string): Promise<AuthConnection> =>
    (await api.call<AuthConnection>('POST', '/auth/connections', { key: tenant.key, body: { domain, profile_name: domain } })).body;

  /** The connections of the API's pool as the server sees them. */
  async function connections(): Promise<{ readonly all: number; readonly inTransaction: number }> {
    const { rows } = await unscoped(api.database).pool.query<{ all: number; inTransaction: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS "inTransaction" FROM pg_stat_activity WHERE application_name = 'berth-api'`,
    );
    return rows[0] as { all: number; inTransaction: number };
  }

  it('D8, D9, D53: more requests than connections are 503 with Retry-After and the Error body while it hangs; all is well when it wakes, and no connection is left over', async () => {
    const connection = await connect('a.test');
    const follow = (): Promise<EventReader> => readEvents(`${api.url}/auth/connections/${connection.id}/events`, { key: tenant.key });
    const open = await follow();
    await open.until(({ frames }) => frames.length >= 1);
    const asked = [
      ['GET', '/org/projects'],
      ['GET', '/org/limits'],
      ['GET', `/auth/connections/${connection.id}`],
      ['GET', `/auth/connections/${connection.id}/events`],
      ['GET', '/browsers'],
      ['POST', '/org/projects', { name: 'x' }],
      ['POST', '/browsers', {}],
      ['PATCH', '/org/limits', { default_project_max_concurrent_sessions: 3 }],
      ['POST', '/browser_pools', { size: 1 }],
      ['POST', '/org/api_keys', { name: 'x' }],
      ['POST', `/auth/connections/${connection.id}/login`, {}],
      ['DELETE', `/auth/connections/${connection.id}`],
    ] as const;
    postgres.hang();
    const replies = await Promise.all(
      [...asked, ...asked].map(async ([method, path, body], index) => {
        const headers: Record<string, string> = method === 'POST' && index >= asked.length ? { 'idempotency-key': `k-${index}` } : {};
        return [
          method,
          path,
          await api.call<ErrorBody>(method, path, { key: tenant.key, headers, ...(body === undefined ? {} : { body }) }),
        ] as const;
      }),
    );
    for (const [method, path, reply] of replies)
      expect([method, path, reply.status, reply.headers.get('retry-after'), reply.body.code]).toEqual([
        method,
        path,
        503,
        '2',
        'internal_error',
      ]);
    expect((await api.call('GET', '/whoami', { key: 'bk_never-seen-before' })).status).toBe(503);
    const ready = await api.call<Readiness>('GET', '/health/ready');
    expect([ready.status, ready.headers.get('retry-after'), ready.body]).toEqual([
      503,
      '2',
      { status: 'unavailable', checks: { postgres: 'down', redis: 'up' } },
    ]);
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    const heard = open.frames.length;
    await open.until(({ frames }) => frames.length >= heard + 2);

    postgres.wake();
    await until(async () => (await api.call('GET', '/health/ready')).status === 200);
    expect((await api.call('GET', '/org/projects', { key: tenant.key })).status).toBe(200);
    const begun = await follow();
    expect(begun.status).toBe(200);
    begun.close();
    open.close();
    await until(async () => {
      const { all, inTransaction } = await connections();
      return all <= poolSize && inTransaction === 0;
    });
    await until(() => api.app.get(EventStreams).counts.followers === 0);
    await slotsSettleAt(api.database, api.stores.redisUrl, tenant.organizationId, 0, 60_000);
  }, 120_000);

  it('D8: a write that was asked for and not answered is told to be in doubt, and what became of it can be read', async () => {
    // Known to this process, so the write is the first question.
    expect((await api.call<OrganizationLimits>('GET', '/org/limits', { key: tenant.key })).status).toBe(200);
    postgres.hang();
    const reply = await api.call<ErrorBody>('PATCH', '/org/limits', {
      key: tenant.key,
      body: { default_project_max_concurrent_sessions: 3 },
    });
    expect([reply.status, reply.body.message]).toEqual([503, expect.stringContaining('it may have been')]);
    postgres.wake();
    await until(async () => (await api.call<OrganizationLimits>('GET', '/org/limits', { key: tenant.key })).status === 200);
  }, 60_000);

  it('D18: a transaction whose question is not answered never gives its connection back with the transaction open', async () => {
    const database = new Database({ url: postgres.url, maxConnections: 1, applicationName: 'berth-one' });
    try {
      const scope = { organizationId: tenant.organizationId } as Parameters<Database['organization']>[0];
      await expect(
        database.transaction(async (transaction) => {
          await transaction.lockOrganization(scope);
          await transaction.organization(scope).own.update({ defaultProjectMaxSessions: 77 });
          postgres.hang();
          await transaction.organization(scope).own.read();
        }),
      ).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      postgres.wake();
      // The pool's only place is free for a new connection, which is in no transaction; the old one's was rolled back.
      const { rows } = await unscoped(database).pool.query<{ begun: boolean }>('SELECT now() <> statement_timestamp() AS begun');
      expect(rows).toEqual([{ begun: false }]);
      expect((await database.organization(scope).own.read()).defaultProjectMaxSessions).not.toBe(77);
    } finally {
      await database.close();
    }
  }, 60_000);

  it('D8: a connection that was idle for long is given up as well', async () => {
    const silentForMs = 200;
    const database = new Database({ url: postgres.url, maxConnections: 1, silentForMs });
    try {
      await database.ping();
      await pause(3 * silentForMs);
      postgres.hang();
      await expect(database.ping()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      postgres.wake();
      await database.ping();
    } finally {
      await database.close();
    }
  }, 90_000);

  it('D18: a lock held by a process whose network is gone without a word is let go', async () => {
    const proxy = await startDatabaseProxy(postgres.url);
    const cutOff = new Database({ url: proxy.url, maxConnections: 1 });
    const scope = { organizationId: tenant.organizationId } as Parameters<Database['organization']>[0];
    try {
      await expect(
        cutOff.transaction(async (transaction) => {
          await transaction.lockOrganization(scope);
          proxy.freeze();
          await transaction.organization(scope).own.read();
        }),
      ).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      await until(
        () =>
          api.database
            .transaction((transaction) => transaction.lockOrganization(scope))
            .then(
              () => true,
              () => false,
            ),
        40_000,
      );
    } finally {
      await cutOff.close();
      await proxy.close();
    }
  }, 90_000);
});

describe('a PostgreSQL in which others hold locks', () => {
  /** Shorter than the silence that breaks a connection; three of them are longer than a transaction may take. */
  const heldMs = 4_000;

  it('D8, D9: a transaction that waited for one lock after the other until its time was over is 503, undone, and works when it is asked for again', async () => {
    const api = await startApi({ BERTH_LOG_LEVEL: 'fatal' });
    const tenant = await api.tenant();
    const { body: project } = await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'held' } });
    const { pool } = unscoped(api.database);
    const locks = [
      ['organizations', `SELECT 1 FROM organizations WHERE id = '${tenant.organizationId}' FOR UPDATE`],
      ['projects', `SELECT 1 FROM projects WHERE id = '${project.id}' FOR UPDATE`],
      ['invocations', 'LOCK TABLE invocations'],
    ] as const;
    const lockers = await Promise.all(
      locks.map(async ([table, lock]) => {
        const client = new pg.Client(api.stores.databaseUrl);
        await client.connect();
        await client.query(`BEGIN; ${lock}`);
        return { table, letGo: () => client.end() };
      }),
    );
    const waits = async (table: string): Promise<boolean> =>
      (await pool.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`, [`%${table}%`])).rowCount !== 0;
    const answer = api.call<ErrorBody>('DELETE', `/org/projects/${project.id}`, { key: tenant.key });
    for (const { table, letGo } of lockers) {
      await until(() => waits(table));
      await pause(heldMs);
      await letGo();
    }
    const { status, headers, body } = await answer;
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 'internal_error']);
    expect((await api.call('GET', `/org/projects/${project.id}`, { key: tenant.key })).status).toBe(200);
    expect((await api.call('DELETE', `/org/projects/${project.id}`, { key: tenant.key })).status).toBe(204);
    await api.stop();
  }, 60_000);
});

describe('a Redis that hangs', () => {
  let redis: RedisProcess;
  let api: ApiFixture;
  let world: LoginWorld;
  beforeAll(async () => {
    redis = await startRedisProcess();
    // No heartbeat comes to the help of a stream that hears nothing.
    api = await startApi({ ...noHostEnv, BERTH_REDIS_URL: redis.url, BERTH_SSE_HEARTBEAT_SECONDS: '300' });
    world = new LoginWorld({ ...api, stores: { redisUrl: redis.url } }, await api.tenant(), false);
  }, 60_000);
  afterEach(() => redis.signal('SIGCONT'));
  afterAll(async () => {
    world.close();
    await api.stop();
    await redis.stop();
  }, 60_000);

  const follow = (id: string): Promise<EventReader> => readEvents(`${api.url}/auth/connections/${id}/events`, { key: world.tenant.key });

  it('D50: an open stream, and one opened meanwhile, get each new state all the same, and go on when it wakes', async () => {
    const id = await world.running();
    const open = await follow(id);
    await open.untilState(({ flow_step }) => flow_step === 'DISCOVERING');
    redis.signal('SIGSTOP');
    const meanwhile = await follow(id);
    await world.ask(id);
    for (const reader of [open, meanwhile]) await reader.untilState(({ flow_step }) => flow_step === 'AWAITING_INPUT');
    redis.signal('SIGCONT');
    await until(async () => Number(((await redis.admin.pubsub('NUMSUB', `berth:connection:${id}`)) as [string, number])[1]) === 1);
    await until(async () => (await api.call<Readiness>('GET', '/health/ready')).body.status === 'ok');
    expect((await api.call('POST', `/auth/connections/${id}/cancel`, { key: world.tenant.key })).status).toBe(202);
    for (const reader of [open, meanwhile]) await reader.untilEnd();
    expect(open.states.at(-1)?.flow_status).toBe('CANCELED');
  }, 60_000);

  it('D41, D10: a flow is canceled and a key deleted with PostgreSQL alone, and its followers hear of it', async () => {
    const id = await world.running();
    const open = await follow(id);
    const { body: made } = await api.call<CreatedApiKey>('POST', '/org/api_keys', { key: world.tenant.key, body: { name: 'leaked' } });
    expect((await api.call('GET', '/whoami', { key: made.key })).status).toBe(200);
    redis.signal('SIGSTOP');
    expect((await api.call('POST', `/auth/connections/${id}/cancel`, { key: world.tenant.key })).status).toBe(202);
    expect((await api.call('DELETE', `/org/api_keys/${made.id}`, { key: world.tenant.key })).status).toBe(204);
    expect((await api.call('GET', '/whoami', { key: made.key })).status).toBe(401);
    await open.untilEnd();
    expect(open.states.at(-1)?.flow_status).toBe('CANCELED');
  }, 60_000);
});
