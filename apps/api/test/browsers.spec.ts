import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSession, type ErrorBody, type Invocation } from '@berth/schema';
import { countSlots, type Tenant } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { type ApiFixture, type Reply, startApi } from './api-fixture.js';
import { type AppProcess, longLease, startHostProcess } from './processes.js';

let api: ApiFixture;
let host: AppProcess;
beforeAll(async () => {
  api = await startApi(longLease);
  host = await startHostProcess(api.stores, longLease);
});
afterAll(async () => {
  await host.kill('SIGTERM');
  await api.stop();
});

const create = (tenant: Tenant, body?: unknown): Promise<Reply<BrowserSession>> =>
  api.call('POST', '/browsers', { key: tenant.key, ...(body === undefined ? {} : { body }) });

async function expectInvariant(tenant: Tenant, expected: number): Promise<void> {
  const { used, held } = await countSlots(api.database, api.stores.redisUrl, tenant.organizationId);
  expect(used).toEqual(held);
  expect(used.organization).toBe(expected);
}

describe('POST /browsers', () => {
  it('D30, D31, D32: answers 200 with a real browser that CDP can drive, and only fields that apply', async () => {
    const tenant = await api.tenant();
    const { status, body } = await create(tenant, {
      name: 'first',
      tags: { team: 'a' },
      viewport: { width: 800, height: 600 },
      timeout_seconds: 30,
    });
    expect(status).toBe(200);
    expect(BrowserSession.parse(body)).toMatchObject({
      name: 'first',
      headless: true,
      stealth: false,
      tags: { team: 'a' },
      viewport: { width: 800, height: 600 },
      timeout_seconds: 30,
    });
    expect(Object.values(body)).not.toContain(null);
    const browser = await chromium.connectOverCDP(body.cdp_ws_url);
    const page = await browser.newPage();
    await page.setContent('<h1>there</h1>');
    expect(await page.textContent('h1')).toBe('there');
    await browser.close();
    await api.call('DELETE', `/browsers/${body.session_id}`, { key: tenant.key });
    await expectInvariant(tenant, 0);
  });

  it('D28: over the cap 429 with one detail naming the scope, its limit and usage, and Retry-After; DELETE and reads still work at the cap', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    const first = await create(tenant);
    const refused = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      code: 'concurrency_limit_exceeded',
      details: [{ code: 'organization', message: 'limit 1, used 1' }],
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await api.call<unknown[]>('GET', '/browsers', { key: tenant.key })).body).toHaveLength(1);
    expect((await api.call('DELETE', `/browsers/${first.body.session_id}`, { key: tenant.key })).status).toBe(204);
    const second = await create(tenant);
    expect(second.status).toBe(200);
    await api.call('DELETE', `/browsers/${second.body.session_id}`, { key: tenant.key });
  });

  it.each([
    ['stealth', { stealth: true }],
    ['gpu', { gpu: true }],
    ['headless', { headless: false }],
    ['kiosk_mode', { kiosk_mode: true }],
    ['region', { region: 'eu' }],
    ['proxy_id', { proxy_id: 'x' }],
    ['network', { network: { allowed_hosts: ['a.test'] } }],
    ['chrome_policy', { chrome_policy: { A: 1 } }],
    ['telemetry', { telemetry: { browser: { page: { enabled: true } } } }],
    ['extensions', { extensions: [{ id: 'x' }] }],
    ['viewport.refresh_rate', { viewport: { width: 800, height: 600, refresh_rate: 25 } }],
    ['profile', { profile: { name: 'nobody' } }],
    ['invocation_id', { invocation_id: 'nothing' }],
  ])('D30: what this deployment cannot do is refused by name: %s', async (field, body) => {
    const tenant = await api.tenant();
    const refused = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key, body });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${field}: `)) })]);
    await expectInvariant(tenant, 0);
  });

  it('D30: a name is unique among the live of a project; the refused create costs no slot', async () => {
    const tenant = await api.tenant();
    const { body } = await create(tenant, { name: 'only' });
    const again = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key, body: { name: 'only' } });
    expect([again.status, again.body.code, again.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
    await expectInvariant(tenant, 1);
    await api.call('DELETE', `/browsers/only`, { key: tenant.key });
    for (const method of ['GET', 'DELETE']) expect((await api.call(method, '/browsers/only', { key: tenant.key })).status).toBe(404);
    expect((await api.call('DELETE', `/browsers/${'a'.repeat(24)}`, { key: tenant.key })).status).toBe(404);
    expect((await api.call('DELETE', `/browsers/${body.session_id}`, { key: tenant.key })).status).toBe(204);
    await expectInvariant(tenant, 0);
  });
});

describe('GET and PATCH /browsers', () => {
  it('D15, D30: lists by status, query and tags, in pages; an ended session is 404 unless include_deleted', async () => {
    const tenant = await api.tenant();
    const a = (await create(tenant, { name: 'alpha', tags: { env: 'x', team: 'one' } })).body;
    const b = (await create(tenant, { name: 'beta', tags: { env: 'x' } })).body;
    const names = async (query: string): Promise<unknown[]> =>
      (await api.call<BrowserSession[]>('GET', `/browsers${query}`, { key: tenant.key })).body.map(({ name }) => name);
    expect(await names('')).toEqual(['alpha', 'beta']);
    expect(await names('?tags[env]=x&tags[team]=one')).toEqual(['alpha']);
    expect(await names('?query=BET')).toEqual(['beta']);
    expect(await names('?query=%25')).toEqual([]);
    const page = await api.call<BrowserSession[]>('GET', '/browsers?limit=1', { key: tenant.key });
    expect([page.headers.get('x-has-more'), page.headers.get('x-next-offset')]).toEqual(['true', '1']);
    await api.call('DELETE', `/browsers/${a.session_id}`, { key: tenant.key });
    expect(await names('')).toEqual(['beta']);
    expect(await names('?status=deleted')).toEqual(['alpha']);
    expect(await names('?status=all')).toEqual(['alpha', 'beta']);
    expect((await api.call('GET', `/browsers/${a.session_id}`, { key: tenant.key })).status).toBe(404);
    const past = await api.call<BrowserSession>('GET', `/browsers/${a.session_id}?include_deleted=true`, { key: tenant.key });
    expect(past.body.deleted_at).toBeDefined();
    expect((await api.call('PATCH', `/browsers/${a.session_id}`, { key: tenant.key, body: {} })).status).toBe(404);
    await api.call('DELETE', `/browsers/${b.session_id}`, { key: tenant.key });
  });

  it('D30: PATCH changes name and tags, null clears them, an empty one changes nothing; what cannot change is refused by name', async () => {
    const tenant = await api.tenant();
    const { session_id: id } = (await create(tenant, { name: 'old', tags: { a: '1' } })).body;
    const patch = (body: unknown) => api.call<BrowserSession & ErrorBody>('PATCH', `/browsers/${id}`, { key: tenant.key, body });
    expect((await patch({})).body).toMatchObject({ name: 'old', tags: { a: '1' } });
    expect((await patch({ name: 'new' })).body).toMatchObject({ name: 'new', tags: { a: '1' } });
    const cleared = await patch({ name: null, tags: null });
    expect(cleared.body).not.toHaveProperty('name');
    expect(cleared.body).not.toHaveProperty('tags');
    const refused = await patch({ viewport: { width: 640, height: 480 } });
    expect([refused.status, refused.body.details?.[0]?.message]).toEqual([400, expect.stringContaining('viewport')]);
    await api.call('DELETE', `/browsers/${id}`, { key: tenant.key });
  });

  it('D33: 20 parallel DELETEs of one session all answer 204 and release its slot once', async () => {
    const tenant = await api.tenant();
    const { session_id: id } = (await create(tenant)).body;
    const kept = (await create(tenant)).body;
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call('DELETE', `/browsers/${id}`, { key: tenant.key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
    await expectInvariant(tenant, 1);
    await api.call('DELETE', `/browsers/${kept.session_id}`, { key: tenant.key });
    await expectInvariant(tenant, 0);
  });
});

describe('invocations', () => {
  const label = { app_name: 'app', action_name: 'act', version: '1' };

  it('D35: a run owns browsers, listed newest first and whole; ending the run leaves them; DELETE ends them all', async () => {
    const tenant = await api.tenant();
    const run = await api.call<Invocation>('POST', '/invocations', { key: tenant.key, body: { ...label, payload: '{}' } });
    expect([run.status, run.body.status]).toEqual([201, 'running']);
    const path = `/invocations/${run.body.id}`;
    const first = (await create(tenant, { invocation_id: run.body.id })).body;
    const second = (await create(tenant, { invocation_id: run.body.id })).body;
    const outside = (await create(tenant)).body;
    const ended = await api.call<Invocation>('PATCH', path, { key: tenant.key, body: { status: 'succeeded', output: 'done' } });
    expect(ended.body).toMatchObject({ status: 'succeeded', output: 'done', finished_at: expect.any(String) });
    expect((await api.call('PATCH', path, { key: tenant.key, body: { status: 'succeeded' } })).status).toBe(200);
    expect((await api.call('PATCH', path, { key: tenant.key, body: { status: 'failed' } })).status).toBe(409);
    expect((await create(tenant, { invocation_id: run.body.id })).status).toBe(400);
    const listed = await api.call<{ browsers: BrowserSession[] }>('GET', `${path}/browsers`, { key: tenant.key });
    expect(listed.body.browsers.map(({ session_id: id }) => id)).toEqual([second.session_id, first.session_id]);
    expect((await api.call('DELETE', `${path}/browsers`, { key: tenant.key })).status).toBe(204);
    expect((await api.call<{ browsers: unknown[] }>('GET', `${path}/browsers`, { key: tenant.key })).body.browsers).toEqual([]);
    await expectInvariant(tenant, 1);
    await api.call('DELETE', `/browsers/${outside.session_id}`, { key: tenant.key });
  });

  it('D35: an unknown run and one of another organization are the same 404', async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const run = await api.call<Invocation>('POST', '/invocations', { key: other.key, body: label });
    const answers = await Promise.all(
      ['nothing', run.body.id].map((id) => api.call<ErrorBody>('GET', `/invocations/${id}/browsers`, { key: tenant.key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await create(tenant, { invocation_id: run.body.id })).status).toBe(400);
  });

  it('D28: ten racing runs never exceed max_concurrent_invocations', async () => {
    const tenant = await api.tenant();
    const { unscoped } = await import('@berth/database/unscoped');
    await unscoped(api.database).prisma.project.update({ where: { id: tenant.defaultProjectId }, data: { maxConcurrentInvocations: 3 } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call<ErrorBody>('POST', '/invocations', { key: tenant.key, body: label })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { body } of answers.filter(({ status }) => status === 429))
      expect(body.details).toEqual([{ code: 'project', message: 'limit 3, used 3' }]);
    expect((await api.call<unknown[]>('GET', '/invocations?status=running', { key: tenant.key })).body).toHaveLength(3);
  });
});
