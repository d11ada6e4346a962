import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserPool, ErrorBody } from '@berth/schema';
import { type ApiFixture, type Reply, startApi } from './api-fixture.js';
import { startApiProcess, until } from './processes.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

it('D55: SIGTERM: readiness fails while requests are still taken, then all that are under way are answered before the process ends', async () => {
  const tenant = await api.tenant();
  // No host runs, so a create waits for its launch to be over, and a pool stays empty.
  const stopping = await startApiProcess(api.stores, { BERTH_LAUNCH_TIMEOUT_SECONDS: '4', BERTH_STOP_NOTICE_SECONDS: '1' });
  const ask = async <T>(path: string, body?: unknown): Promise<Reply<T>> => {
    const response = await fetch(`${stopping.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
  const { body: pool } = await ask<BrowserPool>('/browser_pools', { size: 1, name: 'empty' });
  const create = ask<ErrorBody>('/browsers', {});
  const acquire = ask<ErrorBody>(`/browser_pools/${pool.id}/acquire`, { acquire_timeout_seconds: 60 });
  const { pool: rows } = unscoped(api.database);
  await until(async () => {
    const { rowCount } = await rows.query(`SELECT 1 FROM browser_sessions WHERE pool_id IS NULL AND status = 'starting'`);
    return rowCount === 1;
  });
  const over = stopping.kill('SIGTERM');
  await until(async () => (await ask('/health/ready')).status === 503);
  // Whoever has not looked yet is served all the same.
  expect((await ask('/org/projects', { name: 'the last one' })).status).toBe(201);
  const [created, acquired] = await Promise.all([create, acquire]);
  expect([created.status, created.body.code]).toEqual([529, 'capacity_exhausted']);
  expect(acquired.status).toBe(204);
  await over;
  expect(stopping.child.exitCode).toBe(0);
  await expect(ask('/health/live')).rejects.toThrow();
}, 60_000);
