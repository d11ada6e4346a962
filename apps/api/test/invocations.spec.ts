import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserSession, ErrorBody, Invocation, InvocationBrowsers } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type AppProcess, longLease, startHostProcess } from './processes.js';

let api: ApiFixture;
let host: AppProcess;
beforeAll(async () => {
  api = await startApi(longLease);
  host = await startHostProcess(api.stores, longLease);
}, 60_000);
afterAll(async () => {
  await host.kill('SIGTERM');
  await api.stop();
}, 60_000);

const run = { app_name: 'shop', action_name: 'check', version: '1.0' };
const record = async ({ key }: Tenant, body: object = run): Promise<Invocation> =>
  (await api.call<Invocation>('POST', '/invocations', { key, body })).body;

describe('invocations', () => {
  it('D35: POST is 201 and running at once; GET answers it; lists are filtered and in order', async () => {
    const tenant = await api.tenant();
    const reply = await api.call<Invocation>('POST', '/invocations', { key: tenant.key, body: { ...run, payload: '{"a":1}' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ ...run, status: 'running', payload: '{"a":1}' });
    expect(reply.body).not.toHaveProperty('finished_at');
    const other = await record(tenant, { ...run, app_name: 'bank_%' });
    expect((await api.call('GET', `/invocations/${other.id}`, { key: tenant.key })).body).toEqual(other);
    const ids = async (query: string) =>
      (await api.call<Invocation[]>('GET', `/invocations${query}`, { key: tenant.key })).body.map(({ id }) => id);
    expect(await ids('')).toEqual([reply.body.id, other.id]);
    expect(await ids('?app_name=shop')).toEqual([reply.body.id]);
    expect(await ids('?query=BANK_%25')).toEqual([other.id]);
    expect(await ids('?status=queued')).toEqual([]);
    expect(await ids('?status=running&limit=1&offset=1')).toEqual([other.id]);
  });

  it('D35: since is a moment or how long ago it was, however early', async () => {
    const tenant = await api.tenant();
    const [old, recent] = [await record(tenant, { ...run, version: 'old' }), await record(tenant)];
    const startedAt = new Date(Date.now() - 600_000);
    await unscoped(api.database).prisma.invocation.update({ where: { id: old.id }, data: { startedAt } });
    const since = async (moment: string) => {
      const { status, body } = await api.call<Invocation[]>('GET', `/invocations?since=${encodeURIComponent(moment)}`, { key: tenant.key });
      return [moment, status, body.map(({ id }) => id)];
    };
    const early = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '1969-12-31T23:59:59Z', '999999d'];
    for (const moment of [...early, '660s', '11m', '1h', '1d', startedAt.toISOString()])
      expect(await since(moment)).toEqual([moment, 200, [old.id, recent.id]]);
    for (const moment of ['540s', '9m', recent.started_at]) expect(await since(moment)).toEqual([moment, 200, [recent.id]]);
    for (const moment of ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-23:59']) expect(await since(moment)).toEqual([moment, 200, []]);
  });

  it('D35: async fields are 400 by name; an unknown id and another project’s are 404', async () => {
    const tenant = await api.tenant();
    const refused = await api.call<ErrorBody>('POST', '/invocations', {
      key: tenant.key,
      body: { ...run, async: true, async_timeout_seconds: 5 },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.details?.map(({ message }) => message)).toEqual([
      'async: is not a known field',
      'async_timeout_seconds: is not a known field',
    ]);
    const { id } = await record(tenant);
    for (const [wanted, key] of [
      ['nothing', tenant.key],
      [id, (await api.tenant()).key],
    ] as const) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['GET', '/browsers'],
        ['DELETE', '/browsers'],
      ] as const) {
        const reply = await api.call<ErrorBody>(method, `/invocations/${wanted}${path}`, {
          key,
          body: method === 'PATCH' ? { status: 'failed' } : undefined,
        });
        expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
      }
    }
  });

  it('D35: the same end again is 200 and changes nothing, the other one is 409', async () => {
    const tenant = await api.tenant();
    const { id } = await record(tenant);
    const end = (body: object) => api.call<Invocation & ErrorBody>('PATCH', `/invocations/${id}`, { key: tenant.key, body });
    const first = await end({ status: 'succeeded', output: 'done' });
    expect([first.status, first.body.status, first.body.output]).toEqual([200, 'succeeded', 'done']);
    expect((await end({ status: 'succeeded', output: 'again' })).body).toEqual(first.body);
    const other = await end({ status: 'failed' });
    expect([other.status, other.body.code, other.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
  });

  it('D28: max_concurrent_invocations is 429 with one detail, exact under racing creates, and freed by an end', async () => {
    const tenant = await api.tenant();
    await unscoped(api.database).prisma.project.update({ where: { id: tenant.defaultProjectId }, data: { maxConcurrentInvocations: 3 } });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => api.call<Invocation & ErrorBody>('POST', '/invocations', { key: tenant.key, body: run })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    for (const { body } of refused) expect(body.details).toEqual([{ code: 'project', message: 'limit 3, used 3' }]);
    const running = replies.find(({ status }) => status === 201)!.body.id;
    await api.call('PATCH', `/invocations/${running}`, { key: tenant.key, body: { status: 'failed' } });
    expect((await api.call('POST', '/invocations', { key: tenant.key, body: run })).status).toBe(201);
  });

  it('Service 5, Endpoints 10, D35: lists the active browsers newest first, all of them; ending the run leaves them; DELETE ends them', async () => {
    const tenant = await api.tenant();
    const { id } = await record(tenant);
    const list = async () =>
      (await api.call<InvocationBrowsers>('GET', `/invocations/${id}/browsers`, { key: tenant.key })).body.browsers.map(
        ({ session_id }) => session_id,
      );
    const start = async () =>
      (await api.call<BrowserSession>('POST', '/browsers', { key: tenant.key, body: { invocation_id: id } })).body.session_id;
    const [first, second, third] = [await start(), await start(), await start()];
    expect(await list()).toEqual([third, second, first]);
    await api.call('DELETE', `/browsers/${second}`, { key: tenant.key });
    expect(await list()).toEqual([third, first]);
    await api.call('PATCH', `/invocations/${id}`, { key: tenant.key, body: { status: 'succeeded' } });
    expect(await list()).toEqual([third, first]);
    const late = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key, body: { invocation_id: id } });
    expect([late.status, late.body.details?.[0]?.message]).toEqual([400, expect.stringMatching(/^invocation_id: /)]);
    expect((await api.call('DELETE', `/invocations/${id}/browsers`, { key: tenant.key })).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await api.call('DELETE', `/invocations/${id}/browsers`, { key: tenant.key })).status).toBe(204);
  }, 60_000);
});
