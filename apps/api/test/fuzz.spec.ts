import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Access,
  type Endpoint,
  endpoints,
  type ErrorBody,
  ErrorBody as ErrorSchema,
  type LoginStarted,
  type Project,
} from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import fc from 'fast-check';
import { z } from 'zod';
import { type ApiFixture, startApi } from './api-fixture.js';
import { noHostEnv } from './login-world.js';
import { rawRequest, sendRaw } from './raw-request.js';
import { shapedLike } from './shaped-like.js';

let api: ApiFixture;
let tenant: Tenant;
let visitor: { readonly cookie: string; readonly token: string; readonly flowId: string };
beforeAll(async () => {
  api = await startApi(noHostEnv);
  tenant = await api.tenant();
  visitor = await hostedVisitor();
});
afterAll(() => api.stop());

/** The cookie of a running flow's hosted page, and the page's own link. */
async function hostedVisitor(): Promise<typeof visitor> {
  const { key } = await api.tenant();
  const { body: connection } = await api.call<{ id: string }>('POST', '/auth/connections', {
    key,
    body: { domain: 'x.test', profile_name: 'visitor' },
  });
  const { body: login } = await api.call<LoginStarted>('POST', `/auth/connections/${connection.id}/login`, { key });
  const token = new URL(login.hosted_url).pathname.split('/').at(-1) ?? '';
  const cookie = (await api.call('GET', `/hosted/${token}`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  return { token, cookie, flowId: /=(\w+)/.exec(cookie)?.[1] ?? '' };
}

const odd = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '%2F',
  '%',
  'a/b',
  '\u0000',
  '\u202e right to left',
  'שלום',
  '🚀',
  '🚀'.repeat(255),
  'x'.repeat(256),
  'e\u0301',
  '\ud800',
  '__proto__',
  'constructor',
  "'; DROP TABLE projects; --",
];
const text = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const number = fc.constantFrom(
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '1e3',
  '9007199254740992',
  '1e309',
  '-1e309',
  '"5"',
  '1000000',
  '1000001',
  'null',
  'true',
  '[]',
  '{}',
);
const field = fc.constantFrom(
  'name',
  'status',
  'project_id',
  'days_to_expire',
  'expire_in_days',
  'max_concurrent_sessions',
  'max_concurrent_invocations',
  'default_project_max_concurrent_sessions',
  'max_pooled_sessions',
  '__proto__',
  'toString',
  'extra',
);
const value = fc.oneof(
  text.map((given) => JSON.stringify(given)),
  number,
  fc.jsonValue({ maxDepth: 3 }).map((given) => JSON.stringify(given)),
);
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.tuple(field, value), { maxLength: 4 })
      .map((pairs) => `{${pairs.map(([name, given]) => `${JSON.stringify(name)}:${given}`).join(',')}}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '[]', 'null', '5', '"text"', '{', '{"name":}', '\u0000', '{"name":"\\ud800"}') },
);
const route = fc.constantFrom(
  ['POST', '/org/projects'],
  ['PATCH', '/org/projects/{id}'],
  ['PATCH', '/org/limits'],
  ['PATCH', '/org/projects/{id}/limits'],
  ['POST', '/org/api_keys'],
  ['PATCH', '/org/api_keys/{id}'],
  ['POST', '/org/api_keys/{id}/rotate'],
  ['GET', '/org/projects/{id}'],
  ['GET', '/org/api_keys/{id}'],
  ['GET', '/org/projects'],
  ['GET', '/org/api_keys'],
);

/** What an answer to nonsense may be: a success, or a 4xx with the Error body; never 5xx. */
function assertSane(status: number, answer: unknown): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(ErrorSchema.safeParse(answer).success).toBe(true);
}

describe('nonsense', () => {
  it('D8: any body on any route, any path and any query is answered by a success or a 4xx with the Error body', async () => {
    await fc.assert(
      fc.asyncProperty(route, text, text, body, async ([method, path], id, query, given) => {
        const target = `${path?.replace('{id}', encodeURIComponent(id.toWellFormed())) ?? ''}?limit=5&query=${encodeURIComponent(query.toWellFormed())}&name=${encodeURIComponent(id.toWellFormed())}`;
        const reply = await api.call<ErrorBody>(method, target, { key: tenant.key, ...(method === 'GET' ? {} : { body: given }) });
        assertSane(reply.status, reply.body);
      }),
      { numRuns: 400 },
    );
  });

  const all: readonly Endpoint[] = Object.values(endpoints);
  /** The long poll is asked not to wait; what is no valid wait stays as it is. */
  function impatient({ operationId }: Endpoint, body: unknown): unknown {
    if (operationId !== 'acquireFromPool') return body;
    if (body === undefined) return { acquire_timeout_seconds: 0 };
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const { acquire_timeout_seconds: wait = 1 } = body as { readonly acquire_timeout_seconds?: unknown };
    return typeof wait === 'number' && wait > 0 ? { ...body, acquire_timeout_seconds: 0 } : body;
  }

  it('D8, D24, D30, D34, D35, D37, D58: bodies and queries made after the own schema of every endpoint, good and bad, never meet a 5xx', async () => {
    // One slot, and a pool holds it: whatever would start a browser is 429 at once.
    const full = await api.tenant({ maxConcurrentSessions: 1 });
    const as = { key: full.key };
    const made = async (path: string, body: object) => (await api.call<{ id: string }>('POST', path, { ...as, body })).body.id;
    const connection = await made('/auth/connections', { domain: 'x.test', profile_name: 'q' });
    const invocation = await made('/invocations', { app_name: 'a', action_name: 'b', version: '1' });
    const ids = {
      project: full.defaultProjectId,
      api_key: await made('/org/api_keys', { name: 'k' }),
      invocation,
      invocation_browsers: invocation,
      profile: await made('/profiles', { name: 'p' }),
      credential: await made('/credentials', { name: 'c', domain: 'x.test', values: { username: 'u' } }),
      auth_connection: connection,
      connection_standing: connection,
      followed_connection: connection,
      browser: 'none',
      browser_pool: await made('/browser_pools', { name: 'holds-the-slot', size: 1 }),
    };
    const credentialOf: Record<Access, () => { key?: string; headers?: Record<string, string> }> = {
      any: () => as,
      org_wide: () => as,
      own_project: () => as,
      own_key: () => as,
      none: () => ({}),
      hosted: () => ({ headers: { cookie: visitor.cookie } }),
    };
    const json = (schema: z.ZodType) => shapedLike(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    for (const endpoint of all) {
      // Deleting by its real id would leave the endpoints after it with nothing to find.
      const real =
        endpoint.method === 'DELETE'
          ? 'none'
          : endpoint.access === 'hosted'
            ? visitor.flowId
            : endpoint.pathRecord === undefined
              ? visitor.token
              : ids[endpoint.pathRecord];
      const body = endpoint.body === undefined ? fc.constant(undefined) : json(endpoint.body);
      const query = endpoint.query === undefined ? fc.constant({}) : json(endpoint.query);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(real, real, 'none'), query, body, async (id, parameters, given) => {
          const search = new URLSearchParams(
            Object.entries(typeof parameters === 'object' && parameters !== null ? parameters : {}).map(([name, one]): [string, string] => [
              name,
              (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')).toWellFormed(),
            ]),
          );
          const sent = impatient(endpoint, given);
          const reply = await api.call<ErrorBody>(endpoint.method, `${endpoint.path.replace(/\{\w+\}/, id)}?${search.toString()}`, {
            ...credentialOf[endpoint.access](),
            ...(sent === undefined ? {} : { body: JSON.stringify(sent) ?? '' }),
          });
          if (reply.status >= 500) throw new Error(`${endpoint.operationId} answered ${reply.status}`);
          assertSane(reply.status, reply.body);
        }),
        { numRuns: 25 },
      );
    }
  }, 120_000);

  it('D8: any headers, any media type and any bytes are answered by a success or a 4xx with the Error body', async () => {
    const header = fc.constantFrom(
      'Idempotency-Key: a',
      'Idempotency-Key: ',
      `Idempotency-Key: ${'x'.repeat(300)}`,
      'Content-Type: application/json; charset=utf-16',
      'Content-Type: text/plain',
      'Content-Encoding: gzip',
      'Host: other',
      'Expect: 100-continue',
      'Expect: x',
      'X-Request-Id: \xff',
      'X-Service-Project-Id: a,b',
      `X-Service-Project-Id: ${tenant.defaultProjectId}`,
      'Authorization: Bearer x',
      'Authorization: ',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Content-Length: 0',
      'Content-Length: x',
      'Upgrade: websocket',
      'Accept: text/html',
      'Range: bytes=0-1',
      'X: ',
      ': x',
      'a b: c',
      'Content-Type: application/json',
      `X-Long: ${'y'.repeat(17_000)}`,
    );
    const bytes = fc.oneof(
      body.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 50 }).map((given) => Buffer.from(given)),
      fc.nat(400).map((depth) => Buffer.from(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
    );
    const line = fc.constantFrom(
      'POST /org/projects',
      'PATCH /org/limits',
      'DELETE /profiles/none',
      'GET /whoami',
      'HEAD /whoami',
      'OPTIONS *',
      'CONNECT x:1',
      'POST /profiles?tags[]=',
      'GET /browsers?tags[__proto__]=a&limit[]=1',
      'GET /browsers?tags[%00]=a',
      'GET /browsers?tags[%ff]=a&%=',
      'GET /invocations?since=0000-01-01T00:00:00Z',
      'GET //x',
      'get /whoami',
    );
    await fc.assert(
      fc.asyncProperty(line, fc.array(header, { maxLength: 3 }), bytes, async (request, headers, given) => {
        const raw = rawRequest(request, { key: tenant.key, headers, body: given });
        // Whoever announces chunks and sends none would be waited for.
        const {
          status,
          headers: sent,
          body: answer,
        } = await sendRaw(
          api.url,
          headers.some((one) => one.startsWith('Transfer-Encoding')) ? Buffer.concat([raw, Buffer.from('0\r\n\r\n')]) : raw,
        );
        if (status === 100) return;
        expect(sent['x-request-id']).toMatch(/^[A-Za-z0-9._-]+$/);
        assertSane(status, answer === '' ? { code: '', message: '' } : JSON.parse(answer));
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  it('D16: a legal name is stored trimmed in NFC and found again by every spelling of it', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(name, async (given) => {
        const made = await api.call<Project & ErrorBody>('POST', '/org/projects', { key: tenant.key, body: { name: given } });
        if (made.status !== 201) return assertSane(made.status, made.body);
        expect(made.body.name).toBe(given.normalize('NFC').trim());
        const found = await api.call<Project>('GET', `/org/projects/${encodeURIComponent(made.body.name)}`, { key: tenant.key });
        expect(found.body.id).toBe(made.body.id);
        expect((await api.call('DELETE', `/org/projects/${made.body.id}`, { key: tenant.key })).status).toBe(204);
      }),
      { numRuns: 60 },
    );
  });
});
