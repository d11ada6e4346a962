import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { ApiKey, BrowserPool, CreatedApiKey, ErrorBody, Profile, Project } from '@berth/schema';
import { countSlots, createTenant, type Tenant } from '@berth/testkit';
import pg from 'pg';
import { type ApiProcesses, startApiProcesses } from './api-processes.js';
import { until } from './processes.js';

let apis: ApiProcesses;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'berth-bootstrap-'));
  apis = await startApiProcesses(3, { BERTH_BOOTSTRAP_ORG: 'Acme', BERTH_DATA_DIR: dataDir });
});
afterAll(async () => {
  await apis.stop();
  await rm(dataDir, { recursive: true });
});

async function call<T = ErrorBody>(
  on: number,
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${apis.urls[on % apis.urls.length]}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
const tenant = (): Promise<Tenant> => createTenant(apis.database);
const make = async (of: Tenant, name: string): Promise<Project> => (await call<Project>(0, 'POST', '/org/projects', of.key, { name })).body;
const prisma = () => unscoped(apis.database).prisma;
const activeOf = (of: Tenant) =>
  prisma().project.count({ where: { organizationId: of.organizationId, status: 'active', deletedAt: null } });

describe('three API processes on one PostgreSQL and Redis', () => {
  it('D13: processes that start together make the organization, its default project and one key once; the key is in a file of mode 0600', async () => {
    const file = join(dataDir, 'bootstrap-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, 'utf8')).trim();
    expect((await call<Project[]>(1, 'GET', '/org/projects', key)).body.map(({ name }) => name)).toEqual(['Default']);
    expect((await call<ApiKey[]>(2, 'GET', '/org/api_keys', key)).body).toHaveLength(1);
    expect((await call<{ max_concurrent_sessions: number }>(2, 'GET', '/org/limits', key)).body.max_concurrent_sessions).toBe(100);
    expect(await prisma().organization.count({ where: { name: 'Acme' } })).toBe(1);
  });

  it('D18: two racing archives cannot both succeed, nor can an archive and a delete; one project stays active', async () => {
    for (let round = 0; round < 10; round += 1) {
      const of = await tenant();
      const second = await make(of, 'second');
      const archived = { status: 'archived' };
      const replies = await Promise.all([
        call(round, 'PATCH', `/org/projects/${of.defaultProjectId}`, of.key, archived),
        round % 2 === 0
          ? call(round + 1, 'PATCH', `/org/projects/${second.id}`, of.key, archived)
          : call(round + 1, 'DELETE', `/org/projects/${second.id}`, of.key),
      ]);
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(replies.find(({ status }) => status >= 300)?.body.code).toBe('last_active_project');
      expect(await activeOf(of)).toBe(1);
    }
  });

  it('D16, D8: renames that race with creates and with each other for one name are done or refused, never a fault of the server', async () => {
    for (let round = 0; round < 10; round += 1) {
      const of = await tenant();
      const [first, second] = [await make(of, 'first'), await make(of, 'second')];
      const replies = await Promise.all([
        call(round, 'PATCH', `/org/projects/${first.id}`, of.key, { name: 'Wanted' }),
        call(round + 1, 'PATCH', `/org/projects/${second.id}`, of.key, { name: 'wanted', status: 'archived' }),
        call(round + 2, 'POST', '/org/projects', of.key, { name: 'WANTED' }),
        call(round, 'POST', '/org/projects', of.key, { name: 'wantED' }),
      ]);
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(replies.filter(({ status }) => status >= 300).map(({ status, body }) => [status, body.code])).toEqual(
        Array.from({ length: 3 }, () => [409, 'conflict']),
      );
    }
  });

  it('D16: of many racing creates with one name in different case exactly one succeeds', async () => {
    const of = await tenant();
    const replies = await Promise.all(
      ['Race', 'race', 'RACE', 'rAce', 'raCe', 'racE'].map((name, on) => call(on, 'POST', '/org/projects', of.key, { name })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('D21: a resource that is made while its project is being deleted either keeps the project or is refused; a deleted project owns nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const of = await tenant();
      const project = await make(of, 'contested');
      const late = prisma()
        .profile.create({ data: { id: newId(), organizationId: of.organizationId, projectId: project.id } })
        .then(
          () => true,
          () => false,
        );
      const [inserted, deleted] = await Promise.all([late, call(round, 'DELETE', `/org/projects/${project.id}`, of.key)]);
      expect([inserted, deleted.status]).toEqual(inserted ? [true, 409] : [false, 204]);
    }
  });

  it('D5: a key made while its project is being deleted is refused or revoked with it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const of = await tenant();
      const project = await make(of, 'contested');
      await Promise.all([
        call(round, 'POST', '/org/api_keys', of.key, { name: 'k', project_id: project.id }),
        call(round + 1, 'DELETE', `/org/projects/${project.id}`, of.key),
      ]);
      expect(await prisma().apiKey.count({ where: { projectId: project.id, deletedAt: null } })).toBe(0);
    }
  });

  it('D10: a revoked key is refused by every process once the revocation is answered, though all of them had it cached', async () => {
    const of = await tenant();
    const key = (await call<CreatedApiKey>(0, 'POST', '/org/api_keys', of.key, { name: 'soon gone' })).body;
    for (const on of [0, 1, 2]) expect((await call(on, 'GET', '/whoami', key.key)).status).toBe(200);
    expect((await call(0, 'DELETE', `/org/api_keys/${key.id}`, of.key)).status).toBe(204);
    const deadline = Date.now() + 100;
    let statuses: number[];
    do statuses = await Promise.all([0, 1, 2].map(async (on) => (await call(on, 'GET', '/whoami', key.key)).status));
    while (statuses.includes(200) && Date.now() < deadline);
    expect(statuses).toEqual([401, 401, 401]);
  });

  it('D36: a burst of one Idempotency-Key over three processes creates once and answers all the same', async () => {
    const of = await tenant();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, on) =>
        call<Project>(on, 'POST', '/org/projects', of.key, { name: 'burst' }, { 'idempotency-key': 'burst' }),
      ),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
  });

  describe('pools', () => {
    const poolsOf = (of: Tenant) => prisma().browserPool.count({ where: { organizationId: of.organizationId, deletedAt: null } });

    async function expectSlots(of: Tenant, expected: number): Promise<void> {
      const { used, held } = await countSlots(apis.database, apis.stores.redisUrl, of.organizationId);
      expect(used).toEqual(held);
      expect(used.organization).toBe(expected);
    }

    /** Runs a statement by hand, and commits only when this many requests of those that `ask` makes wait for it in such a query. */
    async function whileUncommitted<T>(
      [statement, id]: readonly [statement: string, id: string],
      [waiters, query]: readonly [waiters: number, query: string],
      ask: () => Promise<T>,
    ): Promise<T> {
      const holder = new pg.Client(apis.stores.databaseUrl);
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(statement, [id]);
        const asked = ask();
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
        await until(async () => (await unscoped(apis.database).pool.query(waiting, [query])).rowCount === waiters);
        await holder.query('COMMIT');
        return await asked;
      } finally {
        await holder.end();
      }
    }
    const whileArchiving = <T>(projectId: string, ask: () => Promise<T>): Promise<T> =>
      whileUncommitted([`UPDATE projects SET status = 'archived' WHERE id = $1`, projectId], [1, '%FROM projects%FOR SHARE%'], ask);

    it('D20: a pool that is asked for while its project is being archived is refused, and reserves nothing', async () => {
      const of = await tenant();
      const project = await make(of, 'contested');
      const inProject = { 'x-service-project-id': project.id };
      const refused = await whileArchiving(project.id, () => call(1, 'POST', '/browser_pools', of.key, { size: 2 }, inProject));
      expect([refused.status, refused.body.code]).toEqual([404, 'project_not_found']);
      expect(await poolsOf(of)).toBe(0);
      await expectSlots(of, 0);
    });

    it('D20: a pool that is to grow while its project is being archived stays as it is', async () => {
      const of = await tenant();
      const project = await make(of, 'contested');
      const inProject = { 'x-service-project-id': project.id };
      const pool = (await call<BrowserPool>(0, 'POST', '/browser_pools', of.key, { size: 1 }, inProject)).body;
      const refused = await whileArchiving(project.id, () => call(2, 'PATCH', `/browser_pools/${pool.id}`, of.key, { size: 3 }, inProject));
      expect([refused.status, refused.body.code]).toEqual([404, 'project_not_found']);
      await expectSlots(of, 1);
    });

    it('D34: changes of different fields at the same moment are all kept', async () => {
      const of = await tenant();
      const profile = (await call<Profile>(0, 'POST', '/profiles', of.key, { name: 'kept' })).body;
      const pool = (await call<BrowserPool>(0, 'POST', '/browser_pools', of.key, { size: 1, timeout_seconds: 90 })).body;
      const changes = { name: 'racing', fill_rate_per_minute: 7, timeout_seconds: 120, profile: { name: 'kept' }, kiosk_mode: false };
      const replies = await whileUncommitted(
        ['SELECT 1 FROM browser_pools WHERE id = $1 FOR UPDATE', pool.id],
        [5, 'UPDATE%browser_pools%'],
        () =>
          Promise.all(
            Object.entries(changes).map(([field, value], on) => call(on, 'PATCH', `/browser_pools/${pool.id}`, of.key, { [field]: value })),
          ),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const { body: changed } = await call<BrowserPool>(1, 'GET', '/browser_pools/racing', of.key);
      expect([changed.profile_id, changed.browser_pool_config]).toEqual([profile.id, expect.objectContaining({ size: 1, ...changes })]);
    });

    it('D34: a profile that is deleted while a pool takes it into use: one of the two is refused, whichever way round', async () => {
      const of = await tenant();
      const pool = (await call<BrowserPool>(0, 'POST', '/browser_pools', of.key, { size: 1 })).body;
      for (let round = 0; round < 12; round += 1) {
        const profile = (await call<Profile>(round, 'POST', '/profiles', of.key, { name: `p${round}` })).body;
        const using = { profile: { id: profile.id } };
        const [used, deleted] = await Promise.all([
          round % 2 === 0
            ? call(round + 1, 'POST', '/browser_pools', of.key, { size: 1, ...using })
            : call(round + 1, 'PATCH', `/browser_pools/${pool.id}`, of.key, using),
          call(round + 2, 'DELETE', `/profiles/${profile.id}`, of.key),
        ]);
        const outcome = [used.status < 300, deleted.status, used.status < 300 ? deleted.body.code : used.body.code];
        expect(outcome).toEqual(outcome[0] === true ? [true, 400, 'resource_in_use'] : [false, 204, 'bad_request']);
        const live = await prisma().profile.count({ where: { id: profile.id, deletedAt: null } });
        expect(await prisma().browserPool.count({ where: { profileId: profile.id, deletedAt: null } })).toBe(live);
      }
    });

    it('D21: a pool that is made while its project is being deleted either keeps the project or is refused and reserves nothing', async () => {
      for (let round = 0; round < 6; round += 1) {
        const of = await tenant();
        const project = await make(of, 'contested');
        const [made, deleted] = await Promise.all([
          call(round, 'POST', '/browser_pools', of.key, { size: 2 }, { 'x-service-project-id': project.id }),
          call(round + 1, 'DELETE', `/org/projects/${project.id}`, of.key),
        ]);
        expect([made.status, deleted.status]).toEqual(made.status === 201 ? [201, 409] : [404, 204]);
        await expectSlots(of, made.status === 201 ? 2 : 0);
      }
    });
  });
});
