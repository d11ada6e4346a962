import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { ErrorBody, OrganizationLimits, Project, ProjectLimits } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { until } from './processes.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
  // The first read of a process that has just started may miss the second that D29 gives it, on a busy machine; these tests are of one that
  // is at work.
  const first = await api.tenant();
  await until(async () => (await organization(first)).body.concurrent_sessions_used === 0);
});
afterAll(() => api.stop());

async function live(tenant: Tenant, projectId: string): Promise<void> {
  await unscoped(api.database).prisma.browserSession.create({
    data: { id: newId(), organizationId: tenant.organizationId, projectId, kind: 'on_demand', headless: true, timeoutSeconds: 60 },
  });
}
const organization = (tenant: Tenant, body?: unknown) =>
  api.call<OrganizationLimits & ErrorBody>(body === undefined ? 'GET' : 'PATCH', '/org/limits', {
    key: tenant.key,
    ...(body === undefined ? {} : { body }),
  });
const project = (tenant: Tenant, id: string, body?: unknown) =>
  api.call<ProjectLimits & ErrorBody>(body === undefined ? 'GET' : 'PATCH', `/org/projects/${id}/limits`, {
    key: tenant.key,
    ...(body === undefined ? {} : { body }),
  });

describe('organization limits', () => {
  it('Resources 2, Endpoints 6, D22: effective limit, default cap and usage; D23: the plan’s cap without an override', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 7 });
    expect((await organization(tenant)).body).toEqual({
      max_concurrent_sessions: 7,
      default_project_max_concurrent_sessions: null,
      concurrent_sessions_used: 0,
      concurrent_sessions_available: 7,
    });
    await unscoped(api.database).prisma.organization.update({
      where: { id: tenant.organizationId },
      data: { maxConcurrentSessions: null, plan: 'startup' },
    });
    expect((await organization(tenant)).body.max_concurrent_sessions).toBe(150);
  });

  it('Limits 6, Endpoints 7, D24: a cap is set, left alone when absent, and cleared by 0 and by null', async () => {
    const tenant = await api.tenant();
    const set = async (body: unknown) => (await organization(tenant, body)).body.default_project_max_concurrent_sessions;
    expect(await set({ default_project_max_concurrent_sessions: 4 })).toBe(4);
    expect(await set({})).toBe(4);
    expect(await set({ default_project_max_concurrent_sessions: 0 })).toBeNull();
    await set({ default_project_max_concurrent_sessions: 5 });
    expect(await set({ default_project_max_concurrent_sessions: null })).toBeNull();
    await set({ default_project_max_concurrent_sessions: 5 });
    expect(await set('{"default_project_max_concurrent_sessions": -0}')).toBeNull();
  });

  it('D24: negative, fractional, text, huge, infinite and unknown are 400, and so is a default above the organization limit', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 10 });
    for (const cap of ['-1', '1.5', '"5"', '1000001', '9007199254740992', '1e309', '11', 'true', '[]']) {
      expect((await organization(tenant, `{"default_project_max_concurrent_sessions": ${cap}}`)).status).toBe(400);
    }
    expect((await organization(tenant, { default_project_max_concurrent_sessions: 10 })).status).toBe(200);
    await organization(tenant, { default_project_max_concurrent_sessions: 0 });
    const reply = await organization(tenant, { max_concurrent_sessions: 5 });
    expect([reply.status, reply.body.details?.[0]?.message]).toEqual([400, expect.stringContaining('max_concurrent_sessions')]);
    expect((await organization(tenant)).body.default_project_max_concurrent_sessions).toBeNull();
  });

  it('Endpoints rule 4, Limits 7, Versioning 3, Errors 7, D24: max_pooled_sessions in any form is 400, and nothing else of the body is applied', async () => {
    const tenant = await api.tenant();
    for (const value of [0, 5, null, 'x']) {
      expect((await organization(tenant, { default_project_max_concurrent_sessions: 3, max_pooled_sessions: value })).status).toBe(400);
      expect((await project(tenant, tenant.defaultProjectId, { max_concurrent_sessions: 3, max_pooled_sessions: value })).status).toBe(400);
    }
    expect((await organization(tenant)).body.default_project_max_concurrent_sessions).toBeNull();
    expect((await project(tenant, tenant.defaultProjectId)).body.max_concurrent_sessions).toBeNull();
  });
});

describe('project limits', () => {
  it('Limits 2, 4: own cap, else the default of the organization, else only the organization limit; for existing and new projects alike', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 10 });
    const left = async (id: string) => (await project(tenant, id)).body.concurrent_sessions_available;
    expect(await left(tenant.defaultProjectId)).toBe(10);
    await organization(tenant, { default_project_max_concurrent_sessions: 4 });
    const fresh = (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'fresh' } })).body;
    expect([await left(tenant.defaultProjectId), await left(fresh.id)]).toEqual([4, 4]);
    await project(tenant, fresh.id, { max_concurrent_sessions: 6 });
    expect([await left(tenant.defaultProjectId), await left(fresh.id)]).toEqual([4, 6]);
    expect((await project(tenant, tenant.defaultProjectId)).body.max_concurrent_sessions).toBeNull();
  });

  it('Limits 3, Endpoints 8, 9, D24: a cap above the organization limit is stored as given and clamped when resolved', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 5 });
    expect((await project(tenant, 'Default', { max_concurrent_sessions: 50, max_concurrent_invocations: 2 })).body).toEqual({
      max_concurrent_sessions: 50,
      max_concurrent_invocations: 2,
      concurrent_sessions_used: 0,
      concurrent_sessions_available: 5,
    });
    expect((await project(tenant, 'Default', { max_concurrent_invocations: 0 })).body).toMatchObject({
      max_concurrent_sessions: 50,
      max_concurrent_invocations: null,
    });
  });

  it('Service 3, Limits 1, D25, D26, D27: usage counts live browsers and whole pools; available is what the next create will see and never below 0', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 6 });
    const other = (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'other' } })).body;
    await live(tenant, tenant.defaultProjectId);
    await live(tenant, other.id);
    await unscoped(api.database).prisma.browserPool.create({
      data: { id: newId(), organizationId: tenant.organizationId, projectId: other.id, size: 3, config: {} },
    });
    await project(tenant, 'Default', { max_concurrent_sessions: 4 });
    expect((await organization(tenant)).body).toMatchObject({ concurrent_sessions_used: 5, concurrent_sessions_available: 1 });
    expect((await project(tenant, 'Default')).body).toMatchObject({ concurrent_sessions_used: 1, concurrent_sessions_available: 1 });
    expect((await project(tenant, 'other', { max_concurrent_sessions: 2 })).body).toMatchObject({
      concurrent_sessions_used: 4,
      concurrent_sessions_available: 0,
    });
  });

  it('Limits 5, D29: usage is null, with 200, when Redis cannot be read', async () => {
    const blind = await startApi({ BERTH_REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { key } = await blind.tenant({ maxConcurrentSessions: 3 });
      const reply = await blind.call<OrganizationLimits>('GET', '/org/limits', { key });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          max_concurrent_sessions: 3,
          default_project_max_concurrent_sessions: null,
          concurrent_sessions_used: null,
          concurrent_sessions_available: null,
        },
      ]);
      const own = await blind.call<ProjectLimits>('PATCH', '/org/projects/Default/limits', { key, body: { max_concurrent_sessions: 2 } });
      expect([
        own.status,
        own.body.max_concurrent_sessions,
        own.body.concurrent_sessions_used,
        own.body.concurrent_sessions_available,
      ]).toEqual([200, 2, null, null]);
    } finally {
      await blind.stop();
    }
  });
});
