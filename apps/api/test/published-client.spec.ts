import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Kernel from '@onkernel/sdk';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { LoginWorld, noHostEnv } from './login-world.js';

let api: ApiFixture;
let tenant: Tenant;
let client: Kernel;
let requests = 0;
beforeAll(async () => {
  api = await startApi({ ...noHostEnv, BERTH_PROJECT_HEADER_ALIASES: 'X-Kernel-Project-Id' });
  tenant = await api.tenant();
  client = new Kernel({
    apiKey: tenant.key, baseURL: api.url, maxRetries: 2,
    fetch: (url, init) => {
      requests += 1;
      return fetch(url, init);
    },
  });
});
afterAll(() => api.stop());

describe('the published client', () => {
  it('D2, D15: creates projects and pages through 45 of them by itself', async () => {
    for (let number = 1; number < 45; number += 1) await client.projects.create({ name: `p${number}` });
    const names: string[] = [];
    for await (const { name } of client.projects.list()) names.push(name);
    expect(names).toHaveLength(45);
  });

  it('D17, D22: reads and changes projects and limits', async () => {
    const project = await client.projects.retrieve('p1');
    expect((await client.projects.update(project.id, { name: 'renamed' })).name).toBe('renamed');
    expect((await client.projects.limits.update(project.id, { max_concurrent_sessions: 3 })).max_concurrent_sessions).toBe(3);
    await client.projects.delete(project.id);
  });

  it('D8, D9: maps errors to its classes, and does not try a 409 again', async () => {
    await expect(client.projects.retrieve('nobody')).rejects.toBeInstanceOf(Kernel.NotFoundError);
    await expect(new Kernel({ apiKey: 'bk_wrong', baseURL: api.url }).projects.retrieve('x')).rejects.toBeInstanceOf(Kernel.AuthenticationError);
    requests = 0;
    await expect(client.projects.create({ name: 'Default' })).rejects.toBeInstanceOf(Kernel.ConflictError);
    expect(requests).toBe(1);
  });

  it('D10: makes, reads, rotates and deletes API keys', async () => {
    const made = await client.apiKeys.create({ name: 'ci', project_id: tenant.defaultProjectId });
    expect((await client.apiKeys.retrieve(made.id)).masked_key).toBe(made.masked_key);
    const rotated = await client.apiKeys.rotate(made.id, { expire_in_days: 0 });
    expect(rotated.key).not.toBe(made.key);
    await client.apiKeys.delete(made.id);
  });

  it('D2, D4: its project header scopes a request through the alias', async () => {
    const project = await client.projects.create({ name: 'scoped' });
    const made = await client.profiles.create({ name: 'there' }, { headers: { 'X-Kernel-Project-Id': project.id } });
    await expect(client.profiles.retrieve(made.id)).rejects.toBeInstanceOf(Kernel.NotFoundError);
    expect((await client.profiles.retrieve(made.id, { headers: { 'X-Kernel-Project-Id': project.id } })).name).toBe('there');
  });

  it('D35: records, reads and ends invocations and lists their browsers', async () => {
    const { id } = await client.invocations.create({ app_name: 'app', action_name: 'act', version: '1' });
    expect((await client.invocations.retrieve(id)).status).toBe('running');
    expect((await client.invocations.listBrowsers(id)).browsers).toEqual([]);
    expect((await client.invocations.update(id, { status: 'succeeded', output: '{}' })).status).toBe('succeeded');
    await expect(client.invocations.update(id, { status: 'failed' })).rejects.toBeInstanceOf(Kernel.ConflictError);
    const ids: string[] = [];
    for await (const invocation of client.invocations.list()) ids.push(invocation.id);
    expect(ids).toEqual([id]);
  });

  it('D34: makes, reads, changes, acquires from and deletes pools', async () => {
    const pool = await client.browserPools.create({ name: 'warm', size: 2 });
    expect((await client.browserPools.retrieve('warm')).id).toBe(pool.id);
    expect((await client.browserPools.update('warm', { size: 3 })).browser_pool_config.size).toBe(3);
    // Nobody runs browsers here, so the wait ends without one (204).
    expect(await client.browserPools.acquire('warm', { acquire_timeout_seconds: 0 })).toBeFalsy();
    await client.browserPools.flush('warm');
    await client.browserPools.delete('warm');
    await expect(client.browserPools.retrieve('warm')).rejects.toBeInstanceOf(Kernel.NotFoundError);
  });

  it('D8, D28, D30: a browser over the cap is its RateLimitError, one that cannot be is its BadRequestError, and lists are pages', async () => {
    const full = await api.tenant({ maxConcurrentSessions: 1 });
    const narrow = new Kernel({ apiKey: full.key, baseURL: api.url, maxRetries: 0 });
    await narrow.browserPools.create({ size: 1 });
    await expect(narrow.browsers.create({})).rejects.toBeInstanceOf(Kernel.RateLimitError);
    await expect(narrow.browsers.create({ stealth: true })).rejects.toBeInstanceOf(Kernel.BadRequestError);
    await expect(narrow.browsers.retrieve('nobody')).rejects.toBeInstanceOf(Kernel.NotFoundError);
    expect((await narrow.browsers.list()).getPaginatedItems()).toEqual([]);
  });

  it('D37, D41, D48: makes connections, logs in, follows the events, submits and sees the end; a second login is one ConflictError', async () => {
    const world = new LoginWorld(api, tenant);
    try {
      const connection = await client.auth.connections.create({ domain: 'site.test', profile_name: 'mine' });
      expect((await client.auth.connections.login(connection.id)).flow_type).toBe('LOGIN');
      requests = 0;
      await expect(client.auth.connections.login(connection.id)).rejects.toBeInstanceOf(Kernel.ConflictError);
      expect(requests).toBe(1);
      const seen: string[] = [];
      for await (const event of await client.auth.connections.follow(connection.id)) {
        if (event.event !== 'managed_auth_state') continue;
        seen.push(`${event.flow_status} ${event.flow_step}`);
        if (event.flow_step === 'DISCOVERING') await world.ask(connection.id);
        if (event.flow_step === 'AWAITING_INPUT') {
          await client.auth.connections.submit(connection.id, { fields: { username: 'u', password: 'p' } });
          await world.succeed(connection.id);
        }
      }
      expect([seen[0], seen.at(-1)]).toEqual(['IN_PROGRESS DISCOVERING', 'SUCCESS COMPLETED']);
      expect((await client.auth.connections.retrieve(connection.id)).flow_status).toBe('SUCCESS');
      await client.auth.connections.delete(connection.id);
    } finally {
      world.close();
    }
  });
});
