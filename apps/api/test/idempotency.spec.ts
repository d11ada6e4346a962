import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import type { BrowserPool, CreatedApiKey, ErrorBody, Project } from '@berth/schema';
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
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post<Project>('/org/projects', tenant.key, 'burst', { name: 'burst' })),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
  });
});

/** As if the process that had the claim had died before it recorded its answer, longer ago than a claim holds. */
async function loseAnswer(key: string): Promise<void> {
  await unscoped(api.database).prisma.idempotencyRecord.updateMany({
    where: { key },
    data: { sealedAnswer: null, claimedUntil: new Date(Date.now() - 1) },
  });
}

describe('a claim whose process died', () => {
  const creates: readonly (readonly [path: string, body: object])[] = [
    ['/org/projects', { name: 'crashed' }],
    ['/profiles', { name: 'crashed' }],
    ['/credentials', { name: 'crashed', domain: 'example.com', values: { password: 'x' } }],
    ['/auth/connections', { domain: 'example.com', profile_name: 'of-a-connection' }],
    ['/invocations', { app_name: 'app', action_name: 'action', version: '1' }],
    ['/browser_pools', { name: 'crashed', size: 1 }],
  ];

  it.each(creates)('D36: POST %s is answered with what the dead process had made, and nothing is made twice', async (path, body) => {
    const tenant = await api.tenant();
    const count = async (): Promise<number> => (await api.call<unknown[]>('GET', path, { key: tenant.key })).body.length;
    const before = await count();
    const first = await post(path, tenant.key, `crash ${path}`, body);
    await loseAnswer(`crash ${path}`);
    const second = await post(path, tenant.key, `crash ${path}`, body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await count()).toBe(before + 1);
    // The answer is recorded now.
    expect((await post(path, tenant.key, `crash ${path}`, body)).body).toEqual(first.body);
  });

  it('D36, D10: an API key is the one that the dead process had made, with a secret that is told', async () => {
    const tenant = await api.tenant();
    const first = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'crash key', { name: 'k' });
    await loseAnswer('crash key');
    const second = await post<CreatedApiKey>('/org/api_keys', tenant.key, 'crash key', { name: 'k' });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    expect((await api.call<CreatedApiKey>('GET', `/org/api_keys/${first.body.id}`, { key: second.body.key })).body.masked_key).toBe(
      second.body.masked_key,
    );
    expect((await api.call<unknown[]>('GET', '/org/api_keys', { key: tenant.key })).body).toHaveLength(2);
  });

  it('D36, D34: what the dead process had reserved for a pool without a row is the pool that its successor makes', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 2 });
    const first = await post<BrowserPool>('/browser_pools', tenant.key, 'crash reserved', { size: 2 });
    await unscoped(api.database).pool.query('DELETE FROM browser_sessions WHERE pool_id = $1', [first.body.id]);
    await unscoped(api.database).pool.query('DELETE FROM browser_pools WHERE id = $1', [first.body.id]);
    await loseAnswer('crash reserved');
    const second = await post<BrowserPool>('/browser_pools', tenant.key, 'crash reserved', { size: 2 });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  });

  it('D36: one that had made nothing has its successor make it; the id of a record that has expired is not used again', async () => {
    const tenant = await api.tenant();
    const records = unscoped(api.database).prisma.idempotencyRecord;
    const first = await post<Project>('/org/projects', tenant.key, 'nothing', { name: 'made once' });
    await api.call('DELETE', `/org/projects/${first.body.id}`, { key: tenant.key });
    await records.updateMany({ where: { key: 'nothing' }, data: { expiresAt: new Date(Date.now() - 1) } });
    const second = await post<Project>('/org/projects', tenant.key, 'nothing', { name: 'made once' });
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
    await records.updateMany({
      where: { key: 'nothing' },
      data: { sealedAnswer: null, claimedUntil: new Date(Date.now() - 1), resourceId: 'b'.repeat(24) },
    });
    await api.call('PATCH', `/org/projects/${second.body.id}`, { key: tenant.key, body: { name: 'Renamed' } });
    const third = await post<Project>('/org/projects', tenant.key, 'nothing', { name: 'made once' });
    expect([third.status, third.body.id]).toEqual([201, 'b'.repeat(24)]);
  });
});
