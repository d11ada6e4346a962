import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserPool } from '@berth/schema';
import { type ApiFixture, startApi } from './api-fixture.js';

const connections = 2;

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ BERTH_DATABASE_POOL_SIZE: String(connections) });
});
afterAll(() => api.stop());

it('issue 4: more pools are changed at once than the process has connections: nobody who holds one waits for another', async () => {
  const tenant = await api.tenant();
  const made = await Promise.all(
    Array.from({ length: 3 * connections }, () => api.call<BrowserPool>('POST', '/browser_pools', { key: tenant.key, body: { size: 2 } })),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  const all = (method: string, path: string, body?: object) =>
    Promise.all(
      made.map(({ body: { id } }) =>
        api.call<BrowserPool>(method, `/browser_pools/${id}${path}`, { key: tenant.key, ...(body === undefined ? {} : { body }) }),
      ),
    );
  // Each has a browser too many now, and waits for its end.
  const shrunk = await all('PATCH', '', { size: 1 });
  expect(shrunk.map(({ status, body }) => [status, body.browser_pool_config?.size])).toEqual(made.map(() => [200, 1]));
  const deleted = await all('DELETE', '', { force: true });
  expect(deleted.map(({ status }) => status)).toEqual(made.map(() => 204));
});
