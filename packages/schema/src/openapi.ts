import { z } from 'zod';
import { type Endpoint } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { ErrorBody, errorTraits, type ErrorCode } from './errors.js';

type Json = Record<string, unknown>;

const componentUri = (id: string): string => `#/components/schemas/${id}`;

/** Query values travel as text; what a client should send is the number or boolean, so the text pattern is dropped from the document. */
function withoutTextPattern(schema: Json): Json {
  if (schema['type'] !== 'integer' && schema['type'] !== 'boolean') return schema;
  const { pattern: _pattern, enum: _enum, ...rest } = schema;
  return rest;
}

function jsonSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: componentUri(id) };
  const { $schema: _dialect, $defs: _definitions, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Json;
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}

function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'input', uri: componentUri }) as unknown as { schemas: Record<string, Json> };
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([id]) => id !== '__shared')
      .map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

function parameters(endpoint: Endpoint): Json[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, schema]) => {
    const asJson = withoutTextPattern(jsonSchema(schema as z.ZodType));
    return { name, in: 'query', required: false, schema: asJson, ...(name === 'tags' ? { style: 'deepObject', explode: true } : {}) };
  });
  const headers = [
    ...(endpoint.access === 'none' || endpoint.access === 'hosted' ? [] : [{ $ref: '#/components/parameters/ProjectId' }]),
    ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return [...path, ...query, ...headers];
}

const pagingHeaders = {
  'X-Has-More': { schema: { type: 'boolean' }, description: 'Whether there is a further page.' },
  'X-Next-Offset': { schema: { type: 'integer' }, description: 'Absolute start of the next page; 0 on the last.' },
};

function success(endpoint: Endpoint, schema: z.ZodType | null): Json {
  const mediaType = endpoint.mediaType ?? 'application/json';
  const content = schema === null && endpoint.mediaType === undefined ? {} : { content: { [mediaType]: { schema: schema === null ? { type: 'string' } : jsonSchema(schema) } } };
  return { description: endpoint.summary, ...content, ...(endpoint.paged ? { headers: pagingHeaders } : {}) };
}

/** Refusals that the corridor may give on every route that asks for a credential (D7). */
const corridorErrors: readonly ErrorCode[] = ['unauthorized', 'bad_request', 'project_not_found', 'forbidden', 'internal_error', 'service_unavailable'];

function errorResponses(endpoint: Endpoint): Json {
  const codes = [...endpoint.errors, ...(endpoint.access === 'none' ? [] : corridorErrors), ...(endpoint.body ? (['payload_too_large'] as const) : []), ...(endpoint.idempotent ? (['idempotency_key_reused'] as const) : [])];
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const { status, wireCode } = errorTraits(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(wireCode));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, wireCodes]) => [String(status), { description: `Codes: ${[...wireCodes].join(', ')}`, content: { 'application/json': { schema: jsonSchema(ErrorBody) } } }]),
  );
}

function operation(endpoint: Endpoint): Json {
  const given = parameters(endpoint);
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    security: endpoint.access === 'none' ? [] : endpoint.access === 'hosted' ? [{ hosted: [] }] : [{ bearer: [] }],
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(endpoint.body ? { requestBody: { required: !endpoint.bodyOptional, content: { 'application/json': { schema: jsonSchema(endpoint.body) } } } } : {}),
    responses: {
      ...errorResponses(endpoint),
      ...Object.fromEntries(Object.entries(endpoint.responses).map(([status, schema]) => [status, success(endpoint, schema)])),
    },
  };
}

/** The OpenAPI 3.1 document of the service, made of the same values that parse requests and check responses. `serverUrl` is its public base address. */
export function openApiDocument(serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values(endpoints) as Endpoint[]) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Berth', version: '0.1.0', description: 'A self-hosted control plane for cloud browsers.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    tags: [...new Set(Object.values(endpoints).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components(),
      parameters: {
        ProjectId: { name: 'X-Service-Project-Id', in: 'header', required: false, schema: { type: 'string' }, description: 'Id of the project to act in; absent: the default project, or the project of a project-scoped key.' },
        IdempotencyKey: { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 1, maxLength: 255 }, description: 'Replays the first answer to the same request for 24 hours.' },
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, hosted: { type: 'apiKey', in: 'cookie', name: 'berth_hosted' } },
    },
  };
}
