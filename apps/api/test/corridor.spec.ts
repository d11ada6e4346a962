import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody, Identity } from '@berth/schema';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ BERTH_PROJECT_HEADER_ALIASES: 'X-Other-Project-Id' });
});
afterAll(() => api.stop());

describe('the corridor', () => {
  it('D8: an unknown route is 404 with the Error body, without a credential', async () => {
    const reply = await api.call<ErrorBody>('GET', '/nowhere');
    expect(reply.status).toBe(404);
    expect(reply.body.code).toBe('not_found');
    expect(reply.headers.get('x-request-id')).toMatch(/^[a-z0-9]{24}$/);
  });

  it('D8: a wrong method is 404', async () => {
    expect((await api.call('DELETE', '/whoami')).status).toBe(404);
  });

  it('D8: 401 with WWW-Authenticate: Bearer for a missing, malformed and unknown credential alike', async () => {
    for (const headers of [{}, { authorization: 'Basic abc' }, { authorization: 'Bearer' }, { authorization: 'Bearer bk_unknown' }]) {
      const reply = await api.call<ErrorBody>('GET', '/whoami', { headers: headers as Record<string, string> });
      expect(reply.status).toBe(401);
      expect(reply.body.code).toBe('unauthorized');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('D8: the request id of the caller is echoed when it is harmless and replaced when it is not', async () => {
    const echoed = await api.call('GET', '/health/live', { headers: { 'x-request-id': 'abc-1.2_3' } });
    expect(echoed.headers.get('x-request-id')).toBe('abc-1.2_3');
    const replaced = await api.call('GET', '/health/live', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).not.toBe('a b');
  });

  it('Service 2, Authentication 6, D12: whoami tells the credential, the organization and the resolved project', async () => {
    const tenant = await api.tenant();
    const reply = await api.call<Identity>('GET', '/whoami', { key: tenant.key });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      credential: { kind: 'org_key', id: tenant.keyId },
      project_id: null,
      resolved_project: { id: tenant.defaultProjectId, name: 'Default' },
    });
  });

  it('D4: an unknown project, a project name and another organization’s project in the header are 404 project_not_found; blank is absent; repeated is 400', async () => {
    const tenant = await api.tenant();
    const other = await api.tenant();
    for (const project of ['nope', 'Default', other.defaultProjectId]) {
      const reply = await api.call<ErrorBody>('GET', '/whoami', { key: tenant.key, project });
      expect([reply.status, reply.body.code]).toEqual([404, 'project_not_found']);
    }
    expect((await api.call('GET', '/whoami', { key: tenant.key, project: ' ' })).status).toBe(200);
    expect((await api.call('GET', '/whoami', { key: tenant.key, project: `${tenant.defaultProjectId}, x` })).status).toBe(400);
  });

  it('D2: the alias names the same header, and a disagreement is 400', async () => {
    const tenant = await api.tenant();
    const alias = (value: string) => ({ 'x-other-project-id': value });
    expect((await api.call('GET', '/whoami', { key: tenant.key, headers: alias(tenant.defaultProjectId) })).status).toBe(200);
    expect((await api.call('GET', '/whoami', { key: tenant.key, headers: alias('nope') })).status).toBe(404);
    expect((await api.call('GET', '/whoami', { key: tenant.key, project: tenant.defaultProjectId, headers: alias('nope') })).status).toBe(
      400,
    );
  });
});
