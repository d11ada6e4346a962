import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LiveSessions } from '@berth/live-sessions';
import { BrowserSession, type BrowserSession as Session, type ErrorBody } from '@berth/schema';
import { usageViolations } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { type ApiFixture, startApi } from './api-fixture.js';
import { HostProcess } from './host-fixture.js';

let api: ApiFixture;
let host: HostProcess;
beforeAll(async () => {
  api = await startApi({ BERTH_LEASE_SECONDS: '2', BERTH_LAUNCH_TIMEOUT_SECONDS: '10' });
  host = await HostProcess.start(api.stores);
}, 60_000);
afterAll(async () => {
  await host.stop();
  await api.stop();
}, 60_000);

const violations = () => usageViolations(api.database, (organization, project) => api.app.get(LiveSessions).usage(organization, project));

describe('POST /browsers', () => {
  it('D30, D31: 200 with a running browser that Playwright drives, seen by GET, counted, and gone after DELETE', async () => {
    const tenant = await api.tenant();
    const created = await api.call<Session>('POST', '/browsers', { key: tenant.key, body: { name: 'one', tags: { team: 'a' }, viewport: { width: 800, height: 600 } } });
    expect(created.status).toBe(200);
    expect(BrowserSession.parse(created.body)).toMatchObject({ name: 'one', headless: true, stealth: false, timeout_seconds: 60, tags: { team: 'a' }, viewport: { width: 800, height: 600 } });

    const browser = await chromium.connectOverCDP(created.body.cdp_ws_url);
    const page = await browser.contexts()[0]!.newPage();
    await page.goto('data:text/html,<title>here</title>');
    expect(await page.title()).toBe('here');
    await browser.close();

    const id = created.body.session_id;
    expect((await api.call<Session>('GET', '/browsers/one', { key: tenant.key })).body.session_id).toBe(id);
    expect((await api.call<Session[]>('GET', '/browsers?tags[team]=a', { key: tenant.key })).body.map((session) => session.session_id)).toEqual([id]);
    expect((await api.call<Session[]>('GET', '/browsers?tags[team]=b', { key: tenant.key })).body).toEqual([]);
    expect(await violations()).toEqual([]);

    expect((await api.call('DELETE', `/browsers/${id}`, { key: tenant.key })).status).toBe(204);
    expect(await violations()).toEqual([]);
    expect((await api.call('GET', `/browsers/${id}`, { key: tenant.key })).status).toBe(404);
    const gone = await api.call<Session>('GET', `/browsers/${id}?include_deleted=true`, { key: tenant.key });
    expect(gone.body.deleted_at).toBeDefined();
    expect((await api.call('DELETE', `/browsers/${id}`, { key: tenant.key })).status).toBe(204);
    expect((await api.call('DELETE', '/browsers/one', { key: tenant.key })).status).toBe(404);
  }, 60_000);

  it('D28: over the cap is 429 with exactly one detail naming the scope, and Retry-After', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    const first = await api.call<Session>('POST', '/browsers', { key: tenant.key });
    expect(first.status).toBe(200);
    const refused = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key });
    expect([refused.status, refused.body.code]).toEqual([429, 'concurrency_limit_exceeded']);
    expect(refused.body.details).toEqual([{ code: 'organization', message: 'limit 1, used 1' }]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await api.call('DELETE', `/browsers/${first.body.session_id}`, { key: tenant.key })).status).toBe(204);
    const again = await api.call<Session>('POST', '/browsers', { key: tenant.key });
    expect(again.status).toBe(200);
    await api.call('DELETE', `/browsers/${again.body.session_id}`, { key: tenant.key });
  }, 60_000);
});
