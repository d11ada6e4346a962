import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { type CreatedApiKey, type Endpoint, endpoints, type ErrorBody, type PathRecord, type Project } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, type Reply, startApi } from './api-fixture.js';
import { audience, type Issuer, startIssuer } from './issuer.js';

let issuer: Issuer;
let api: ApiFixture;
let tenant: Tenant;
let foreign: Tenant;
let own: Project;
let other: Project;
let archived: Project;
const credentials: Record<string, string | undefined> = {};
const headers: Record<string, Record<string, string> | [string, string][]> = {};
/** The endpoints that the running application really serves, so that a new route cannot be forgotten. */
let served: Endpoint[];

beforeAll(async () => {
  issuer = await startIssuer();
  api = await startApi({
    BERTH_OAUTH_ISSUER: issuer.url,
    BERTH_OAUTH_AUDIENCE: audience,
    // Rows that no host backs are to stay as they are, for the fingerprints.
    BERTH_LEASE_SECONDS: '3600',
    BERTH_RECONCILE_SECONDS: '3600',
    BERTH_SWEEP_SECONDS: '300',
  });
  [tenant, foreign] = [await api.tenant({ externalId: 'acme' }), await api.tenant()];
  const make = async (name: string) => (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name } })).body;
  [own, other, archived] = [await make('own'), await make('other'), await make('archived')];
  const keyOf = async (project_id: string) =>
    (await api.call<CreatedApiKey>('POST', '/org/api_keys', { key: tenant.key, body: { name: 'bound', project_id } })).body.key;
  Object.assign(credentials, {
    none: undefined,
    unknown: 'bk_unknown',
    org: tenant.key,
    oauth: await issuer.token('acme'),
    own: await keyOf(own.id),
    other: await keyOf(other.id),
    archived: await keyOf(archived.id),
  });
  await api.call('PATCH', `/org/projects/${archived.id}`, { key: tenant.key, body: { status: 'archived' } });
  const named = (value: string) => ({ 'x-service-project-id': value });
  Object.assign(headers, {
    absent: {},
    blank: named(' '),
    default: named(tenant.defaultProjectId),
    own: named(own.id),
    other: named(other.id),
    unknown: named(newId()),
    name: named('own'),
    archived: named(archived.id),
    foreign: named(foreign.defaultProjectId),
    repeated: named(`${own.id},${own.id}`),
  });
  const fastify = api.app.getHttpAdapter().getInstance();
  const all: readonly Endpoint[] = Object.values(endpoints);
  // A route that is no endpoint, and an endpoint without a route, do not boot (corridor); what is here is all there is.
  served = all.filter(({ method, path }) => fastify.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }));
  if (served.length !== all.length) throw new Error('the application does not serve its contract');
});
const behindBearer = (): Endpoint[] => served.filter(({ access }) => access !== 'none' && access !== 'hosted');
afterAll(async () => {
  await api.stop('forged');
  await issuer.stop();
});

/** What the header step must answer for a credential (D3–D6), or undefined when it lets the request pass. */
function headerRefusal(credential: string, header: string): [number, string] | undefined {
  const bound: Record<string, string> = { own: 'own', other: 'other', archived: 'archived' };
  if (header === 'repeated') return [400, 'bad_request'];
  if (header === 'name') return [404, 'project_not_found'];
  const absent = header === 'absent' || header === 'blank';
  const binding = bound[credential];
  if (binding !== undefined) {
    if (!absent && header !== binding) return [403, 'forbidden'];
    return binding === 'archived' ? [404, 'project_not_found'] : undefined;
  }
  return absent || ['default', 'own', 'other'].includes(header) ? undefined : [404, 'project_not_found'];
}

async function fingerprint(): Promise<string> {
  const { rows } = await unscoped(api.database).pool.query<{ tables: string }>(
    `SELECT string_agg(name || ':' || total, ',' ORDER BY name) AS tables FROM (
       SELECT table_name AS name, (xpath('/row/c/text()', query_to_xml(format('SELECT md5(coalesce(string_agg(t::text, '','' ORDER BY t::text), '''')) AS c FROM %I t', table_name), false, true, '')))[1]::text AS total
         FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations') AS counted`,
  );
  return rows[0]?.tables ?? '';
}

/** A body that no endpoint takes, so that what gets past every refusal ends at 400 instead of making something. */
const badBody = { no_such_field: true };

async function ask({ method, path, body }: Endpoint, credential: string, header: string, id = 'no-such-thing'): Promise<Reply<ErrorBody>> {
  const key = credentials[credential];
  return api.call<ErrorBody>(method, path.replace(/\{\w+\}/g, id), {
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body: badBody }),
    headers: headers[header] as Record<string, string>,
  });
}

type ProjectRecord = Exclude<PathRecord, 'project' | 'api_key'>;

/** One of everything that a project owns. Rows for what needs a browser host. */
async function furnish(projectId: string): Promise<Record<ProjectRecord, string>> {
  const make = async (path: string, body: object) =>
    (await api.call<{ id: string }>('POST', path, { key: tenant.key, project: projectId, body })).body.id;
  const owner = { organizationId: tenant.organizationId, projectId };
  const invocation = await make('/invocations', { app_name: 'a', action_name: 'b', version: '1' });
  const { prisma } = unscoped(api.database);
  const browser = await prisma.browserSession.create({
    data: {
      ...owner,
      id: newId(),
      kind: 'on_demand',
      status: 'running',
      headless: true,
      timeoutSeconds: 3600,
      hostPublicUrl: 'http://127.0.0.1:9',
      startedAt: new Date(),
    },
  });
  const connection = await make('/auth/connections', { domain: 'x.test', profile_name: 'q' });
  return {
    browser: browser.id,
    browser_pool: (await prisma.browserPool.create({ data: { ...owner, id: newId(), size: 1, config: {} } })).id,
    invocation,
    invocation_browsers: invocation,
    profile: await make('/profiles', { name: 'p' }),
    credential: await make('/credentials', { name: 'c', domain: 'x.test', values: { username: 'u' } }),
    auth_connection: connection,
    connection_standing: connection,
    followed_connection: connection,
  };
}

describe('every route of the running application', () => {
  it('D8, D53, D58: a public one answers the same to every credential and header, a hosted one is 401 to each of them, and nothing changes', async () => {
    const before = await fingerprint();
    const [open, hosted] = [served.filter(({ access }) => access === 'none'), served.filter(({ access }) => access === 'hosted')];
    expect([open.length + hosted.length + behindBearer().length, open.length > 5, hosted.length > 1]).toEqual([served.length, true, true]);
    for (const endpoint of [...open, ...hosted]) {
      const seen = new Set<string>();
      for (const credential of Object.keys(credentials)) {
        for (const header of Object.keys(headers)) {
          const reply = await ask(endpoint, credential, header);
          // Of the metrics the numbers move.
          seen.add(`${reply.status} ${endpoint.operationId === 'metrics' ? '' : JSON.stringify(reply.body)}`);
        }
      }
      const expected =
        endpoint.access === 'hosted' ? /^401 .*"unauthorized"/ : endpoint.path.includes('{') ? /^404 .*"not_found"/ : /^200 /;
      expect([endpoint.operationId, [...seen]]).toEqual([endpoint.operationId, [expect.stringMatching(expected)]]);
    }
    expect(await fingerprint()).toBe(before);
  });

  it('Authentication 1, 4, Errors 8, D8: is 401 without a valid credential, whatever the header, unless it is public', async () => {
    for (const endpoint of behindBearer()) {
      for (const credential of ['none', 'unknown']) {
        for (const header of Object.keys(headers)) {
          const { status, body, headers: sent } = await ask(endpoint, credential, header);
          expect([endpoint.operationId, status, body.code, sent.get('www-authenticate')]).toEqual([
            endpoint.operationId,
            401,
            'unauthorized',
            'Bearer',
          ]);
        }
      }
    }
  });

  it('Scoping 1–5, Errors 3, 6, D3–D7: answers the header step’s refusal, else the role’s, for each credential and header, shows no foreign id and changes nothing', async () => {
    const before = await fingerprint();
    const secrets = {
      own: [other.id, foreign.defaultProjectId],
      other: [own.id, foreign.defaultProjectId],
      org: [foreign.defaultProjectId],
      oauth: [foreign.defaultProjectId],
      archived: [own.id, other.id],
    } as Record<string, string[]>;
    for (const endpoint of behindBearer()) {
      for (const credential of ['org', 'oauth', 'own', 'other', 'archived']) {
        for (const header of Object.keys(headers)) {
          const reply = await ask(endpoint, credential, header);
          const label = `${endpoint.operationId} as ${credential} with header ${header}`;
          const bound = !['org', 'oauth'].includes(credential);
          const refusal =
            headerRefusal(credential, header) ??
            (bound && ['org_wide', 'own_project', 'own_key'].includes(endpoint.access) ? [403, 'forbidden'] : undefined) ??
            (endpoint.pathRecord === undefined
              ? undefined
              : [404, endpoint.pathRecord === 'project' ? 'project_not_found' : 'not_found']) ??
            (endpoint.body !== undefined ? [400, 'bad_request'] : undefined);
          if (refusal !== undefined) expect([label, reply.status, reply.body.code]).toEqual([label, ...refusal]);
          else expect([label, reply.status < 300]).toEqual([label, true]);
          const text = JSON.stringify(reply.body ?? null);
          expect([label, secrets[credential]?.filter((id) => text.includes(id))]).toEqual([label, []]);
        }
      }
    }
    expect(await fingerprint()).toBe(before);
  });

  it('Service 1, Scoping 2–5, D3, D8: a resource is found by its id in its own project alone, with every credential that may name the project, and elsewhere no method changes it', async () => {
    const projects = { own: own.id, other: other.id };
    const resources = { own: await furnish(own.id), other: await furnish(other.id) };
    const before = await fingerprint();
    const byRecord = served.filter(({ pathRecord }) => pathRecord !== undefined && pathRecord !== 'project' && pathRecord !== 'api_key');
    expect(new Set(byRecord.map(({ pathRecord }) => pathRecord))).toEqual(new Set(Object.keys(resources.own)));
    for (const endpoint of byRecord) {
      for (const [credential, header, acting] of [
        ['org', 'own', 'own'],
        ['oauth', 'own', 'own'],
        ['own', 'absent', 'own'],
        ['own', 'own', 'own'],
        ['other', 'absent', 'other'],
        ['org', 'other', 'other'],
        ['org', 'absent', 'default'],
      ] as const) {
        for (const owner of ['own', 'other'] as const) {
          const label = `${endpoint.operationId} of ${owner} as ${credential} with header ${header}`;
          const id = resources[owner][endpoint.pathRecord as ProjectRecord];
          if (acting !== owner) {
            const reply = await ask(endpoint, credential, header, id);
            expect([label, reply.status, reply.body.code, JSON.stringify(reply.body).includes(projects[owner])]).toEqual([
              label,
              404,
              'not_found',
              false,
            ]);
          } else if (endpoint.method === 'GET') {
            // 400 where this one has not what is asked for: a credential without a TOTP secret has no code.
            expect([label, [200, 400].includes((await ask(endpoint, credential, header, id)).status)]).toEqual([label, true]);
          }
        }
      }
    }
    expect(await fingerprint()).toBe(before);
    // The long poll, for the pool's own project alone, and with nothing to lease.
    const acquire = (project: string) =>
      api.call<ErrorBody>('POST', `/browser_pools/${resources.own.browser_pool}/acquire`, {
        key: tenant.key,
        project,
        body: { acquire_timeout_seconds: 0 },
      });
    expect([(await acquire(own.id)).status, (await acquire(other.id)).status]).toEqual([204, 404]);
  });
});
