import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSession, ErrorBody } from '@berth/schema';
import { type Account, startWebsite, type Tenant, type Website } from '@berth/testkit';
import Kernel from '@onkernel/sdk';
import { chromium } from 'playwright-core';
import { type ApiFixture, startApi } from './api-fixture.js';
import { methodsOf, noteUses } from './client-methods.js';
import { type AppProcess, startHostProcess, startWorkerProcess } from './processes.js';

let api: ApiFixture;
let host: AppProcess;
let worker: AppProcess;
let site: Website;
let tenant: Tenant;
let client: Kernel;
let requests = 0;
/** Methods of the client that the tests of this file have called. */
const used = new Set<string>();

/** The client as anybody would make it; its requests are counted and its methods noted. */
function clientOf(apiKey: string, options: { readonly projectID?: string; readonly maxRetries?: number } = {}): Kernel {
  const made = new Kernel({
    apiKey,
    baseURL: api.url,
    maxRetries: 2,
    ...options,
    fetch: (url, init) => {
      requests += 1;
      return fetch(url, init);
    },
  });
  noteUses(made, used);
  return made;
}

async function namesOf(pages: AsyncIterable<{ readonly name?: string | null }>): Promise<(string | null | undefined)[]> {
  const names: (string | null | undefined)[] = [];
  for await (const { name } of pages) names.push(name);
  return names;
}

beforeAll(async () => {
  [api, site] = await Promise.all([
    startApi({ BERTH_PROJECT_HEADER_ALIASES: 'X-Kernel-Project-Id', BERTH_LEASE_SECONDS: '20', BERTH_LAUNCH_TIMEOUT_SECONDS: '30' }),
    startWebsite(),
  ]);
  [host, worker] = await Promise.all([
    startHostProcess(api.stores, { BERTH_LEASE_SECONDS: '20' }),
    startWorkerProcess(api.stores, { BERTH_LEASE_SECONDS: '20' }),
  ]);
  tenant = await api.tenant();
  client = clientOf(tenant.key);
}, 90_000);
afterAll(async () => {
  await Promise.all([host.kill('SIGTERM'), worker.kill('SIGTERM')]);
  await Promise.all([api.stop(), site.stop()]);
}, 60_000);

describe('the published client', () => {
  it('D2, D15: creates projects and pages through 45 of them by itself', async () => {
    const many = clientOf((await api.tenant()).key);
    for (let number = 1; number < 45; number += 1) await many.projects.create({ name: `p${number}` });
    requests = 0;
    expect(await namesOf(many.projects.list())).toEqual(['Default', ...Array.from({ length: 44 }, (_, index) => `p${index + 1}`)]);
    expect(requests).toBe(3);
    expect(await namesOf(many.projects.list({ query: 'P4', limit: 3 }))).toEqual(['p4', 'p40', 'p41', 'p42', 'p43', 'p44']);
  });

  it('D17, D18, D22, D24: reads, renames, archives and deletes projects, and reads and sets the limits of both scopes', async () => {
    const project = await client.projects.create({ name: 'p1' });
    expect(await client.projects.retrieve('P1')).toEqual(project);
    expect((await client.projects.update(project.id, { name: 'renamed', status: 'archived' })).status).toBe('archived');
    expect(await client.projects.limits.retrieve('renamed')).toEqual({
      max_concurrent_sessions: null,
      max_concurrent_invocations: null,
      concurrent_sessions_used: 0,
      concurrent_sessions_available: 100,
    });
    expect((await client.projects.limits.update(project.id, { max_concurrent_sessions: 3 })).max_concurrent_sessions).toBe(3);
    expect(
      (await client.organization.limits.update({ default_project_max_concurrent_sessions: 50 })).default_project_max_concurrent_sessions,
    ).toBe(50);
    expect(await client.organization.limits.retrieve()).toMatchObject({
      max_concurrent_sessions: 100,
      concurrent_sessions_used: 0,
      default_project_max_concurrent_sessions: 50,
    });
    await client.organization.limits.update({ default_project_max_concurrent_sessions: 0 });
    await client.projects.delete(project.id);
    await expect(client.projects.retrieve(project.id)).rejects.toMatchObject({ status: 404, error: { code: 'project_not_found' } });
  });

  it('D8, D9: maps errors to its classes, and does not try a 409 again', async () => {
    const bound = clientOf((await client.apiKeys.create({ name: 'bound', project_id: tenant.defaultProjectId })).key);
    await expect(client.projects.retrieve('nobody')).rejects.toBeInstanceOf(Kernel.NotFoundError);
    await expect(clientOf('bk_wrong').projects.retrieve('x')).rejects.toBeInstanceOf(Kernel.AuthenticationError);
    await expect(bound.projects.create({ name: 'x' })).rejects.toBeInstanceOf(Kernel.PermissionDeniedError);
    await expect(client.projects.create({ name: '' })).rejects.toBeInstanceOf(Kernel.BadRequestError);
    requests = 0;
    await expect(client.projects.create({ name: 'Default' })).rejects.toBeInstanceOf(Kernel.ConflictError);
    expect(requests).toBe(1);
  });

  it('D9, D28: a 429 is tried again as often as the client is told to, and says when', async () => {
    const full = await api.tenant({ maxConcurrentSessions: 1 });
    const narrow = clientOf(full.key, { maxRetries: 1 });
    await narrow.browserPools.create({ size: 1 });
    requests = 0;
    const refused: unknown = await narrow.browsers.create().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Kernel.RateLimitError);
    expect(refused).toMatchObject({
      error: { code: 'concurrency_limit_exceeded', details: [{ code: 'organization', message: 'limit 1, used 1' }] },
    });
    expect([requests, (refused as InstanceType<typeof Kernel.RateLimitError>).headers.get('retry-after')]).toEqual([2, '5']);
  });

  it('D10: makes, lists, reads, renames, rotates and deletes API keys', async () => {
    const made = await client.apiKeys.create({ name: 'ci', project_id: tenant.defaultProjectId, days_to_expire: 30 });
    expect((await client.apiKeys.retrieve(made.id)).masked_key).toBe(made.masked_key);
    expect((await client.apiKeys.update(made.id, { name: 'renamed' })).name).toBe('renamed');
    const rotated = await client.apiKeys.rotate(made.id, { expire_in_days: 0 });
    expect(rotated.key).not.toBe(made.key);
    await client.apiKeys.delete(made.id);
    expect(await namesOf(client.apiKeys.list({ query: 'RENAMED' }))).toEqual([]);
    expect(await namesOf(client.apiKeys.list({ query: 'renamed', status: 'deleted' }))).toEqual(['renamed']);
  });

  it('D2, D4: its project header scopes a client or a request through the alias', async () => {
    const project = await client.projects.create({ name: 'scoped' });
    const scoped = clientOf(tenant.key, { projectID: project.id });
    const made = await scoped.profiles.create({ name: 'there' });
    await expect(client.profiles.retrieve(made.id)).rejects.toBeInstanceOf(Kernel.NotFoundError);
    expect(await client.profiles.retrieve('there', { headers: { 'X-Kernel-Project-Id': project.id } })).toEqual(made);
    await expect(clientOf(tenant.key, { projectID: 'scoped' }).profiles.list()).rejects.toMatchObject({
      status: 404,
      error: { code: 'project_not_found' },
    });
  });

  it('D30, D37, D45: profiles and credentials are made, listed, read, renamed and deleted; values never come back, codes do', async () => {
    const profile = await client.profiles.create({ name: 'mine' });
    expect((await client.profiles.update('mine', { name: 'ours' })).id).toBe(profile.id);
    expect(await namesOf(client.profiles.list({ query: 'our' }))).toEqual(['ours']);
    await client.profiles.delete('ours');
    const credential = await client.credentials.create({
      name: 'shop',
      domain: 'shop.test',
      values: { username: 'u', password: 'hunter2' },
      totp_secret: 'JBSWY3DPEHPK3PXP',
    });
    expect(await client.credentials.retrieve('shop')).toEqual(credential);
    expect(JSON.stringify(await client.credentials.update('shop', { values: { pin: '1234' } }))).not.toMatch(/hunter2|1234/);
    expect((await client.credentials.totpCode('shop')).code).toMatch(/^[0-9]{6}$/);
    expect(await namesOf(client.credentials.list({ domain: 'SHOP.test' }))).toEqual(['shop']);
    await client.credentials.delete(credential.id);
  });
});

describe('the published client and real browsers', () => {
  it('D30, D31, D33: starts, drives, lists, reads, renames and ends a browser', async () => {
    const browser = await client.browsers.create({
      name: 'first',
      tags: { team: 'a' },
      timeout_seconds: 60,
      viewport: { width: 1024, height: 768 },
      start_url: site.url,
    });
    expect(BrowserSession.parse(browser)).toMatchObject({ headless: true, stealth: false, tags: { team: 'a' } });
    const driver = await chromium.connectOverCDP(browser.cdp_ws_url);
    const page = await driver.newPage();
    await page.goto(site.url);
    expect(await page.title()).not.toBe('');
    await driver.close();
    expect((await client.browsers.retrieve('first')).session_id).toBe(browser.session_id);
    expect((await client.browsers.update('first', { name: 'second', tags: null })).tags).toBeUndefined();
    expect(await namesOf(client.browsers.list({ query: 'SECOND' }))).toEqual(['second']);
    expect(await namesOf(client.browsers.list({ tags: { team: 'a' } }))).toEqual([]);
    await client.browsers.deleteByID(browser.session_id);
    await client.browsers.deleteByID(browser.session_id);
    await expect(client.browsers.retrieve(browser.session_id)).rejects.toBeInstanceOf(Kernel.NotFoundError);
    expect((await client.browsers.retrieve(browser.session_id, { include_deleted: true })).deleted_at).toBeDefined();
    expect(await namesOf(client.browsers.list({ status: 'deleted' }))).toEqual(['second']);
  });

  it('D30: what cannot be had is its BadRequestError, a taken name one ConflictError, an unknown browser its NotFoundError', async () => {
    const { session_id: id } = await client.browsers.create({ name: 'taken' });
    await expect(client.browsers.create({ stealth: true })).rejects.toBeInstanceOf(Kernel.BadRequestError);
    requests = 0;
    await expect(client.browsers.create({ name: 'taken' })).rejects.toBeInstanceOf(Kernel.ConflictError);
    expect(requests).toBe(1);
    await expect(client.browsers.retrieve('nobody')).rejects.toBeInstanceOf(Kernel.NotFoundError);
    await client.browsers.deleteByID(id);
  });

  it('D35: records, lists, reads and ends invocations, lists their browsers newest first and ends those', async () => {
    const { id } = await client.invocations.create({ app_name: 'app', action_name: 'act', version: '1' });
    expect((await client.invocations.retrieve(id)).status).toBe('running');
    const first = await client.browsers.create({ invocation_id: id });
    const second = await client.browsers.create({ invocation_id: id });
    const listed = (await client.invocations.listBrowsers(id)).browsers;
    expect(listed.map(({ session_id }) => session_id)).toEqual([second.session_id, first.session_id]);
    expect(listed.map((browser) => BrowserSession.safeParse(browser).success)).toEqual([true, true]);
    expect((await client.invocations.update(id, { status: 'succeeded', output: '{}' })).status).toBe('succeeded');
    await expect(client.invocations.update(id, { status: 'failed' })).rejects.toBeInstanceOf(Kernel.ConflictError);
    await client.invocations.deleteBrowsers(id);
    expect((await client.invocations.listBrowsers(id)).browsers).toEqual([]);
    const ids: string[] = [];
    for await (const invocation of client.invocations.list({ app_name: 'app' })) ids.push(invocation.id);
    expect(ids).toEqual([id]);
  });

  it('D34: makes, lists, reads, changes, leases from, flushes and deletes pools', async () => {
    const pool = await client.browserPools.create({ name: 'warm', size: 1 });
    expect((await client.browserPools.retrieve('warm')).id).toBe(pool.id);
    const leased = await client.browserPools.acquire('warm', { acquire_timeout_seconds: 50, name: 'leased' });
    expect(BrowserSession.parse(leased).pool).toEqual({ id: pool.id, name: 'warm' });
    // The only one is leased, so the next wait ends without one (204).
    expect(await client.browserPools.acquire(pool.id, { acquire_timeout_seconds: 0 })).toBeFalsy();
    const driver = await chromium.connectOverCDP(leased.cdp_ws_url);
    await driver.close();
    await client.browserPools.release('warm', { session_id: leased.session_id });
    expect((await client.browserPools.update('warm', { size: 2 })).browser_pool_config.size).toBe(2);
    await client.browserPools.flush('warm');
    expect(await namesOf(client.browserPools.list())).toEqual(['warm']);
    await client.browserPools.acquire('warm', { acquire_timeout_seconds: 50 });
    await expect(client.browserPools.delete('warm')).rejects.toMatchObject({ status: 400, error: { code: 'resource_in_use' } });
    await client.browserPools.delete('warm', { force: true });
    await expect(client.browserPools.retrieve('warm')).rejects.toBeInstanceOf(Kernel.NotFoundError);
    expect(await client.organization.limits.retrieve()).toMatchObject({ concurrent_sessions_used: 0 });
  }, 120_000);

  it('D37, D38, D41, D44, D48: logs in to a website: follows the events, answers what is asked and sees the end; a second login is one ConflictError', async () => {
    const account: Account = site.addAccountFor('main');
    const { id } = await client.auth.connections.create({
      domain: 'main.localhost',
      profile_name: 'visitor',
      login_url: site.startUrl('main'),
    });
    expect((await client.auth.connections.update(id, { save_credentials: false })).save_credentials).toBe(false);
    const login = await client.auth.connections.login(id);
    expect([login.id, login.flow_type]).toEqual([id, 'LOGIN']);
    requests = 0;
    await expect(client.auth.connections.login(id)).rejects.toBeInstanceOf(Kernel.ConflictError);
    expect(requests).toBe(1);
    const answers: Record<string, string> = { identifier: account.email, password: account.password };
    const steps: string[] = [];
    for await (const event of await client.auth.connections.follow(id)) {
      if (event.event !== 'managed_auth_state') continue;
      steps.push(`${event.flow_status} ${event.flow_step}`);
      if (event.flow_step !== 'AWAITING_INPUT') continue;
      const values = Object.fromEntries((event.fields ?? []).map((field) => [field.id, answers[field.type] ?? '']));
      await client.auth.connections.submit(id, { fields: values }).catch((error: unknown) => {
        // The same pause may be told twice; its second answer comes too late.
        if (!(error instanceof Kernel.ConflictError)) throw error;
      });
    }
    expect([steps.at(-1), steps.includes('IN_PROGRESS AWAITING_INPUT')]).toEqual(['SUCCESS COMPLETED', true]);
    const connection = await client.auth.connections.retrieve(id);
    expect([connection.flow_status, connection.status]).toEqual(['SUCCESS', 'AUTHENTICATED']);
    const timeline: string[] = [];
    for await (const { type, status } of client.auth.connections.timeline(id)) timeline.push(`${type} ${status}`);
    expect(timeline).toEqual(['login SUCCESS']);
    const browser = await client.browsers.create({ profile: { name: 'visitor' } });
    expect(browser.profile?.name).toBe('visitor');
    await client.browsers.deleteByID(browser.session_id);
    await client.auth.connections.delete(id);
    const left: string[] = [];
    for await (const one of client.auth.connections.list()) left.push(one.id);
    expect(left).toEqual([]);
  }, 120_000);
});

/** Areas of the client that service.md names and leaves out, and what follows events of runs, which Berth does not run itself. */
const notServed = [
  /^(apps|auditLogs|credentialProviders|deployments|extensions|proxies)\./,
  /^browsers\.(computer|fs|logs|playwright|process|replays|telemetry)\./,
  /^browsers\.(curl|loadExtensions)$/,
  /^invocations\.follow$/,
  /^profiles\.download$/,
];
/**
 * Made of other methods: one asks the browser's own address, if it is known by a `jwt` in it, one writes what another answers into a file.
 */
const conveniences = ['browsers.fetch', 'auditLogs.download'];

describe('every method of the published client', () => {
  it('D8: one whose endpoint is not served is its NotFoundError with the Error body', async () => {
    const once = clientOf(tenant.key, { maxRetries: 0 });
    const names = [...methodsOf(once)].filter(([name]) => notServed.some((area) => area.test(name)) && !conveniences.includes(name));
    expect(names.length).toBeGreaterThan(60);
    for (const [name, method] of names) {
      const error: unknown = await (async () => method('x', { id: 'x', file: new File(['x'], 'x') }, {}))().catch(
        (thrown: unknown) => thrown,
      );
      expect([name, error instanceof Kernel.NotFoundError]).toEqual([name, true]);
      expect([name, ErrorBody.parse((error as InstanceType<typeof Kernel.NotFoundError>).error)]).toEqual([
        name,
        { code: 'not_found', message: 'There is no such route; GET /docs lists those that there are.' },
      ]);
    }
  });

  it('D2: every other one was called by the tests above', () => {
    const served = [...methodsOf(client).keys()].filter(
      (name) => !notServed.some((area) => area.test(name)) && !conveniences.includes(name),
    );
    expect(served.filter((name) => !used.has(name))).toEqual([]);
    expect(served.length).toBeGreaterThan(45);
  });
});
