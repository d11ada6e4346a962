import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Kernel from '@onkernel/sdk';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
let tenant: Tenant;
let client: Kernel;
let requests = 0;
beforeAll(async () => {
  api = await startApi({ BERTH_PROJECT_HEADER_ALIASES: 'X-Kernel-Project-Id' });
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
});
