import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints } from '@berth/schema';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const text = async (path: string) => {
  const response = await fetch(`${api.url}${path}`);
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() };
};

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: object;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string }; readonly example?: unknown } };
  };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly headers?: Readonly<Record<string, unknown>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }>>;
  };
}

/** The headers that a status is sent with, beside the request id (D8, D9). */
const headersOf = (status: number): readonly string[] =>
  ({ 401: ['WWW-Authenticate'], 409: ['x-should-retry'], 429: ['Retry-After'], 503: ['Retry-After'], 529: ['Retry-After'] })[status] ?? [];

describe('documents and health', () => {
  it('Versioning 1, 2, D53: /openapi.json is OpenAPI 3.1, version 0.1.0, with paths that name no version and every endpoint, and every reference in it resolves', async () => {
    const { body } = await api.call<Record<string, never>>('GET', '/openapi.json');
    const document = body as unknown as {
      openapi: string;
      info: { version: string };
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.0']);
    expect(Object.keys(document.paths).filter((path) => /\/v?\d/.test(path))).toEqual([]);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(operations.sort()).toEqual(Object.keys(endpoints).sort());
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string);
    const resolve = (path: string) =>
      path.split('/').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
    expect(references.filter((path) => resolve(path) === undefined)).toEqual([]);
  });

  it('D53: /openapi.json is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(
      structuredClone((await api.call<Record<string, unknown>>('GET', '/openapi.json')).body),
    );
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
  });

  it('D8, D53: every operation of /openapi.json has a purpose, described parameters, an example of its body, and answers with their headers', async () => {
    const { paths, components, tags } = (await api.call<Document>('GET', '/openapi.json')).body;
    const parameterOf = (given: Parameter): Parameter => components.parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given;
    const schemaOf = ({ $ref = '' }: { readonly $ref?: string }) => components.schemas[$ref.split('/').at(-1) ?? ''];
    const faultsOf = (
      { operationId, summary, description, tags: [tag = ''], parameters = [], requestBody, responses }: Operation,
      path: string,
    ): string[] => {
      const declared = parameters.map(parameterOf);
      const content = requestBody?.content['application/json'];
      const undescribed = Object.entries((content && schemaOf(content.schema))?.properties ?? {})
        .filter(([, property]) => !property.description)
        .map(([name]) => `field ${name} has no description`);
      return [
        ...(summary && description && description.length > 5 ? [] : ['has no purpose']),
        ...(tags.find(({ name }) => name === tag)?.description ? [] : [`tag ${tag} is not described`]),
        ...declared
          .filter((parameter) => !parameter.description || !parameter.schema)
          .map(({ name }) => `parameter ${name ?? ''} is not described`),
        ...[...path.matchAll(/\{(\w+)\}/g)]
          .filter(([, name]) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name))
          .map(([name]) => `${name} is not declared`),
        ...(content !== undefined && content.example === undefined ? ['has no example'] : []),
        ...undescribed,
        ...Object.entries(responses).flatMap(([status, response]) =>
          [...headersOf(Number(status)), 'X-Request-Id']
            .filter((name) => response.headers?.[name] === undefined)
            .map((name) => `${status} has no ${name}`),
        ),
        ...(Object.keys(responses).some((status) => status.startsWith('4')) &&
        Object.values(responses).every((response) => response.description)
          ? []
          : ['answers are not described']),
      ].map((fault) => `${operationId}: ${fault}`);
    };
    expect(
      Object.entries(paths).flatMap(([path, operations]) => Object.values(operations).flatMap((operation) => faultsOf(operation, path))),
    ).toEqual([]);
  });

  it('D46, D49, D53: streams are listed with Last-Event-ID, and with their media type where there are events', async () => {
    const { paths, components } = (await api.call<Document>('GET', '/openapi.json')).body;
    expect(components.parameters['LastEventId']).toMatchObject({ name: 'Last-Event-ID', in: 'header' });
    for (const path of ['/auth/connections/{id}/events', '/hosted/flow/{id}/events']) {
      const { parameters, responses } = paths[path]?.['get'] as Operation;
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/LastEventId' });
      expect(Object.keys(responses[200]?.headers ?? {})).toEqual(['X-Request-Id', 'X-SSE-Content-Type']);
      expect(Object.keys(responses[204]?.headers ?? {})).toEqual(['X-Request-Id']);
    }
  });

  it('D15, D53: a page has its bounds in the schemas of limit and offset, and since its two forms', async () => {
    const { paths } = (await api.call<Document>('GET', '/openapi.json')).body;
    const schemaOf = (wanted: string) => paths['/invocations']?.['get']?.parameters?.find(({ name }) => name === wanted)?.schema;
    expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
    expect(schemaOf('offset')).toEqual({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    expect(schemaOf('since')).toMatchObject({
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', pattern: '^[0-9]{1,6}[smhd]$' },
      ],
    });
  });

  it('D53: every pattern of /openapi.json is read alike by validators with and without the Unicode flag', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const patterns: string[] = [];
    JSON.stringify(body, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      return value;
    });
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of new Set(patterns)) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow();
      // What has another meaning, or none, without the flag: classes of characters, long escapes, characters beyond the first plane.
      expect(pattern).not.toMatch(/\\[pP]|\\u\{|[^\x20-\x7e]/);
    }
  });

  it('D53: /docs and its files come from this server alone', async () => {
    const page = await text('/docs');
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).not.toMatch(/https?:/);
    for (const [, file] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const { status, type } = await text(`/${file}`);
      expect([status, type]).toEqual([200, expect.stringMatching(/^text\/(css|javascript)/)]);
    }
    expect((await text('/docs/..%2fpackage.json')).status).toBe(404);
    expect((await text('/docs/constructor')).status).toBe(404);
  });

  it('D53: live, ready and metrics need no credential; metrics name operations, never paths', async () => {
    expect((await text('/health/live')).status).toBe(200);
    expect(JSON.parse((await text('/health/ready')).body)).toEqual({ status: 'ok', checks: { postgres: 'up', redis: 'up' } });
    const { key } = await api.tenant();
    await api.call('GET', '/org/projects/a-customer', { key });
    const metrics = await text('/metrics');
    expect(metrics.body).toContain('operation="getProject",status="404"');
    expect(metrics.body).not.toContain('a-customer');
  });

  it('D53: without Redis readiness is degraded with 200, without PostgreSQL 503', async () => {
    const blind = await startApi({ BERTH_REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      expect(await (await fetch(`${blind.url}/health/ready`)).json()).toEqual({
        status: 'degraded',
        checks: { postgres: 'up', redis: 'down' },
      });
    } finally {
      await blind.stop();
    }
  });
});
