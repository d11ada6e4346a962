import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import type { ErrorBody, Profile } from '@berth/schema';
import { Profile as ProfileShape } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.stop());

const make = (body: unknown = {}) => api.call<Profile>('POST', '/profiles', { key: tenant.key, body });
const scope = () => projectScope(tenant.organizationId, tenant.defaultProjectId);

describe('POST /profiles', () => {
  it('D37: 201 with the record; the name may be absent, and so may the body', async () => {
    const named = await make({ name: 'shopper' });
    expect([named.status, named.body.name]).toEqual([201, 'shopper']);
    expect(ProfileShape.parse(named.body)).toEqual(named.body);
    const bare = await api.call<Profile>('POST', '/profiles', { key: tenant.key });
    expect(bare.status).toBe(201);
    expect(bare.body).not.toHaveProperty('name');
  });

  it('D30: names are case-sensitive and unique among the undeleted; a taken one is 409 conflict with x-should-retry: false', async () => {
    const first = await make({ name: 'Unique' });
    const second = await api.call<ErrorBody>('POST', '/profiles', { key: tenant.key, body: { name: 'Unique' } });
    expect([second.status, second.body.code, second.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
    expect((await make({ name: 'unique' })).status).toBe(201);
    expect((await api.call('DELETE', `/profiles/${first.body.id}`, { key: tenant.key })).status).toBe(204);
    expect((await make({ name: 'Unique' })).status).toBe(201);
  });

  it.each([
    ['an id', newId()],
    ['a space', 'a b'],
    ['a slash', 'a/b'],
    ['nothing', ''],
    ['256 letters', 'a'.repeat(256)],
  ])('D30: a name of %s is 400', async (_, name) => {
    expect((await make({ name })).status).toBe(400);
  });

  it('D8: unknown body fields are 400 naming them', async () => {
    const reply = await api.call<ErrorBody>('POST', '/profiles', { key: tenant.key, body: { nam: 'x' } });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body.details)).toContain('nam');
  });
});

describe('GET, PATCH, DELETE /profiles/{id or name}', () => {
  it('D37: by id and by name', async () => {
    const { body: profile } = await make({ name: 'by-name' });
    for (const path of [profile.id, 'by-name'])
      expect((await api.call<Profile>('GET', `/profiles/${path}`, { key: tenant.key })).body.id).toBe(profile.id);
    const renamed = await api.call<Profile>('PATCH', '/profiles/by-name', { key: tenant.key, body: { name: 'renamed' } });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'renamed']);
    expect((await api.call('GET', '/profiles/by-name', { key: tenant.key })).status).toBe(404);
  });

  it('D16: renaming to one’s own name is fine, to another’s 409', async () => {
    await make({ name: 'mine' });
    await make({ name: 'theirs' });
    expect((await api.call('PATCH', '/profiles/mine', { key: tenant.key, body: { name: 'mine' } })).status).toBe(200);
    expect((await api.call('PATCH', '/profiles/mine', { key: tenant.key, body: { name: 'theirs' } })).status).toBe(409);
  });

  it('another tenant’s profile is 404', async () => {
    const { body: profile } = await make();
    const stranger = await api.tenant();
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, `/profiles/${profile.id}`, { key: stranger.key })).status).toBe(404);
  });

  it('D34: a profile used by a connection, a pool or a live browser is 400 resource_in_use; unused it goes, with what it was logged in to', async () => {
    const { prisma } = unscoped(api.database);
    const tables = api.database.project(scope());
    const [user, owner] = [newId(), { profileId: '' }];
    const uses = {
      connection: {
        take: () => tables.authConnection.create({ data: { id: user, domain: 'a.test', allowedDomains: [], ...owner } }),
        leave: () => tables.authConnection.updateMany({ where: { id: user }, data: { deletedAt: new Date() } }),
      },
      pool: {
        take: () => tables.browserPool.create({ data: { id: user, size: 1, config: {}, ...owner } }),
        leave: () => tables.browserPool.updateMany({ where: { id: user }, data: { deletedAt: new Date() } }),
      },
      browser: {
        take: () => tables.browserSession.create({ data: { id: user, kind: 'on_demand', headless: true, timeoutSeconds: 60, ...owner } }),
        leave: () => tables.browserSession.updateMany({ where: { id: user }, data: { status: 'ended', deletedAt: new Date() } }),
      },
    };
    for (const { take, leave } of Object.values(uses)) {
      const { body: profile } = await make();
      owner.profileId = profile.id;
      await prisma.profileState.create({ data: { profileId: profile.id, sealed: Buffer.from('sealed') } });
      await take();
      const refused = await api.call<ErrorBody>('DELETE', `/profiles/${profile.id}`, { key: tenant.key });
      expect([refused.status, refused.body.code]).toEqual([400, 'resource_in_use']);
      await leave();
      expect((await api.call('DELETE', `/profiles/${profile.id}`, { key: tenant.key })).status).toBe(204);
      expect((await api.call('GET', `/profiles/${profile.id}`, { key: tenant.key })).status).toBe(404);
      expect(await prisma.profileState.findUnique({ where: { profileId: profile.id } })).toBeNull();
    }
  });
});

describe('GET /profiles', () => {
  it('D15: pages in order of creation, filters by name and part of the name, `_` literal', async () => {
    const { key } = await api.tenant();
    for (const name of ['alpha_1', 'alphaX1', 'beta']) await api.call('POST', '/profiles', { key, body: { name } });
    const names = async (query: string) => (await api.call<Profile[]>('GET', `/profiles${query}`, { key })).body.map(({ name }) => name);
    expect(await names('')).toEqual(['alpha_1', 'alphaX1', 'beta']);
    expect(await names('?query=A_1')).toEqual(['alpha_1']);
    expect(await names('?name=ALPHA_1')).toEqual(['alpha_1']);
    const page = await api.call<Profile[]>('GET', '/profiles?limit=2', { key });
    expect([page.headers.get('x-has-more'), page.headers.get('x-next-offset'), page.body.length]).toEqual(['true', '2', 2]);
    const last = await api.call<Profile[]>('GET', '/profiles?limit=2&offset=2', { key });
    expect([last.headers.get('x-has-more'), last.headers.get('x-next-offset'), last.body.length]).toEqual(['false', '0', 1]);
  });
});
