import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { ApiKey, CreatedApiKey, ErrorBody, Project } from '@berth/schema';
import { digest } from '@berth/secrets';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const create = async (key: string, body: unknown) => (await api.call<CreatedApiKey>('POST', '/org/api_keys', { key, body })).body;
const whoami = async (key: string) => (await api.call('GET', '/whoami', { key })).status;
const outcome = async (...given: Parameters<ApiFixture['call']>): Promise<[number, string | undefined]> => {
  const { status, body } = await api.call<ErrorBody | undefined>(...given);
  return [status, body?.code];
};

describe('API keys', () => {
  it('D10: create 201 gives the secret once; it is stored as SHA-256 only, and lists and reads never show it', async () => {
    const tenant = await api.tenant();
    const reply = await api.call<CreatedApiKey>('POST', '/org/api_keys', { key: tenant.key, body: { name: 'ci' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      name: 'ci',
      project_id: null,
      project_name: null,
      expires_at: null,
      deleted_at: null,
      created_by: { id: tenant.keyId, name: 'bootstrap' },
    });
    expect(reply.body.key).toMatch(/^bk_[0-9A-Za-z]{43}$/);
    expect(await whoami(reply.body.key)).toBe(200);
    const stored = await unscoped(api.database).prisma.apiKeySecret.findMany({ where: { apiKeyId: reply.body.id } });
    expect(stored.map(({ hash }) => Buffer.from(hash).toString('hex'))).toEqual([digest(reply.body.key).toString('hex')]);
    const { key: secret, ...shown } = reply.body;
    expect((await api.call<ApiKey>('GET', `/org/api_keys/${shown.id}`, { key: tenant.key })).body).toEqual(shown);
    expect(JSON.stringify((await api.call('GET', '/org/api_keys', { key: tenant.key })).body)).not.toContain(secret);
  });

  it('D1: a key is bk_ and at least 32 bytes in base62, an id 24 lower-case letters and digits that begin with a letter', async () => {
    const { key } = await api.tenant();
    const made = await Promise.all(Array.from({ length: 20 }, () => create(key, { name: 'k' })));
    for (const { id, key: secret } of made)
      expect([id, secret]).toEqual([expect.stringMatching(/^[a-z][a-z0-9]{23}$/), expect.stringMatching(/^bk_[0-9A-Za-z]{43,}$/)]);
    expect(new Set(made.flatMap(({ id, key: secret }) => [id, secret])).size).toBe(40);
  });

  it('D8, D10: a project_id of nobody, another organization or a deleted project is 400 naming the field', async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    for (const project_id of ['nope', newId(), other.defaultProjectId, 'a\0']) {
      const reply = await api.call<ErrorBody>('POST', '/org/api_keys', { key: tenant.key, body: { name: 'k', project_id } });
      expect([reply.status, reply.body.details?.[0]?.message]).toEqual([400, expect.stringContaining('project_id')]);
    }
    for (const days_to_expire of [0, -1, 3651, 1.5, '7'])
      expect((await outcome('POST', '/org/api_keys', { key: tenant.key, body: { name: 'k', days_to_expire } }))[0]).toBe(400);
  });

  it('D8, D20: a key for an archived project is 400 naming the field, and is made once the project is active again; the keys that were there can be rotated', async () => {
    const tenant = await api.tenant();
    const project = (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'sleepy' } })).body;
    const before = await create(tenant.key, { name: 'before', project_id: project.id });
    const asked = () => api.call<ErrorBody>('POST', '/org/api_keys', { key: tenant.key, body: { name: 'k', project_id: project.id } });
    await api.call('PATCH', '/org/projects/sleepy', { key: tenant.key, body: { status: 'archived' } });
    const refused = await asked();
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ code: 'invalid_field', message: 'project_id: names no active project of this organization' }],
    ]);
    expect((await outcome('POST', `/org/api_keys/${before.id}/rotate`, { key: tenant.key }))[0]).toBe(201);
    await api.call('PATCH', '/org/projects/sleepy', { key: tenant.key, body: { status: 'active' } });
    expect([(await asked()).status, await whoami(before.key)]).toEqual([201, 200]);
  });

  it('D15, D16: names of keys may repeat, and are found by every spelling of theirs that one folding makes equal, whatever the language', async () => {
    const tenant = await api.tenant();
    const names = [
      '\u0130stanbul',
      'Stra\u00dfe',
      'Cafe\u0301',
      '\u039f\u0394\u039f\u03a3',
      'twin',
      'twin',
      'twin',
      'twin',
      '\u{1f680}'.repeat(255),
    ];
    for (const name of names) expect((await create(tenant.key, { name })).name).toBe(name.normalize('NFC'));
    const found = async (query: string) =>
      (await api.call<ApiKey[]>('GET', `/org/api_keys?${query}`, { key: tenant.key })).body.map(({ name }) => name.normalize('NFD'));
    for (const name of new Set(names)) {
      const all = names.filter((other) => other === name).map((other) => other.normalize('NFD'));
      for (const spelling of [name, name.normalize('NFD'), name.toLowerCase()]) {
        for (const parameter of ['name', 'query'])
          expect([spelling, parameter, await found(`${parameter}=${encodeURIComponent(spelling)}`)]).toEqual([spelling, parameter, all]);
      }
    }
    const twins = (await api.call<ApiKey[]>('GET', '/org/api_keys?name=TWIN', { key: tenant.key })).body.map(({ id }) => id);
    const sorted = async (direction: string) =>
      (await api.call<ApiKey[]>('GET', `/org/api_keys?sort_by=name&query=twin&sort_direction=${direction}`, { key: tenant.key })).body.map(
        ({ id }) => id,
      );
    expect([await sorted('asc'), await sorted('desc')]).toEqual([[...twins].sort(), [...twins].sort().reverse()]);
    await api.call('PATCH', `/org/api_keys/${twins[0] ?? ''}`, { key: tenant.key, body: { name: ' Renam\u0045\u0301 ' } });
    expect([await found('name=TWIN'), await found('name=renam%C3%A9')]).toEqual([['twin', 'twin', 'twin'], ['Renam\u0045\u0301']]);
    expect([await found('name=istanbul'), await found('name=STRASSE'), await found('query=AF\u00c9')]).toEqual([[], [], ['Cafe\u0301']]);
  });

  it('Authentication 5, Endpoints rule 1, D6, D10: a project key may read itself and nothing else of keys', async () => {
    const tenant = await api.tenant();
    const bound = await create(tenant.key, { name: 'bound', project_id: tenant.defaultProjectId });
    expect(bound.project_name).toBe('Default');
    expect((await outcome('GET', `/org/api_keys/${bound.id}`, { key: bound.key }))[0]).toBe(200);
    for (const [method, path, body] of [
      ['GET', ''],
      ['POST', '', { name: 'x' }],
      ['GET', `/${tenant.keyId}`],
      ['PATCH', `/${bound.id}`, { name: 'x' }],
      ['DELETE', `/${bound.id}`],
      ['POST', `/${bound.id}/rotate`],
    ] as const) {
      expect(await outcome(method, `/org/api_keys${path}`, { key: bound.key, ...(body ? { body } : {}) })).toEqual([403, 'forbidden']);
    }
  });

  it('D10: a key cannot delete itself; deleted by another it is refused at once, gone from lists, and readable with include_deleted', async () => {
    const tenant = await api.tenant();
    const second = await create(tenant.key, { name: 'second' });
    expect(await whoami(second.key)).toBe(200);
    expect(await outcome('DELETE', `/org/api_keys/${second.id}`, { key: second.key })).toEqual([400, 'cannot_delete_current_key']);
    expect((await outcome('DELETE', `/org/api_keys/${second.id}`, { key: tenant.key }))[0]).toBe(204);
    expect(await whoami(second.key)).toBe(401);
    expect(await outcome('DELETE', `/org/api_keys/${second.id}`, { key: tenant.key })).toEqual([404, 'not_found']);
    expect(await outcome('GET', `/org/api_keys/${second.id}`, { key: tenant.key })).toEqual([404, 'not_found']);
    expect((await outcome('GET', `/org/api_keys/${second.id}?include_deleted=true`, { key: tenant.key }))[0]).toBe(200);
    const listed = async (query: string) =>
      (await api.call<ApiKey[]>('GET', `/org/api_keys?${query}`, { key: tenant.key })).body.map(({ name }) => name);
    expect([await listed(''), await listed('status=deleted'), await listed('status=all')]).toEqual([
      ['bootstrap'],
      ['second'],
      ['bootstrap', 'second'],
    ]);
    expect([
      await listed('include_deleted=true'),
      await listed('include_deleted=true&status=active'),
      await listed('include_deleted=false'),
    ]).toEqual([['bootstrap', 'second'], ['bootstrap'], ['bootstrap']]);
    // D7: what is gone is 404 before the body is looked at.
    for (const [method, rest] of [
      ['PATCH', ''],
      ['POST', '/rotate'],
    ] as const)
      expect(await outcome(method, `/org/api_keys/${second.id}${rest}`, { key: tenant.key, body: { nothing: 1 } })).toEqual([
        404,
        'not_found',
      ]);
  });

  it('D10: rotate 201 gives a new secret; the old one works through the overlap, or ends at once with expire_in_days 0', async () => {
    const tenant = await api.tenant();
    const made = await create(tenant.key, { name: 'rotating' });
    const rotated = await api.call<CreatedApiKey>('POST', `/org/api_keys/${made.id}/rotate`, { key: tenant.key });
    expect([rotated.status, rotated.body.id]).toEqual([201, made.id]);
    expect([await whoami(made.key), await whoami(rotated.body.key)]).toEqual([200, 200]);
    const former = await unscoped(api.database).prisma.apiKeySecret.findFirstOrThrow({ where: { hash: new Uint8Array(digest(made.key)) } });
    expect(Math.round(((former.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(7 * 24 * 60);
    const again = await api.call<CreatedApiKey>('POST', `/org/api_keys/${made.id}/rotate`, {
      key: tenant.key,
      body: { expire_in_days: 0 },
    });
    expect([await whoami(made.key), await whoami(rotated.body.key), await whoami(again.body.key)]).toEqual([401, 401, 200]);
  });

  it('D10: a rotation never lets the old secret live longer than it would have, and gives the new one the lifetime that is asked for, or that it had', async () => {
    const tenant = await api.tenant();
    const dayMs = 86_400_000;
    const { prisma } = unscoped(api.database);
    const made = await create(tenant.key, { name: 'short', days_to_expire: 2 });
    const rotate = async (body: object) =>
      (await api.call<CreatedApiKey>('POST', `/org/api_keys/${made.id}/rotate`, { key: tenant.key, body })).body;
    const lifeOf = ({ expires_at }: ApiKey) => (expires_at === null ? null : Math.round((Date.parse(expires_at) - Date.now()) / dayMs));
    expect(lifeOf(await rotate({ expire_in_days: 30 }))).toBe(2);
    const old = await prisma.apiKeySecret.findFirstOrThrow({ where: { hash: new Uint8Array(digest(made.key)) } });
    expect(old.expiresAt?.toISOString()).toBe(made.expires_at);
    expect([lifeOf(await rotate({ days_to_expire: 10 })), lifeOf(await rotate({ days_to_expire: null }))]).toEqual([10, null]);
    for (const body of [{ expire_in_days: -1 }, { expire_in_days: 3651 }, { days_to_expire: 0 }, { expire_in_days: 1.5 }, { overlap: 1 }]) {
      expect((await outcome('POST', `/org/api_keys/${made.id}/rotate`, { key: tenant.key, body }))[0]).toBe(400);
    }
  });

  it('D10: lists are sorted as asked, by creation otherwise; created_by names the key, and an address at the organization where there is no person', async () => {
    const tenant = await api.tenant({ name: `named-${newId()}` });
    await create(tenant.key, { name: 'beta', days_to_expire: 1 });
    const alpha = await create(tenant.key, { name: 'Alpha', days_to_expire: 5 });
    const names = async (query: string) =>
      (await api.call<ApiKey[]>('GET', `/org/api_keys?${query}`, { key: tenant.key })).body.map(({ name }) => name);
    expect([
      await names(''),
      await names('sort_by=name'),
      await names('sort_by=name&sort_direction=desc'),
      await names('sort_direction=desc'),
    ]).toEqual([
      ['bootstrap', 'beta', 'Alpha'],
      ['Alpha', 'beta', 'bootstrap'],
      ['bootstrap', 'beta', 'Alpha'],
      ['Alpha', 'beta', 'bootstrap'],
    ]);
    expect([await names('name=ALPHA'), await names('query=A'), await names('query=%25')]).toEqual([
      ['Alpha'],
      ['bootstrap', 'beta', 'Alpha'].filter((name) => /a/i.test(name)),
      [],
    ]);
    const organization = (await api.call<{ organization: { name: string } }>('GET', '/whoami', { key: tenant.key })).body.organization.name;
    expect(alpha.created_by).toEqual({ id: tenant.keyId, name: 'bootstrap', email: `cli@${organization}` });
    expect((await api.call<ApiKey>('GET', `/org/api_keys/${tenant.keyId}`, { key: tenant.key })).body.created_by.id).toBe('cli');
  });

  it('D10: an org-wide key may rotate itself', async () => {
    const tenant = await api.tenant();
    const { status, body } = await api.call<CreatedApiKey>('POST', `/org/api_keys/${tenant.keyId}/rotate`, {
      key: tenant.key,
      body: { expire_in_days: 0 },
    });
    expect([status, await whoami(tenant.key), await whoami(body.key)]).toEqual([201, 401, 200]);
  });

  it('D10: an expired key is 401, though it was known a moment before, and is still listed', async () => {
    const tenant = await api.tenant();
    const made = await create(tenant.key, { name: 'short', days_to_expire: 1 });
    const { prisma } = unscoped(api.database);
    const end = new Date(Date.now() + 1_500);
    await prisma.apiKey.update({ where: { id: made.id }, data: { expiresAt: end } });
    expect(await whoami(made.key)).toBe(200);
    while (Date.now() <= end.getTime()) await new Promise((resolve) => setTimeout(resolve, end.getTime() - Date.now() + 1));
    expect(await whoami(made.key)).toBe(401);
    expect((await api.call<ApiKey[]>('GET', '/org/api_keys', { key: tenant.key })).body.map(({ name }) => name)).toContain('short');
  });

  it('D5: deleting a project revokes its keys; archiving it makes every request with them 404, after a conflicting header’s 403', async () => {
    const tenant = await api.tenant();
    const project = (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'mine' } })).body;
    const bound = await create(tenant.key, { name: 'bound', project_id: project.id });
    await api.call('PATCH', '/org/projects/mine', { key: tenant.key, body: { status: 'archived' } });
    expect(await outcome('GET', '/whoami', { key: bound.key })).toEqual([404, 'project_not_found']);
    expect(await outcome('GET', '/whoami', { key: bound.key, project: tenant.defaultProjectId })).toEqual([403, 'forbidden']);
    expect((await outcome('DELETE', '/org/projects/mine', { key: tenant.key }))[0]).toBe(204);
    expect(await outcome('GET', '/whoami', { key: bound.key })).toEqual([401, 'unauthorized']);
  });
});

describe('a project key and projects', () => {
  it('Endpoints rule 1, D6: lists its own project only, reads no other, renames its own by id or name, and nothing else', async () => {
    const tenant = await api.tenant();
    const [own, other] = [
      (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'own' } })).body,
      (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'other' } })).body,
    ];
    const { key } = await create(tenant.key, { name: 'bound', project_id: own.id });
    const as = (method: string, path: string, body?: unknown) => outcome(method, path, { key, ...(body === undefined ? {} : { body }) });
    expect((await api.call<Project[]>('GET', '/org/projects', { key })).body.map(({ name }) => name)).toEqual(['own']);
    for (const path of [other.id, 'other', newId(), 'nobody', `${other.id}/limits`, 'other/limits'])
      expect(await as('GET', `/org/projects/${path}`)).toEqual([404, 'project_not_found']);
    for (const path of [other.id, 'other', 'nobody'])
      expect(await as('PATCH', `/org/projects/${path}`, { name: 'x' })).toEqual([403, 'forbidden']);
    for (const status of ['archived', 'active', 5, null])
      expect(await as('PATCH', `/org/projects/${own.id}`, { status, name: 'x' })).toEqual([403, 'forbidden']);
    expect((await as('PATCH', `/org/projects/OWN`, {}))[0]).toBe(200);
    expect((await as('PATCH', `/org/projects/${own.id}`, { name: 'renamed' }))[0]).toBe(200);
    expect((await as('PATCH', '/org/projects/renamed', { name: 'again' }))[0]).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/org/projects', { name: 'n' }],
      ['DELETE', `/org/projects/${own.id}`],
      ['PATCH', `/org/projects/${own.id}/limits`, {}],
      ['PATCH', '/org/projects/nobody/limits', {}],
      ['PATCH', '/org/limits', {}],
    ] as const) {
      expect(await as(method, path, body)).toEqual([403, 'forbidden']);
    }
    for (const path of ['/org/limits', `/org/projects/${own.id}/limits`]) expect((await as('GET', path))[0]).toBe(200);
  });
});
