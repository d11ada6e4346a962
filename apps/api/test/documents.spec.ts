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

describe('documents and health', () => {
  it('D53, Versioning 1: /openapi.json is OpenAPI 3.1, version 0.1.0, with every endpoint, and every reference in it resolves', async () => {
    const { body } = await api.call<Record<string, never>>('GET', '/openapi.json');
    const document = body as unknown as { openapi: string; info: { version: string }; paths: Record<string, Record<string, { operationId: string }>> };
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.0']);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(operations.sort()).toEqual(Object.keys(endpoints).sort());
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string);
    const resolve = (path: string) => path.split('/').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
    expect(references.filter((path) => resolve(path) === undefined)).toEqual([]);
  });

  it('D53: /openapi.json is valid by the schema of OpenAPI 3.1, and every operation says who may call it and what can go wrong', async () => {
    const { body } = await api.call<Record<string, unknown>>('GET', '/openapi.json');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(body));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.1');
    const operations = Object.values(body['paths'] as Record<string, Record<string, { operationId: string; summary?: string; tags?: string[]; responses: Record<string, unknown> }>>).flatMap((path) => Object.values(path));
    const incomplete = operations.filter(({ summary, tags, responses }) => !summary || tags?.length !== 1 || Object.keys(responses).length === 0);
    expect(incomplete).toEqual([]);
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
      expect(await (await fetch(`${blind.url}/health/ready`)).json()).toEqual({ status: 'degraded', checks: { postgres: 'up', redis: 'down' } });
    } finally {
      await blind.stop();
    }
  });
});
