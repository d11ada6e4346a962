import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { type CreatedApiKey, type Endpoint, endpoints, type ErrorBody, type Project } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import type { FastifyInstance } from 'fastify';
import { type ApiFixture, type Reply, startApi } from './api-fixture.js';

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
  api = await startApi();
  [tenant, foreign] = [await api.tenant(), await api.tenant()];
  const make = async (name: string) => (await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name } })).body;
  [own, other, archived] = [await make('own'), await make('other'), await make('archived')];
  await api.call('PATCH', `/org/projects/${archived.id}`, { key: tenant.key, body: { status: 'archived' } });
  const keyOf = async (project_id: string) => (await api.call<CreatedApiKey>('POST', '/org/api_keys', { key: tenant.key, body: { name: 'bound', project_id } })).body.key;
  Object.assign(credentials, { none: undefined, unknown: 'bk_unknown', org: tenant.key, own: await keyOf(own.id), other: await keyOf(other.id), archived: await keyOf(archived.id) });
  const named = (value: string) => ({ 'x-service-project-id': value });
  Object.assign(headers, {
    absent: {}, blank: named(' '), default: named(tenant.defaultProjectId), own: named(own.id), other: named(other.id), unknown: named(newId()), name: named('own'), archived: named(archived.id),
    foreign: named(foreign.defaultProjectId), repeated: named(`${own.id},${own.id}`),
  });
  const fastify = api.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const all: readonly Endpoint[] = Object.values(endpoints);
  served = all.filter(({ method, path }) => fastify.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }));
});
afterAll(() => api.stop());

/** What the header step must answer for a credential (D3–D6), or undefined when it lets the request pass. */
function headerRefusal(credential: string, header: string): [number, string] | undefined {
  const bound: Record<string, string> = { own: 'own', other: 'other', archived: 'archived' };
  if (header === 'repeated') return [400, 'bad_request'];
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

async function ask({ method, path, body }: Endpoint, credential: string, header: string): Promise<Reply<ErrorBody>> {
  const key = credentials[credential];
  return api.call<ErrorBody>(method, path.replace(/\{\w+\}/g, 'no-such-thing'), { ...(key === undefined ? {} : { key }), ...(body === undefined ? {} : { body: badBody }), headers: headers[header] as Record<string, string> });
}

describe('every route of the running application', () => {
  it('Authentication 1, 4, D8: is 401 without a valid credential, whatever the header, unless it is public', async () => {
    for (const endpoint of served.filter(({ access }) => access !== 'none' && access !== 'hosted')) {
      for (const credential of ['none', 'unknown']) {
        for (const header of Object.keys(headers)) {
          const { status, body, headers: sent } = await ask(endpoint, credential, header);
          expect([endpoint.operationId, status, body.code, sent.get('www-authenticate')]).toEqual([endpoint.operationId, 401, 'unauthorized', 'Bearer']);
        }
      }
    }
  });

  it('Scoping 1–5, D3–D7: answers the header step’s refusal, else the role’s, for each credential and header, shows no foreign id and changes nothing', async () => {
    const before = await fingerprint();
    const secrets = { own: [other.id, foreign.defaultProjectId], other: [own.id, foreign.defaultProjectId], org: [foreign.defaultProjectId], archived: [own.id, other.id] } as Record<string, string[]>;
    for (const endpoint of served.filter(({ access }) => access !== 'none' && access !== 'hosted')) {
      for (const credential of ['org', 'own', 'other', 'archived']) {
        for (const header of Object.keys(headers)) {
          const reply = await ask(endpoint, credential, header);
          const label = `${endpoint.operationId} as ${credential} with header ${header}`;
          const bound = credential !== 'org';
          const refusal = headerRefusal(credential, header)
            ?? (bound && ['org_wide', 'own_project', 'own_key'].includes(endpoint.access) ? [403, 'forbidden'] : undefined)
            ?? (endpoint.pathRecord === undefined ? undefined : [404, endpoint.pathRecord === 'project' ? 'project_not_found' : 'not_found'])
            ?? (endpoint.body !== undefined ? [400, 'bad_request'] : undefined);
          if (refusal !== undefined) expect([label, reply.status, reply.body.code]).toEqual([label, ...refusal]);
          else expect([label, reply.status < 300]).toEqual([label, true]);
          const text = JSON.stringify(reply.body ?? null);
          expect([label, secrets[credential]?.filter((id) => text.includes(id))]).toEqual([label, []]);
        }
      }
    }
    expect(await fingerprint()).toBe(before);
  });
});
