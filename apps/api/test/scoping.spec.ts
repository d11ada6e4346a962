import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { CreatedApiKey, Endpoint, ErrorBody, Identity, OrganizationLimits, Project } from '@berth/schema';
import { endpoints } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { noHostEnv } from './login-world.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi(noHostEnv);
});
afterAll(() => api.stop());

interface Made {
  readonly id: string;
}

const made = async <T = Made>(tenant: Pick<Tenant, 'key'>, path: string, body: object, project?: string): Promise<T> =>
  (await api.call<T>('POST', path, { key: tenant.key, body, ...(project === undefined ? {} : { project }) })).body;
const statusOf = async (key: string, path: string, project?: string): Promise<number> =>
  (await api.call('GET', path, { key, ...(project === undefined ? {} : { project }) })).status;

/** What a caller can make without a browser host: its path, and a body for each number. */
const makers: Readonly<Record<string, (number: number) => object>> = {
  '/profiles': (number) => ({ name: `p-${number}` }),
  '/credentials': (number) => ({ name: `c-${number}`, domain: 'x.test', values: { username: 'u' } }),
  '/invocations': (number) => ({ app_name: `a-${number}`, action_name: 'b', version: '1' }),
  '/auth/connections': (number) => ({ domain: `d${number}.test`, profile_name: 'shared' }),
  '/browser_pools': (number) => ({ name: `b-${number}`, size: 1 }),
  '/org/projects': (number) => ({ name: `j-${number}` }),
  '/org/api_keys': (number) => ({ name: `k-${number}` }),
};
const ownedByProjects = Object.entries(makers).filter(([path]) => !path.startsWith('/org/'));

describe('the project a request acts in', () => {
  it.each(ownedByProjects)(
    'Scoping 2, 3, D3: without the header POST %s makes it in the default project and GET reads from there; naming the default is the same',
    async (path, body) => {
      const tenant = await api.tenant();
      const other = (await made<Project>(tenant, '/org/projects', { name: 'other' })).id;
      const [silent, named, elsewhere] = [
        await made(tenant, path, body(1)),
        await made(tenant, path, body(2), tenant.defaultProjectId),
        await made(tenant, path, body(3), other),
      ];
      const listed = async (project?: string) =>
        (await api.call<Made[]>('GET', path, { key: tenant.key, ...(project === undefined ? {} : { project }) })).body.map(({ id }) => id);
      for (const project of [undefined, tenant.defaultProjectId]) {
        expect(await listed(project)).toEqual([silent.id, named.id]);
        expect([
          await statusOf(tenant.key, `${path}/${silent.id}`, project),
          await statusOf(tenant.key, `${path}/${named.id}`, project),
          await statusOf(tenant.key, `${path}/${elsewhere.id}`, project),
        ]).toEqual([200, 200, 404]);
      }
      expect(await listed(other)).toEqual([elsewhere.id]);
    },
  );

  it('Scoping 1, 4, Errors 3: the refusal of a header says that the project was not found or is inactive, whichever it is', async () => {
    const tenant = await api.tenant();
    const archived = await made<Project>(tenant, '/org/projects', { name: 'archived' });
    await api.call('PATCH', `/org/projects/${archived.id}`, { key: tenant.key, body: { status: 'archived' } });
    for (const project of [newId(), 'Default', archived.id]) {
      expect((await api.call('GET', '/profiles', { key: tenant.key, project })).body).toEqual({
        code: 'project_not_found',
        message: 'The project was not found or is inactive.',
      });
    }
  });

  it('Authentication 2, D12: a key made with a project_id is limited to that project without a header, and whoami says so', async () => {
    const tenant = await api.tenant();
    const project = await made<Project>(tenant, '/org/projects', { name: 'bound' });
    const { id, key } = await made<CreatedApiKey>(tenant, '/org/api_keys', { name: 'k', project_id: project.id });
    const { body } = await api.call<Identity>('GET', '/whoami', { key });
    expect(body).toEqual({
      credential: { kind: 'project_key', id },
      organization: { id: tenant.organizationId, name: expect.any(String) },
      project_id: project.id,
      resolved_project: { id: project.id, name: 'bound' },
    });
    const profile = await made({ key }, '/profiles', { name: 'there' });
    expect([
      await statusOf(tenant.key, `/profiles/${profile.id}`),
      await statusOf(tenant.key, `/profiles/${profile.id}`, project.id),
      await statusOf(key, `/profiles/${profile.id}`, project.id),
    ]).toEqual([404, 200, 200]);
  });

  it('D6: to a project key another project is what an unknown one is, byte for byte, by id and by name, limits included', async () => {
    const tenant = await api.tenant();
    const [own, other] = [
      await made<Project>(tenant, '/org/projects', { name: 'own' }),
      await made<Project>(tenant, '/org/projects', { name: 'other' }),
    ];
    const { key } = await made<CreatedApiKey>(tenant, '/org/api_keys', { name: 'k', project_id: own.id });
    const answers = await Promise.all(
      [other.id, 'other', newId(), 'nobody'].flatMap((wanted) =>
        ['', '/limits'].map(async (rest) => {
          const answer = await fetch(`${api.url}/org/projects/${wanted}${rest}`, { headers: { authorization: `Bearer ${key}` } });
          return `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`;
        }),
      ),
    );
    expect(new Set(answers)).toEqual(
      new Set(['404 application/json; charset=utf-8 {"code":"project_not_found","message":"The project was not found or is inactive."}']),
    );
  });

  it('D20, D27: archiving a project leaves what runs in it running and counted, refuses new work by 404, and reactivation restores all', async () => {
    const tenant = await api.tenant();
    const project = await made<Project>(tenant, '/org/projects', { name: 'sleepy' });
    const run = await made(tenant, '/invocations', { app_name: 'a', action_name: 'b', version: '1' }, project.id);
    await made(tenant, '/browser_pools', { size: 2 }, project.id);
    const used = async () => (await api.call<OrganizationLimits>('GET', '/org/limits', { key: tenant.key })).body.concurrent_sessions_used;
    const path = `/org/projects/${project.id}`;
    await api.call('PATCH', path, { key: tenant.key, body: { status: 'archived' } });
    expect(await used()).toBe(2);
    for (const [target, body] of [...ownedByProjects.map(([way, make]) => [way, make(1)] as const), ['/browsers', {}] as const]) {
      const refused = await api.call<ErrorBody>('POST', target, { key: tenant.key, project: project.id, body });
      expect([target, refused.status, refused.body.code]).toEqual([target, 404, 'project_not_found']);
    }
    expect((await unscoped(api.database).prisma.invocation.findUniqueOrThrow({ where: { id: run.id } })).status).toBe('running');
    await api.call('PATCH', path, { key: tenant.key, body: { status: 'active' } });
    expect([await statusOf(tenant.key, `/invocations/${run.id}`, project.id), await used()]).toEqual([200, 2]);
  });

  it('Scoping 2, D19: a process that has not heard yet that the default was handed on acts in the new one and does not answer 404', async () => {
    const tenant = await api.tenant();
    const heir = await made<Project>(tenant, '/org/projects', { name: 'heir' });
    // The process knows the key and with it the default, but nothing of the default project itself.
    await api.call('GET', '/whoami', { key: tenant.key, project: heir.id });
    const { prisma } = unscoped(api.database);
    await prisma.project.update({ where: { id: tenant.defaultProjectId }, data: { status: 'archived' } });
    await prisma.organization.update({ where: { id: tenant.organizationId }, data: { defaultProjectId: heir.id } });
    const { status, body } = await api.call<Identity>('GET', '/whoami', { key: tenant.key });
    expect([status, body.resolved_project?.id]).toEqual([200, heir.id]);
  });
});

describe('lists', () => {
  const paged = (Object.values(endpoints) as Endpoint[])
    .filter((endpoint) => endpoint.paged && endpoint.pathRecord === undefined)
    .map(({ path }) => path);

  it('D15: every list but that of browsers has a maker here', () => {
    expect(paged.filter((path) => path !== '/browsers').sort()).toEqual(Object.keys(makers).sort());
  });

  it.each(Object.entries(makers))(
    'D15: GET %s is a bare array in the order of creation, with X-Has-More and an absolute X-Next-Offset that is 0 on the last page',
    async (path, body) => {
      const tenant = await api.tenant();
      for (let number = 0; number < 4; number += 1) await made(tenant, path, body(number));
      const page = async (query: string) => {
        const { headers, body: rows } = await api.call<Made[]>('GET', `${path}?${query}`, { key: tenant.key });
        return { ids: rows.map(({ id }) => id), more: headers.get('x-has-more'), next: headers.get('x-next-offset') };
      };
      const whole = await page('limit=100');
      const total = whole.ids.length;
      expect([total >= 4, whole.more, whole.next]).toEqual([true, 'false', '0']);
      expect(await page('limit=2')).toEqual({ ids: whole.ids.slice(0, 2), more: 'true', next: '2' });
      expect(await page('limit=1&offset=2')).toEqual({ ids: whole.ids.slice(2, 3), more: 'true', next: '3' });
      expect(await page(`limit=2&offset=${total - 2}`)).toEqual({ ids: whole.ids.slice(-2), more: 'false', next: '0' });
      expect(await page(`limit=${total}`)).toEqual(whole);
      expect(await page(`offset=${total}`)).toEqual({ ids: [], more: 'false', next: '0' });
    },
  );
});

describe('the order of refusals', () => {
  it('D7: of several faults of one request the first in order is told', async () => {
    const tenant = await api.tenant();
    const run = { app_name: 'a', action_name: 'b', version: '1' };
    const { key: bound } = await made<CreatedApiKey>(tenant, '/org/api_keys', { name: 'k', project_id: tenant.defaultProjectId });
    const outcome = async (...given: Parameters<ApiFixture['call']>) => {
      const { status, body } = await api.call<ErrorBody>(...given);
      return [status, body.code];
    };
    const huge = 'x'.repeat(1024 * 1024 + 1);
    const unknown = newId();
    // Header before role, role before path, path before body, whatever the body is.
    expect(await outcome('PATCH', '/org/projects/nobody', { key: bound, project: unknown, body: huge })).toEqual([403, 'forbidden']);
    expect(await outcome('PATCH', '/org/projects/nobody', { key: tenant.key, project: unknown, body: huge })).toEqual([
      404,
      'project_not_found',
    ]);
    expect(await outcome('DELETE', '/org/projects/nobody', { key: bound, body: huge })).toEqual([403, 'forbidden']);
    for (const body of [huge, 'not json', '{"x":1}'])
      expect(await outcome('PATCH', '/org/projects/nobody', { key: tenant.key, body })).toEqual([404, 'project_not_found']);
    expect(await outcome('PATCH', '/org/projects/Default', { key: tenant.key, body: huge })).toEqual([413, 'bad_request']);
    // Body before idempotency, idempotency before state, state before cap.
    const headers = { 'idempotency-key': 'once' };
    await api.call('POST', '/org/projects', { key: tenant.key, body: { name: 'once' }, headers });
    expect(await outcome('POST', '/org/projects', { key: tenant.key, body: { nom: 'Default' }, headers })).toEqual([400, 'bad_request']);
    expect(await outcome('POST', '/org/projects', { key: tenant.key, body: { name: 'Default' }, headers })).toEqual([
      409,
      'idempotency_key_reused',
    ]);
    expect(await outcome('POST', '/org/projects', { key: tenant.key, body: { name: 'Default' } })).toEqual([409, 'conflict']);
    await api.call('PATCH', '/org/projects/Default/limits', { key: tenant.key, body: { max_concurrent_invocations: 1 } });
    await made(tenant, '/invocations', run);
    expect(await outcome('POST', '/invocations', { key: tenant.key, body: run })).toEqual([429, 'concurrency_limit_exceeded']);
    expect(await outcome('POST', '/invocations', { key: tenant.key, body: { ...run, async: true } })).toEqual([400, 'bad_request']);
  });

  it('D28: where project and organization are both full, the one detail is the project; without a cap of its own it is the organization', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 2 });
    const { id: other } = await made<Project>(tenant, '/org/projects', { name: 'other' });
    await made(tenant, '/browser_pools', { size: 2 });
    await api.call('PATCH', '/org/projects/Default/limits', { key: tenant.key, body: { max_concurrent_sessions: 2 } });
    const refusal = async (project: string, path: string, body: object) =>
      (await api.call<ErrorBody>('POST', path, { key: tenant.key, project, body })).body;
    for (const [path, body] of [
      ['/browsers', {}],
      ['/browser_pools', { size: 1 }],
    ] as const) {
      expect(await refusal(tenant.defaultProjectId, path, body)).toMatchObject({
        code: 'concurrency_limit_exceeded',
        details: [{ code: 'project', message: 'limit 2, used 2' }],
      });
      expect(await refusal(other, path, body)).toMatchObject({
        code: 'concurrency_limit_exceeded',
        details: [{ code: 'organization', message: 'limit 2, used 2' }],
      });
    }
    const connection = await made(tenant, '/auth/connections', { domain: 'x.test', profile_name: 'p' });
    expect(await refusal(tenant.defaultProjectId, `/auth/connections/${connection.id}/login`, {})).toMatchObject({
      details: [{ code: 'project', message: 'limit 2, used 2' }],
    });
  });

  it('D9, D28, D36: a 429 says when to come again and is not kept: the same key is a first try once there is room', async () => {
    const tenant = await api.tenant();
    const run = { app_name: 'a', action_name: 'b', version: '1' };
    await api.call('PATCH', '/org/projects/Default/limits', { key: tenant.key, body: { max_concurrent_invocations: 1 } });
    const first = await made(tenant, '/invocations', run);
    const again = () =>
      api.call<ErrorBody & Made>('POST', '/invocations', { key: tenant.key, body: run, headers: { 'idempotency-key': 'patient' } });
    const refused = await again();
    expect([refused.status, refused.headers.get('retry-after'), refused.body.details]).toEqual([
      429,
      '5',
      [{ code: 'project', message: 'limit 1, used 1' }],
    ]);
    await api.call('PATCH', `/invocations/${first.id}`, { key: tenant.key, body: { status: 'succeeded' } });
    const admitted = await again();
    expect([admitted.status, (await again()).body.id]).toEqual([201, admitted.body.id]);
  });
});
