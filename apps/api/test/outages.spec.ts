import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startPostgres } from '@berth/local-stack';
import type { AuthConnection, CreatedApiKey, ErrorBody, Readiness } from '@berth/schema';
import { migrate, type Tenant } from '@berth/testkit';
import { EventStreams } from '../src/events/event-streams.js';
import { type ApiFixture, startApi } from './api-fixture.js';
import { readEvents } from './event-reader.js';

describe('without PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-outage-'));
  const start = (port?: number) =>
    startPostgres({ dataDir: folder, durable: false, maxConnections: 30, ...(port === undefined ? {} : { port }) });
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let api: ApiFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    postgres = await start();
    await migrate(postgres.url);
    api = await startApi({ BERTH_DATABASE_URL: postgres.url, BERTH_SSE_HEARTBEAT_SECONDS: '1' });
    tenant = await api.tenant();
  }, 120_000);
  afterAll(async () => {
    await api.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }, 60_000);

  it('D8, D9, D53: requests are 503 with Retry-After and the Error body, ready names what is down, live goes on; all is well when it is back', async () => {
    expect((await api.call('GET', '/org/projects', { key: tenant.key })).status).toBe(200);
    await postgres.stop();
    for (const [method, path, body] of [
      ['GET', '/org/projects'],
      ['GET', '/org/projects/nobody'],
      ['POST', '/org/projects', { name: 'x' }],
      ['GET', '/org/limits'],
    ] as const) {
      const reply = await api.call<ErrorBody>(method, path, { key: tenant.key, ...(body === undefined ? {} : { body }) });
      expect([method, path, reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
        method,
        path,
        503,
        'internal_error',
        '2',
      ]);
      expect(reply.body.message).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i);
    }
    expect((await api.call('GET', '/whoami', { key: 'bk_never-seen-before' })).status).toBe(503);
    const ready = await api.call<Readiness>('GET', '/health/ready');
    expect([ready.status, ready.headers.get('retry-after'), ready.body]).toEqual([
      503,
      '2',
      { status: 'unavailable', checks: { postgres: 'down', redis: 'up' } },
    ]);
    expect((await api.call('GET', '/health/live')).status).toBe(200);

    postgres = await start(Number(new URL(postgres.url).port));
    expect((await api.call('GET', '/health/ready')).status).toBe(200);
    expect((await api.call('GET', '/org/projects', { key: tenant.key })).status).toBe(200);
  }, 90_000);

  it('D50, D47: a stream is 503 with the Error body while the store is unreadable and leaves nothing behind; one that is open stays, and hears of what follows', async () => {
    const { body: connection } = await api.call<AuthConnection>('POST', '/auth/connections', {
      key: tenant.key,
      body: { domain: 'a.test', profile_name: 'p' },
    });
    const follow = () => readEvents(`${api.url}/auth/connections/${connection.id}/events`, { key: tenant.key });
    const before = await follow();
    await before.until(({ frames }) => frames.length >= 1);
    await postgres.stop();
    const refused = await follow();
    await refused.untilEnd();
    expect([refused.status, refused.headers['retry-after'], (JSON.parse(refused.body) as ErrorBody).code]).toEqual([
      503,
      '2',
      'internal_error',
    ]);
    expect(api.app.get(EventStreams).counts).toEqual({ followers: 1, subscriptions: 1, timers: 1 });
    const heard = before.frames.length;
    await before.until(({ frames }) => frames.length >= heard + 2);

    postgres = await start(Number(new URL(postgres.url).port));
    expect((await api.call('POST', `/auth/connections/${connection.id}/login`, { key: tenant.key })).status).toBe(200);
    await before.untilState(({ flow_step }) => flow_step === 'DISCOVERING');
    before.close();
  }, 90_000);
});

describe('without pub/sub', () => {
  it('D10: a process that hears nothing trusts a revoked key for BERTH_KEY_CACHE_SECONDS and no longer', async () => {
    const [realNow, cacheSeconds] = [Date.now.bind(Date), 600];
    let aheadMs = 0;
    // Before the API takes its clock.
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
    const hearing = await startApi();
    const deaf = await startApi({
      BERTH_DATABASE_URL: hearing.stores.databaseUrl,
      BERTH_REDIS_URL: 'redis://127.0.0.1:1',
      BERTH_KEY_CACHE_SECONDS: String(cacheSeconds),
    });
    try {
      const { key } = await hearing.tenant();
      const made = (await hearing.call<CreatedApiKey>('POST', '/org/api_keys', { key, body: { name: 'leaked' } })).body;
      const status = async () => (await deaf.call('GET', '/whoami', { key: made.key })).status;
      const askedAt = realNow();
      expect(await status()).toBe(200);
      const answeredAt = realNow();
      expect((await hearing.call('DELETE', `/org/api_keys/${made.id}`, { key })).status).toBe(204);
      expect((await hearing.call('GET', '/whoami', { key: made.key })).status).toBe(401);
      // As many seconds after the question as the setting says, less and then more by nothing but how long it took.
      aheadMs = cacheSeconds * 1_000 - (realNow() - askedAt) - 5_000;
      expect(await status()).toBe(200);
      aheadMs = cacheSeconds * 1_000 - (realNow() - answeredAt);
      expect(await status()).toBe(401);
    } finally {
      clock.mockRestore();
      await deaf.stop();
      await hearing.stop();
    }
  }, 90_000);
});
