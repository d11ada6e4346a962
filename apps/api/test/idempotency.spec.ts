import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { CreatedApiKey, ErrorBody, Project } from '@berth/schema';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const post = <T = ErrorBody>(path: string, key: string, idempotencyKey: string, body: unknown, project?: string) =>
  api.call<T>('POST', path, { key, body, headers: { 'idempotency-key': idempotencyKey }, ...(project === undefined ? {} : { project }) });

describe('Idempotency-Key', () => {
  it('D36: the same body replays the first answer, secret included, and makes nothing twice', async () => {
    const tenant = await api.tenant();
    const first = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'once', { name: 'k' });
    const second = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'once', { name: ' k ' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await api.call<unknown[]>('GET', '/org/api_keys', { key: tenant.key })).body).toHaveLength(2);
  });

  it('D36, D45: the stored answer is sealed', async () => {
    const tenant = await api.tenant();
    const { body } = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'sealed', { name: 'k' });
    const records = await unscoped(api.database).prisma.idempotencyRecord.findMany({ where: { credentialId: tenant.keyId } });
    expect(records).toHaveLength(1);
    expect(Buffer.from(records[0]?.sealedAnswer ?? []).includes(body.key)).toBe(false);
  });

  it('D36: another body is 409 idempotency_key_reused; another credential, project or route is another request', async () => {
    const tenant = await api.tenant();
    const project = (await post<Project>('/org/projects', tenant.key, 'key', { name: 'p' })).body;
    const reused = await post('/org/projects', tenant.key, 'key', { name: 'q' });
    expect([reused.status, reused.body.code, reused.headers.get('x-should-retry')]).toEqual([409, 'idempotency_key_reused', 'false']);
    const made = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'key', { name: 'other route' });
    expect(made.status).toBe(201);
    expect((await post('/org/projects', made.body.key, 'key', { name: 'other credential' })).status).toBe(201);
    expect((await post('/org/projects', tenant.key, 'key', { name: 'other project' }, project.id)).status).toBe(201);
  });

  it('D7, D36: an answer of 409 is replayed, a body that is not valid is 400 before the key is looked at', async () => {
    const tenant = await api.tenant();
    expect((await post('/org/projects', tenant.key, 'dup', { name: 'Default' })).body.code).toBe('conflict');
    await api.call('PATCH', '/org/projects/Default', { key: tenant.key, body: { name: 'Renamed' } });
    expect((await post('/org/projects', tenant.key, 'dup', { name: 'Default' })).body.code).toBe('conflict');
    expect((await post('/org/projects', tenant.key, 'dup', { nom: 'x' })).status).toBe(400);
    expect((await post('/org/projects', tenant.key, 'x'.repeat(256), { name: 'x' })).status).toBe(400);
  });

  it('D36: of twenty at once one creates and all answer the same', async () => {
    const tenant = await api.tenant();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post<Project>('/org/projects', tenant.key, 'burst', { name: 'burst' })));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
  });

  it('D36: a claim whose process is gone is taken over when its lease ends', async () => {
    const tenant = await api.tenant();
    await post<Project>('/org/projects', tenant.key, 'crash', { name: 'crashed' });
    await unscoped(api.database).prisma.idempotencyRecord.updateMany({ where: { key: 'crash' }, data: { sealedAnswer: null, claimedUntil: new Date(Date.now() - 1) } });
    expect((await post('/org/projects', tenant.key, 'crash', { name: 'crashed' })).body.code).toBe('conflict');
  });
});
