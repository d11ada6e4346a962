import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Endpoint, endpoints, ErrorBody, type Project } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type RawAnswer, rawRequest, sendRaw } from './raw-request.js';

const json = 'Content-Type: application/json';
const mebibyte = 1024 * 1024;

let api: ApiFixture;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi({ BERTH_PROJECT_HEADER_ALIASES: 'X-Other-Project-Id' });
  tenant = await api.tenant();
});
afterAll(() => api.stop());

type Sent = Parameters<typeof rawRequest>[1];
const send = (line: string, sent: Sent = {}): Promise<RawAnswer> => sendRaw(api.url, rawRequest(line, { key: tenant.key, ...sent }));

/** Status and code; every refusal has the Error body, its media type and a request id. */
function refusalOf({ status, headers, body }: RawAnswer): [number, string] {
  const error = ErrorBody.parse(JSON.parse(body));
  expect([headers['content-type'], headers['x-request-id']]).toEqual([
    'application/json; charset=utf-8',
    expect.stringMatching(/^[A-Za-z0-9._-]+$/),
  ]);
  return [status, error.code];
}

describe('bodies', () => {
  it.each([
    ['application/json; charset=utf-8', 201],
    ['APPLICATION/JSON', 201],
    ['application/json;charset="UTF-8"', 201],
    ['application/json; profile=x; charset=utf8', 201],
    ['text/plain', 400],
    ['application/jsonx', 400],
    ['application/vnd.api+json', 400],
    [';;;', 400],
    ['application/json; charset=latin1', 400],
    ['application/json; profile=x; charset="utf-16"', 400],
    ['application/json;charset=', 400],
  ])('D8: a body with the media type "%s" is %i', async (type, status) => {
    const answer = await send('POST /org/projects', { headers: [`Content-Type: ${type}`], body: JSON.stringify({ name: `as ${type}` }) });
    if (status === 201) expect(answer.status).toBe(201);
    else expect(refusalOf(answer)).toEqual([400, 'bad_request']);
  });

  it.each([
    ['without a media type', [], 'must be JSON, with the media type application/json'],
    ['with two media types', [json, 'Content-Type: text/plain'], 'must have one media type, application/json'],
    ['that says it is packed', [json, 'Content-Encoding: gzip'], 'must be sent without a Content-Encoding'],
    ['in another character set', [`${json}; charset=latin1`], 'must be in UTF-8; its media type names another character set'],
  ])('D8: a body %s is 400, told in details', async (_what, headers, message) => {
    const answer = await send('POST /org/projects', { headers, body: '{"name":"odd"}' });
    expect([...refusalOf(answer), (JSON.parse(answer.body) as ErrorBody).details]).toEqual([
      400,
      'bad_request',
      [{ code: 'invalid_body', message: `body: ${message}` }],
    ]);
  });

  it('D8: chunks without a length are read, an identity coding is none, and Expect: 100-continue is met', async () => {
    const chunked = rawRequest('POST /org/projects', { key: tenant.key, headers: [json, 'Transfer-Encoding: chunked'] });
    expect((await sendRaw(api.url, Buffer.concat([chunked, Buffer.from('6\r\n{"name\r\na\r\n":"chunk"}\r\n0\r\n\r\n')]))).status).toBe(201);
    expect((await send('POST /org/projects', { headers: [json, 'Content-Encoding: identity'], body: '{"name":"plain"}' })).status).toBe(
      201,
    );
    expect((await send('POST /org/projects', { headers: [json, 'Expect: 100-continue'], body: '{"name":"expected"}' })).status).toBe(100);
    expect((await send('GET /org/projects/expected')).status).toBe(200);
  });

  it('D8: chunks that say they are packed are refused, whatever is in them', async () => {
    const packed = rawRequest('POST /org/projects', { key: tenant.key, headers: [json, 'Transfer-Encoding: gzip, chunked'] });
    const answer = await sendRaw(api.url, Buffer.concat([packed, Buffer.from('10\r\n{"name":"packed"}\r\n0\r\n\r\n')]));
    expect(refusalOf(answer)).toEqual([400, 'bad_request']);
    expect((await send('GET /org/projects/packed')).status).toBe(404);
  });

  it('D8, D30: text or a name in a free-form object that could not be kept is 400, in a body as in a query', async () => {
    const faults = async (line: string, body = '') => {
      const answer = await send(line, body === '' ? {} : { headers: [json], body });
      return [...refusalOf(answer), (JSON.parse(answer.body) as ErrorBody).details?.map(({ message }) => message)];
    };
    const told = (field: string) => [400, 'bad_request', [`${field}: must not have the name __proto__`]];
    expect(await faults('POST /browsers', '{"tags":{"__proto__":"x","a":"b"}}')).toEqual(told('tags'));
    expect(await faults('POST /browsers', '{"chrome_policy":{"a":[{"__proto__":1}]}}')).toEqual(told('chrome_policy.a[0]'));
    expect(await faults('POST /credentials', '{"name":"n","domain":"x.test","values":{"username":"u","__proto__":"p"}}')).toEqual(
      told('values'),
    );
    const unstorable = (message: string) => [400, 'bad_request', [message]];
    for (const text of ['\\ud800', '\\u0000']) {
      expect(await faults('POST /invocations', `{"app_name":"a","action_name":"b","version":"1","payload":"${text}"}`)).toEqual(
        unstorable('payload: must not contain a null character or a lone surrogate'),
      );
      expect(await faults('POST /credentials', `{"name":"n","domain":"x.test","values":{"a${text}":"u"}}`)).toEqual(
        unstorable('values: has a name with a null character or a lone surrogate'),
      );
      expect(await faults('POST /browsers', `{"chrome_policy":{"a":["${text}"]}}`)).toEqual(
        unstorable('chrome_policy.a[0]: must not contain a null character or a lone surrogate'),
      );
    }
    expect(await faults('GET /browsers?tags[__proto__]=x')).toEqual(told('tags[__proto__]'));
    expect((await send('GET /browsers?tags[constructor]=x')).body).toBe('[]');
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xc3, ...Buffer.from('"}')]), 'body: is not valid UTF-8'],
    ['half of a character', Buffer.from([...Buffer.from('{"name":"'), 0xe2, 0x82, ...Buffer.from('"}')]), 'body: is not valid UTF-8'],
    ['a byte order mark', Buffer.from('\ufeff{"name":"x"}'), 'body: is not valid JSON'],
    ['half of an object', Buffer.from('{"name":'), 'body: is not valid JSON'],
    ['null', Buffer.from('null'), 'body: must be an object, not null'],
    ['a list', Buffer.from('[]'), 'body: must be an object, not a list'],
    ['text', Buffer.from('"name"'), 'body: must be an object, not text'],
    ['nothing', Buffer.from(''), 'body: is missing'],
    ['a field __proto__', Buffer.from('{"name":"x","__proto__":{}}'), '__proto__: is not a known field'],
    ['a field given twice', Buffer.from('{"name":"x","name":"y"}'), 'name: must be given once'],
    [
      'a list 100 000 deep',
      Buffer.from(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      'body: must not be nested deeper than 100 levels',
    ],
    [
      'an object 100 000 deep',
      Buffer.from(`{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
      'body: must not be nested deeper than 100 levels',
    ],
  ])('D8: a body of %s is 400, told in details', async (_what, body, message) => {
    const answer = await send('POST /org/projects', { headers: [json], body });
    expect(refusalOf(answer)).toEqual([400, 'bad_request']);
    expect((JSON.parse(answer.body) as ErrorBody).details?.map((detail) => detail.message)).toEqual([message]);
  });

  it('D8: a name is stored byte for byte as it was sent, a replacement character included', async () => {
    const name = '\ufffd \u{1f680}';
    const { body } = await send('POST /org/projects', { headers: [json], body: JSON.stringify({ name }) });
    expect((JSON.parse(body) as Project).name).toBe(name);
  });

  it('D8: a body of exactly 1 MiB is read, one byte more is 413, chunked or not, and nothing is read before the credential', async () => {
    const exact = '{"name":"large"}'.padEnd(mebibyte, ' ');
    expect((await send('POST /org/projects', { headers: [json], body: exact })).status).toBe(201);
    expect(refusalOf(await send('POST /org/projects', { headers: [json], body: `${exact} ` }))).toEqual([413, 'bad_request']);
    const chunked = `${(mebibyte + 1).toString(16)}\r\n${exact} \r\n0\r\n\r\n`;
    const head = rawRequest('POST /org/projects', { key: tenant.key, headers: [json, 'Transfer-Encoding: chunked'] });
    expect(refusalOf(await sendRaw(api.url, Buffer.concat([head, Buffer.from(chunked)])))).toEqual([413, 'bad_request']);
    expect(refusalOf(await sendRaw(api.url, rawRequest('POST /org/projects', { headers: [json], body: `${exact} ` })))).toEqual([
      401,
      'unauthorized',
    ]);
  });

  const all: readonly Endpoint[] = Object.values(endpoints);

  it('D8: an answer lists 100 faults and says how many more there are, each by the beginning of its name, however long that is', async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `n${index}`);
    const tags = Object.fromEntries(names.map((name) => [name, 1]));
    const some = JSON.stringify({ tags, ['x'.repeat(900_000)]: 1, more: 1 });
    const answer = await send('POST /browsers', { headers: [json], body: some });
    expect(refusalOf(answer)).toEqual([400, 'bad_request']);
    const { message, details = [] } = JSON.parse(answer.body) as ErrorBody;
    expect([details.length, details[0]?.message]).toEqual([100, expect.stringMatching(/^tags\.n0: must be text/)]);
    expect(message).toBe('The request is not valid; see details. They list 100 faults; there are 1402 more.');
    const long = await send('POST /browsers', { headers: [json], body: JSON.stringify({ ['x'.repeat(900_000)]: 1 }) });
    expect((JSON.parse(long.body) as ErrorBody).details).toEqual([
      { code: 'unknown_field', message: `${'x'.repeat(300)}…: is not a known field` },
    ]);
    const query = await send(`GET /org/projects?${'limit=&'.repeat(1_200)}`);
    expect((JSON.parse(query.body) as ErrorBody).details).toHaveLength(100);
  });

  it('D8: a body of more than 2000 fields and entries in all is refused as a whole, by one fault', async () => {
    const entries = Array.from({ length: 80_000 }, (_, index) => [`n${index}`, 1] as const);
    for (const body of [
      Object.fromEntries(entries),
      { tags: Object.fromEntries(entries.slice(0, 2_000)) },
      { tags: entries.map(() => 1) },
    ]) {
      const answer = await send('POST /browsers', { headers: [json], body: JSON.stringify(body) });
      expect([...refusalOf(answer), (JSON.parse(answer.body) as ErrorBody).details]).toEqual([
        400,
        'bad_request',
        [{ code: 'invalid_field', message: 'body: must not have more than 2000 fields and entries in all' }],
      ]);
    }
  });

  it('D8: where a body is optional, none, an empty one and {} are the same; a field that is not known is 400 also where no body is taken', async () => {
    const pool = (await api.call<{ id: string }>('POST', '/browser_pools', { key: tenant.key, body: { size: 1 } })).body.id;
    for (const sent of [{}, { headers: [json] }, { headers: [json], body: '{}' }])
      expect((await send(`POST /browser_pools/${pool}/flush`, sent)).status).toBe(204);
    const unknown = await send(`POST /browser_pools/${pool}/flush`, { headers: [json], body: '{"now":true}' });
    expect([...refusalOf(unknown), (JSON.parse(unknown.body) as ErrorBody).details]).toEqual([
      400,
      'bad_request',
      [{ code: 'unknown_field', message: 'now: is not a known field' }],
    ]);
    expect(refusalOf(await send('DELETE /org/projects/Default', { headers: [json], body: '{"force":true}' }))).toEqual([
      400,
      'bad_request',
    ]);
  });

  it.each([
    ['twice', ['a', 'b']],
    ['twice the same', ['a', 'a']],
    ['empty', ['']],
    ['of 256 characters', ['x'.repeat(256)]],
  ])('D7, D36: an Idempotency-Key %s is 400 and listed beside what else is wrong, and nothing is made', async (_what, keys) => {
    const headers = [json, ...keys.map((key) => `Idempotency-Key: ${key}`)];
    const fault = { code: 'invalid_header', message: 'Idempotency-Key: must be sent once, with 1 to 255 characters' };
    const details = async (body: string) => {
      const answer = await send('POST /org/projects', { headers, body });
      return [...refusalOf(answer), (JSON.parse(answer.body) as ErrorBody).details];
    };
    expect(await details('{"name":"not made"}')).toEqual([400, 'bad_request', [fault]]);
    expect(await details('{"named":"x","name":"y"}')).toEqual([
      400,
      'bad_request',
      [{ code: 'unknown_field', message: 'named: is not a known field' }, fault],
    ]);
    expect((await send('GET /org/projects/not%20made')).status).toBe(404);
  });

  it('D36: an Idempotency-Key may hold any characters of a header, a comma too, and where no key is taken none is looked at', async () => {
    const once = () => send('POST /org/projects', { headers: [json, 'idempotency-KEY: a, b \xe9'], body: '{"name":"keyed"}' });
    const [first, again] = [await once(), await once()];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect((await send('GET /whoami', { headers: ['Idempotency-Key: a', 'Idempotency-Key: b'] })).status).toBe(200);
  });

  it('D36: every POST of a bearer credential takes an Idempotency-Key', () => {
    expect(all.filter(({ method, access, idempotent }) => method === 'POST' && access !== 'hosted' && idempotent !== true)).toEqual([]);
  });
});

describe('paths and methods', () => {
  it('D7, D8: what the service does not have is 404 before a credential is asked for and before a body is read', async () => {
    const nothing = [
      'GET /',
      'GET *',
      'OPTIONS *',
      'GET /nowhere',
      'GET //org/projects',
      'GET /org//projects',
      'GET /./org/projects',
      'GET /org/../org/projects',
      'GET /org%2Fprojects',
      'GET /org/projects;a=b',
      'GET /ORG/projects',
      'GET /org/limits/',
      'GET /org/projects/Default/limits/',
      'GET /docs/',
      'GET /hosted/',
      'DELETE /org/projects',
      'DELETE /whoami',
      'PUT /org/projects',
      'OPTIONS /org/projects',
      'TRACE /org/projects',
      'PROPFIND /org/projects',
      'POST /org/limits',
    ];
    for (const line of nothing) {
      for (const body of ['', 'not json', 'x'.repeat(mebibyte + 1)]) {
        const answer = await sendRaw(api.url, rawRequest(line, { headers: [json], body }));
        expect([line, ...refusalOf(answer)]).toEqual([line, 404, 'not_found']);
      }
    }
  });

  it('D8: a path may be percent-encoded anywhere, and CONNECT is a wrong method like any other', async () => {
    expect((await send('GET /%6frg/limits')).status).toBe(200);
    expect(refusalOf(await send('CONNECT berth.test:443'))).toEqual([404, 'not_found']);
  });

  it('D8: a path is taken as it is written: one with a fragment, which routers cut off, names nothing', async () => {
    const { body: made } = await api.call<Project>('POST', '/org/projects', { key: tenant.key, body: { name: 'Cust' } });
    expect(refusalOf(await send(`DELETE /org/projects/Cust#2`))).toEqual([400, 'bad_request']);
    expect((await api.call<Project>('GET', `/org/projects/${made.id}`, { key: tenant.key })).body.status).toBe('active');
  });

  it('D8: HEAD is a wrong method, answered without a body as HTTP has it', async () => {
    const { status, body, headers } = await send('HEAD /org/projects');
    expect([status, body, headers['x-request-id']]).toEqual([404, '', expect.any(String)]);
  });

  it('D7, D17: an empty {id}, one with a slash encoded, a null character or thousands of characters names nothing: 404', async () => {
    for (const wanted of ['', 'Default%2Flimits', '%00', 'x'.repeat(8_000), '%F0%9F%9A%80'.repeat(300)]) {
      expect(refusalOf(await send(`GET /org/projects/${wanted}`))).toEqual([404, 'project_not_found']);
      expect(refusalOf(await send(`GET /browsers/${wanted}`))).toEqual([404, 'not_found']);
    }
  });

  it('D8: what is hardly HTTP has the Error body as well', async () => {
    expect(refusalOf(await send('GET /org/projects/%E0%A4%A'))).toEqual([400, 'bad_request']);
    expect(refusalOf(await send('FOO /org/projects'))).toEqual([400, 'bad_request']);
    expect(
      refusalOf(await sendRaw(api.url, `GET /org/limits HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`)),
    ).toEqual([400, 'bad_request']);
    expect(refusalOf(await send('GET /org/limits', { headers: ['Host: another.test'] }))).toEqual([400, 'bad_request']);
    expect(refusalOf(await send('GET /org/limits', { headers: ['X-Odd : 1'] }))).toEqual([400, 'bad_request']);
    expect(refusalOf(await send('POST /org/projects', { headers: [json, 'Content-Length: 3', 'Transfer-Encoding: chunked'] }))).toEqual([
      400,
      'bad_request',
    ]);
    expect(refusalOf(await send('GET /org/limits', { headers: ['Expect: the-unexpected'] }))).toEqual([417, 'bad_request']);
    expect(refusalOf(await send(`GET /org/projects?query=${'x'.repeat(20_000)}`))).toEqual([431, 'bad_request']);
  });

  it('D8: the body of a GET is not looked at, and an Upgrade that nobody offers is an ordinary request', async () => {
    expect((await send('GET /org/limits', { headers: [json], body: 'not json' })).status).toBe(200);
    expect((await send('GET /org/limits', { headers: ['Upgrade: websocket'] })).status).toBe(200);
  });

  it('Authentication 1: the scheme is Bearer in any case; two credentials, or a credential in the query, are none', async () => {
    const as = (header: string) => sendRaw(api.url, rawRequest('GET /whoami', { headers: [header] }));
    expect((await as(`authorization: bearer ${tenant.key}`)).status).toBe(200);
    for (const header of [
      `Authorization: ${tenant.key}`,
      `Authorization: Bearer ${tenant.key} ${tenant.key}`,
      `Authorization: Bearer ${tenant.key},x`,
      `X-Api-Key: ${tenant.key}`,
    ]) {
      expect(refusalOf(await as(header))).toEqual([401, 'unauthorized']);
    }
    for (const other of [tenant.key, 'bk_unknown'])
      expect(refusalOf(await send('GET /whoami', { headers: [`Authorization: Bearer ${other}`] }))).toEqual([401, 'unauthorized']);
    expect(refusalOf(await sendRaw(api.url, rawRequest(`GET /whoami?access_token=${tenant.key}`)))).toEqual([401, 'unauthorized']);
  });
});

describe('the scoping header', () => {
  it('D2, D4: blank is absent, under either name; sent twice, with a comma, or different under two names is 400', async () => {
    const [own, alias] = ['X-Service-Project-Id', 'X-Other-Project-Id'];
    const id = tenant.defaultProjectId;
    const accepted = [
      [`${own}: `],
      [`${own}: \t `],
      [`${own}:  ${id} `],
      [`${alias}: ${id}`],
      [`${own}: ${id}`, `${alias}: ${id}`],
      [`${own}: ${id}`, `${alias}: `],
      [`${own}: `, `${alias}: ${id}`],
    ];
    for (const headers of accepted) expect([headers, (await send('GET /whoami', { headers })).status]).toEqual([headers, 200]);
    const refused = [
      [`${own}: ,`],
      [`${own}: ${id},`],
      [`${own}: ${id}, ${id}`],
      [`${own}: ${id}`, `${own}: ${id}`],
      [`${own}: `, `${own}: ${id}`],
      [`${alias}: ${id}`, `${alias}: ${id}`],
      [`${own}: ${id}`, `${alias}: other`],
    ];
    for (const headers of refused)
      expect([headers, ...refusalOf(await send('GET /whoami', { headers }))]).toEqual([headers, 400, 'bad_request']);
    const last = await send('GET /whoami', { headers: [...Array.from({ length: 2_100 }, () => 'A:b'), `${own}: Default`] });
    expect(refusalOf(last)).toEqual([404, 'project_not_found']);
    for (const value of ['Default', id.toUpperCase(), '\xe9', '0', 'null'])
      expect([value, ...refusalOf(await send('GET /whoami', { headers: [`${own}: ${value}`] }))]).toEqual([
        value,
        404,
        'project_not_found',
      ]);
  });
});

describe('query parameters', () => {
  it.each([
    ['/browsers?tags[%00]=a', 'tags[\0]: must not contain a null character'],
    ['/browsers?tags%5Ba%00b%5D=a', 'tags[a\0b]: must not contain a null character'],
    ['/browsers?tags[%ff]=1', 'tags[%ff]: has a name that is not validly percent-encoded UTF-8'],
    ['/browsers?tags[%ed%a0%80]=1', 'tags[%ed%a0%80]: has a name that is not validly percent-encoded UTF-8'],
    ['/browsers?tags[%zz]', 'tags[%zz]: has a name that is not validly percent-encoded UTF-8'],
    [`/browsers?${'%FF'.repeat(200)}=1`, `${'%FF'.repeat(100)}…: has a name that is not validly percent-encoded UTF-8`],
    ['/browsers?tags=a', 'tags: must be written as tags[key]=value'],
    ['/browsers?tags[]=a', 'tags.: has a name that is not allowed: it must have 1 to 128 characters'],
    ['/browsers?tags[a]=1&tags[a]=2', 'tags[a]: must be given once'],
    ['/browsers?limit[a]=1', 'limit[a]: takes one value, without brackets'],
  ])('D8, D30: GET %s is 400: %s', async (path, message) => {
    const answer = await send(`GET ${path}`);
    expect([...refusalOf(answer), (JSON.parse(answer.body) as ErrorBody).details?.map((detail) => detail.message)]).toEqual([
      400,
      'bad_request',
      [message],
    ]);
  });

  it.each([
    ['limit=', 'limit: must not be empty'],
    ['limit', 'limit: must not be empty'],
    ['name=', 'name: must not be empty'],
    ['name=a&name=b', 'name: must be given once'],
    ['limit=1&limit=1', 'limit: must be given once'],
    ['limit=0', 'limit: must be a whole number from 1 to 100'],
    ['limit=101', 'limit: must be a whole number from 1 to 100'],
    ['limit=%2B5', 'limit: must be a whole number from 1 to 100'],
    ['limit=1.0', 'limit: must be a whole number from 1 to 100'],
    ['limit=1e1', 'limit: must be a whole number from 1 to 100'],
    ['limit=%20', 'limit: must be a whole number from 1 to 100'],
    ['offset=-1', 'offset: must be a whole number from 0 to 9007199254740991'],
    ['offset=99999999999999999999', 'offset: must be a whole number from 0 to 9007199254740991'],
    ['query=%00', 'query: must not contain a null character'],
    ['query=%FF', 'query: is not validly percent-encoded UTF-8'],
    ['query=%E0%A4%A', 'query: is not validly percent-encoded UTF-8'],
  ])('D8, D15: ?%s is 400: %s', async (query, message) => {
    const answer = await send(`GET /org/projects?${query}`);
    expect(refusalOf(answer)).toEqual([400, 'bad_request']);
    expect((JSON.parse(answer.body) as ErrorBody).details?.map((detail) => detail.message)).toEqual([message]);
  });

  it('D8, D15: every fault of a query is listed, unknown parameters are ignored in any form, and no offset is too far', async () => {
    const answer = await send('GET /org/projects?limit=0&offset=x&name=');
    expect((JSON.parse(answer.body) as ErrorBody).details?.map(({ message }) => message?.split(':')[0]).sort()).toEqual([
      'limit',
      'name',
      'offset',
    ]);
    for (const query of ['', '?', '?&&', '?colour', '?colour=&colour=red', '?colour=%FF', '?%00=1', '?LIMIT=0', '?limits=0', '?tags[a]=1'])
      expect([query, (await send(`GET /org/projects${query}`)).status]).toEqual([query, 200]);
    const lists = (Object.values(endpoints) as Endpoint[]).filter(({ paged, pathRecord }) => paged && pathRecord === undefined);
    expect(lists.length).toBeGreaterThan(6);
    for (const { path } of lists) {
      for (const offset of [1_000_000, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const { status, headers, body } = await send(`GET ${path}?offset=${offset}`);
        expect([path, status, headers['x-has-more'], headers['x-next-offset'], body]).toEqual([path, 200, 'false', '0', '[]']);
      }
    }
  });
});
