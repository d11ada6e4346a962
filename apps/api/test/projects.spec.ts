import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { ErrorBody, Identity, Project } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const created = async (tenant: Tenant, name: string): Promise<Project> =>
  (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name } })).body;
const outcome = async (...given: Parameters<ApiFixture['call']>): Promise<[number, string | undefined]> => {
  const { status, body } = await api.call<ErrorBody | undefined>(...given);
  return [status, body?.code];
};
const path = (name: string): string => `/org/projects/${encodeURIComponent(name)}`;

describe('POST /org/projects', () => {
  it('Resources 1, Endpoints 2, D14: 201 with exactly id, name, status, created_at and updated_at', async () => {
    const { key } = await api.tenant();
    const { status, body } = await api.call<Project>('POST', '/org/projects', { key, body: { name: 'Staging' } });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['created_at', 'id', 'name', 'status', 'updated_at']);
    expect(body).toMatchObject({ name: 'Staging', status: 'active' });
    expect(body.id).toMatch(/^[a-z][a-z0-9]{23}$/);
  });

  it('D16, Endpoints rule 5: a name is unique in any case and any normal form, and free again at once after deletion', async () => {
    const tenant = await api.tenant();
    const first = await created(tenant, 'Caf\u00e9');
    for (const name of ['caf\u00e9', 'CAFE\u0301', '  Caf\u00e9 ']) {
      const reply = await api.call<ErrorBody>('POST', '/org/projects', { key: tenant.key, body: { name } });
      expect([reply.status, reply.body.code, reply.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
    }
    expect(await outcome('DELETE', path(first.id), { key: tenant.key })).toEqual([204, undefined]);
    expect((await created(tenant, 'CAF\u00c9')).name).toBe('CAF\u00c9');
  });

  it('D16: two organizations may use the same name', async () => {
    const [one, two] = [await api.tenant(), await api.tenant()];
    expect((await created(one, 'Same')).name).toBe('Same');
    expect((await created(two, 'Same')).name).toBe('Same');
  });

  it('D16: names that cannot be told from ids or paths, control characters, lone surrogates, empty and overlong names are 400 naming the field', async () => {
    const { key } = await api.tenant();
    for (const name of ['', '   ', '.', '..', newId(), 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(256), 5, null, ['a']]) {
      const { status, body } = await api.call<ErrorBody>('POST', '/org/projects', { key, body: { name } });
      expect([status, body.code]).toEqual([400, 'bad_request']);
      expect(body.details?.every(({ message }) => message?.startsWith('name:'))).toBe(true);
    }
  });

  it('D16, D17: no name has the form of an id in any case, new or changed: a path in lower case would not find it', async () => {
    const tenant = await api.tenant();
    const { id } = await created(tenant, 'plain');
    for (const name of [
      'ABCDEFGHIJKLMNOPQRSTUVWX',
      'Abcdefghijklmnopqrstuvw0',
      ' ABCDEFGHIJKLMNOPQRSTUVWX ',
      '\u212Abcdefghijklmnopqrstuvwx',
    ]) {
      expect([name, ...(await outcome('POST', '/org/projects', { key: tenant.key, body: { name } }))]).toEqual([name, 400, 'bad_request']);
      expect([name, ...(await outcome('PATCH', path(id), { key: tenant.key, body: { name } }))]).toEqual([name, 400, 'bad_request']);
    }
    expect((await created(tenant, 'ABCDEFGHIJKLMNOPQRSTUVWXY')).name).toHaveLength(25);
  });

  it('Errors 11, D8: an unknown field is 400 naming it, and a missing body is 400', async () => {
    const { key } = await api.tenant();
    const reply = await api.call<ErrorBody>('POST', '/org/projects', { key, body: { name: 'A', max_pooled: 1 } });
    expect(reply.status).toBe(400);
    expect(reply.body.details?.[0]?.message).toContain('max_pooled');
    expect((await outcome('POST', '/org/projects', { key }))[0]).toBe(400);
  });
});

describe('GET /org/projects', () => {
  it('Endpoints 1, D15: pages of 20 through 45 projects in created_at order, with X-Has-More and an absolute X-Next-Offset that ends at 0', async () => {
    const tenant = await api.tenant();
    for (let number = 1; number < 45; number += 1) await created(tenant, `p${number}`);
    const names: string[] = [];
    const headers: (string | null)[][] = [];
    let offset = '0';
    do {
      const page = await api.call<Project[]>('GET', `/org/projects?offset=${offset}`, { key: tenant.key });
      names.push(...page.body.map(({ name }) => name));
      offset = page.headers.get('x-next-offset') as string;
      headers.push([page.headers.get('x-has-more'), offset]);
    } while (offset !== '0');
    expect(names).toEqual(['Default', ...Array.from({ length: 44 }, (_, index) => `p${index + 1}`)]);
    expect(headers).toEqual([
      ['true', '20'],
      ['true', '40'],
      ['false', '0'],
    ]);
  });

  it('D15, D16: `name` is exact and `query` a part, both in any case, with % and _ literal; archived are shown, deleted are not', async () => {
    const tenant = await api.tenant();
    const [percent] = [await created(tenant, '100% Real'), await created(tenant, '1000 Real'), await created(tenant, 'gone real')];
    await api.call('PATCH', path(percent.id), { key: tenant.key, body: { status: 'archived' } });
    await api.call('DELETE', path('gone real'), { key: tenant.key });
    const names = async (query: string) =>
      (await api.call<Project[]>('GET', `/org/projects?${query}`, { key: tenant.key })).body.map(({ name }) => name);
    expect(await names('query=REAL')).toEqual(['100% Real', '1000 Real']);
    expect(await names('query=0%25')).toEqual(['100% Real']);
    expect(await names('query=_')).toEqual([]);
    expect(await names('name=1000%20rEAL')).toEqual(['1000 Real']);
    expect(await names('name=1000')).toEqual([]);
  });

  it('D8, D15: a paging parameter that is out of bounds, empty or repeated is 400; an unknown one is ignored', async () => {
    const { key } = await api.tenant();
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=abc',
      'limit=',
      'limit=1&limit=2',
      'offset=-1',
      'offset=1e3',
      'limit=1.5',
      'query=%00',
    ]) {
      expect(await outcome('GET', `/org/projects?${query}`, { key })).toEqual([400, 'bad_request']);
    }
    expect((await outcome('GET', '/org/projects?colour=red&colour=', { key }))[0]).toBe(200);
  });
});

describe('GET /org/projects/{id}', () => {
  it('Endpoints 3, D16, D17: id or name, any case, with slash, percent, space and emoji when encoded', async () => {
    const tenant = await api.tenant();
    for (const name of ['a/b', '50%', '%2F', 'two words', '🚀 rockets', 'שלום', 'x'.repeat(255), '🚀'.repeat(255)]) {
      const project = await created(tenant, name);
      expect((await api.call<Project>('GET', path(name.toUpperCase()), { key: tenant.key })).body).toEqual(project);
      expect((await api.call<Project>('GET', path(project.id), { key: tenant.key })).body).toEqual(project);
      expect((await outcome('GET', `${path(name)}/limits`, { key: tenant.key }))[0]).toBe(200);
    }
  });

  it('D7, D8: unknown, another organization’s and null-character paths are 404 project_not_found, byte for byte the same', async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const bodies = new Set<string>();
    for (const wanted of ['nothing', newId(), other.defaultProjectId, 'a\0b']) {
      const reply = await api.call('GET', path(wanted), { key: tenant.key });
      expect(reply.status).toBe(404);
      bodies.add(JSON.stringify(reply.body));
    }
    expect([...bodies]).toEqual([JSON.stringify({ code: 'project_not_found', message: 'The project was not found or is inactive.' })]);
  });
});

describe('PATCH /org/projects/{id}', () => {
  it('D16: renaming to one’s own name in another case is fine, to another’s name 409', async () => {
    const tenant = await api.tenant();
    const project = await created(tenant, 'alpha');
    const renamed = await api.call<Project>('PATCH', path('ALPHA'), { key: tenant.key, body: { name: 'Alpha' } });
    expect([renamed.status, renamed.body.name, renamed.body.id]).toEqual([200, 'Alpha', project.id]);
    expect(await outcome('PATCH', path(project.id), { key: tenant.key, body: { name: 'default' } })).toEqual([409, 'conflict']);
  });

  it('D18: an empty PATCH and a repeated status are a 200 that changes nothing', async () => {
    const tenant = await api.tenant();
    const before = await created(tenant, 'still');
    for (const body of [{}, { status: 'active' }, { name: 'still' }]) {
      const reply = await api.call<Project>('PATCH', path('still'), { key: tenant.key, body });
      expect([reply.status, reply.body]).toEqual([200, before]);
    }
  });

  it('D18: archiving what is archived already is a 200 that changes nothing, also when no other project could be', async () => {
    const tenant = await api.tenant();
    await created(tenant, 'asleep');
    const first = await api.call<Project>('PATCH', path('asleep'), { key: tenant.key, body: { status: 'archived' } });
    const again = await api.call<Project>('PATCH', path('asleep'), { key: tenant.key, body: { status: 'archived' } });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('Endpoints 4, D14: a change moves updated_at alone; instants are UTC with milliseconds', async () => {
    const tenant = await api.tenant();
    const before = await created(tenant, 'timely');
    const { body: after } = await api.call<Project>('PATCH', path('timely'), { key: tenant.key, body: { name: 'Timely' } });
    expect({ ...after, name: before.name, updated_at: before.updated_at }).toEqual(before);
    expect(after.updated_at > before.updated_at).toBe(true);
    for (const instant of [after.created_at, after.updated_at]) expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('D18: a PATCH is all or nothing', async () => {
    const tenant = await api.tenant();
    const reply = await api.call('PATCH', path('Default'), { key: tenant.key, body: { name: 'renamed', status: 'archived' } });
    expect(reply.status).toBe(409);
    expect((await outcome('GET', path('Default'), { key: tenant.key }))[0]).toBe(200);
    expect((await outcome('GET', path('renamed'), { key: tenant.key }))[0]).toBe(404);
  });

  it('D19: archiving the default makes the oldest remaining active project the default, and reactivating does not give it back', async () => {
    const tenant = await api.tenant();
    const [second] = [await created(tenant, 'second'), await created(tenant, 'third')];
    expect((await outcome('PATCH', path('Default'), { key: tenant.key, body: { status: 'archived' } }))[0]).toBe(200);
    const resolved = async () => (await api.call<Identity>('GET', '/whoami', { key: tenant.key })).body.resolved_project.id;
    expect(await resolved()).toBe(second.id);
    expect((await outcome('PATCH', path('Default'), { key: tenant.key, body: { status: 'active' } }))[0]).toBe(200);
    expect(await resolved()).toBe(second.id);
  });

  it('States 3, Endpoints 5, D19: deleting the default makes the oldest remaining active project the default, archived ones passed over', async () => {
    const tenant = await api.tenant();
    const [, second] = [await created(tenant, 'first'), await created(tenant, 'second')];
    await api.call('PATCH', path('first'), { key: tenant.key, body: { status: 'archived' } });
    expect(await outcome('DELETE', path('Default'), { key: tenant.key })).toEqual([204, undefined]);
    expect((await api.call<Identity>('GET', '/whoami', { key: tenant.key })).body.resolved_project).toEqual({
      id: second.id,
      name: 'second',
    });
    expect((await outcome('GET', '/whoami', { key: tenant.key, project: tenant.defaultProjectId }))[0]).toBe(404);
  });

  it('States 1, 2, D20: an archived project is not resolvable by the header, can be read and patched, and is whole again when reactivated', async () => {
    const tenant = await api.tenant();
    const project = await created(tenant, 'sleepy');
    expect((await outcome('GET', '/whoami', { key: tenant.key, project: project.id }))[0]).toBe(200);
    await api.call('PATCH', path(project.id), { key: tenant.key, body: { status: 'archived' } });
    expect(await outcome('GET', '/whoami', { key: tenant.key, project: project.id })).toEqual([404, 'project_not_found']);
    expect((await api.call<Project>('GET', path(project.id), { key: tenant.key })).body.status).toBe('archived');
    expect((await outcome('PATCH', `${path(project.id)}/limits`, { key: tenant.key, body: { max_concurrent_sessions: 3 } }))[0]).toBe(200);
    await api.call('PATCH', path('sleepy'), { key: tenant.key, body: { status: 'active' } });
    expect((await outcome('GET', '/whoami', { key: tenant.key, project: project.id }))[0]).toBe(200);
  });
});

describe('DELETE /org/projects/{id}', () => {
  it('States 4, Limits 8, Errors 4, Endpoints rule 3, D18: the last active project is 409 last_active_project, even when it is not empty', async () => {
    const tenant = await api.tenant();
    await unscoped(api.database).prisma.profile.create({
      data: { id: newId(), organizationId: tenant.organizationId, projectId: tenant.defaultProjectId },
    });
    expect(await outcome('DELETE', path('Default'), { key: tenant.key })).toEqual([409, 'last_active_project']);
    expect(await outcome('PATCH', path('Default'), { key: tenant.key, body: { status: 'archived' } })).toEqual([
      409,
      'last_active_project',
    ]);
  });

  it('States 3, Limits 8, Errors 5, Endpoints rule 3, D21: each kind of active resource is 409 project_not_empty, and an ended one is not in the way', async () => {
    const tenant = await api.tenant();
    const { prisma } = unscoped(api.database);
    const project = await created(tenant, 'full');
    const owner = () => ({ id: newId(), organizationId: tenant.organizationId, projectId: project.id });
    const gone = { deletedAt: new Date() };
    const browser = { kind: 'on_demand', headless: true, timeoutSeconds: 60 } as const;
    const connection = { domain: 'example.com', profileId: newId() };
    const kinds: [() => Promise<{ id: string }>, (id: string) => Promise<unknown>][] = [
      [
        () => prisma.browserSession.create({ data: { ...owner(), ...browser } }),
        (id) => prisma.browserSession.update({ where: { id }, data: { ...gone, status: 'ended' } }),
      ],
      [
        () => prisma.browserPool.create({ data: { ...owner(), size: 1, config: {} } }),
        (id) => prisma.browserPool.update({ where: { id }, data: gone }),
      ],
      [
        () => prisma.authConnection.create({ data: { ...owner(), ...connection } }),
        (id) => prisma.authConnection.update({ where: { id }, data: gone }),
      ],
      [
        () => prisma.credential.create({ data: { ...owner(), name: 'c', domain: 'example.com' } }),
        (id) => prisma.credential.update({ where: { id }, data: gone }),
      ],
      [() => prisma.profile.create({ data: owner() }), (id) => prisma.profile.update({ where: { id }, data: gone })],
      [
        () => prisma.invocation.create({ data: { ...owner(), appName: 'a', actionName: 'b', version: '1' } }),
        (id) => prisma.invocation.update({ where: { id }, data: { status: 'failed', finishedAt: new Date() } }),
      ],
    ];
    for (const [make, end] of kinds) {
      const { id } = await make();
      expect(await outcome('DELETE', path(project.id), { key: tenant.key })).toEqual([409, 'project_not_empty']);
      await end(id);
    }
    expect((await outcome('DELETE', path(project.id), { key: tenant.key }))[0]).toBe(204);
    expect(await outcome('GET', path(project.id), { key: tenant.key })).toEqual([404, 'project_not_found']);
  });

  it('D21: nothing can be put into a project once it is deleted', async () => {
    const tenant = await api.tenant();
    const project = await created(tenant, 'closing');
    await api.call('DELETE', path(project.id), { key: tenant.key });
    const late = unscoped(api.database).prisma.profile.create({
      data: { id: newId(), organizationId: tenant.organizationId, projectId: project.id },
    });
    await expect(late).rejects.toThrow();
  });
});

describe('projects disabled', () => {
  it('Endpoints rule 2, Errors 2, D7: every project-management endpoint is 404 projects_disabled, before header, role and path; limits of the organization are not', async () => {
    const tenant = await api.tenant({ projectsEnabled: false });
    for (const [method, route] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/x'],
      ['PATCH', '/x'],
      ['DELETE', '/x'],
      ['GET', '/x/limits'],
      ['PATCH', '/x/limits'],
    ] as const) {
      expect(
        await outcome(method, `/org/projects${route}`, {
          key: tenant.key,
          project: 'a,b',
          ...(method === 'GET' ? {} : { body: 'not json' }),
        }),
      ).toEqual([404, 'projects_disabled']);
    }
    expect((await outcome('GET', '/org/limits', { key: tenant.key }))[0]).toBe(200);
    expect((await outcome('GET', '/org/projects'))[0]).toBe(401);
  });
});
