import { z } from 'zod';
import { type Endpoint } from './endpoint.js';
import { type EndpointName, endpoints } from './endpoints/index.js';
import { ErrorBody, type ErrorCode, errorTraits, type ErrorTraits } from './errors.js';
import { guides, overview, tagDescriptions } from './guides.js';

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

const pathParameters: Readonly<Record<string, string>> = {
  id: 'What the request is about: an id, or a name where the operation says so. Percent-encoded.',
  token: 'The unguessable part of `hosted_url`.',
  name: 'Name of the file.',
};

function parameters(endpoint: Endpoint): Json[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: pathParameters[name],
  }));
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = withoutTextPattern(jsonSchema(schema as z.ZodType));
    return {
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(name === 'tags' ? { style: 'deepObject', explode: true } : {}),
    };
  });
  const inHeaders = [
    ...(endpoint.access === 'none' || endpoint.access === 'hosted' ? [] : [{ $ref: '#/components/parameters/ProjectId' }]),
    ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(endpoint.mediaType === 'text/event-stream' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ];
  return [...path, ...query, ...inHeaders];
}

const headers = {
  RequestId: {
    schema: { type: 'string' },
    description: 'Names the request in the log of the service: the one the caller sent, or a new one.',
  },
  HasMore: { schema: { type: 'boolean' }, description: 'Whether there is a further page.' },
  NextOffset: { schema: { type: 'integer' }, description: 'The `offset` of the next page; 0 on the last.' },
  RetryAfter: { schema: { type: 'integer' }, description: 'Seconds after which another try makes sense.' },
  ShouldRetry: { schema: { type: 'string', enum: ['false'] }, description: 'The same request will be refused again.' },
  Authenticate: { schema: { type: 'string', enum: ['Bearer'] }, description: 'The scheme that is asked for.' },
  EventMediaType: { schema: { type: 'string', enum: ['application/json'] }, description: 'Media type of the data of each event.' },
};

/** References to headers, as the value of `headers`; each answer has its request id (D8). */
function sentHeaders(more: Readonly<Record<string, keyof typeof headers>> = {}): Json {
  return Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'RequestId', ...more }).map(([name, header]) => [name, { $ref: `#/components/headers/${header}` }]),
  );
}

function answer(endpoint: Endpoint, status: string, schema: z.ZodType | null): Json {
  const mediaType = endpoint.mediaType ?? 'application/json';
  const hasContent = status !== '204' && (schema !== null || endpoint.mediaType !== undefined);
  const content = !hasContent ? {} : { content: { [mediaType]: { schema: schema === null ? { type: 'string' } : jsonSchema(schema) } } };
  return {
    description: endpoint.summary,
    ...content,
    headers: sentHeaders({
      ...(endpoint.paged ? { 'X-Has-More': 'HasMore', 'X-Next-Offset': 'NextOffset' } : {}),
      ...(hasContent && mediaType === 'text/event-stream' ? { 'X-SSE-Content-Type': 'EventMediaType' } : {}),
      ...(status === '503' ? { 'Retry-After': 'RetryAfter' } : {}),
    }),
  };
}

/** Refusals that any request may meet, whatever it asks for (D7). */
const anyRequest: readonly ErrorCode[] = ['bad_request', 'internal_error'];
const behindCookie: readonly ErrorCode[] = ['unauthorized', 'service_unavailable'];
const behindBearer: readonly ErrorCode[] = [...behindCookie, 'forbidden', 'project_not_found'];

/** Every refusal that an endpoint may answer with, those of the corridor included. */
export function refusalsOf({ errors, access, projectManagement, idempotent, method }: Endpoint): ReadonlySet<ErrorCode> {
  return new Set([
    ...errors,
    ...anyRequest,
    ...(access === 'none' ? [] : access === 'hosted' ? behindCookie : behindBearer),
    ...(projectManagement ? (['projects_disabled'] as const) : []),
    ...(method === 'GET' ? [] : (['payload_too_large'] as const)),
    ...(idempotent ? (['idempotency_key_reused'] as const) : []),
  ]);
}

function refusalHeaders(status: number, retryAfterSeconds: number | undefined): Json {
  return sentHeaders({
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': 'RetryAfter' }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Authenticate' } : {}),
    ...(status === 409 ? { 'x-should-retry': 'ShouldRetry' } : {}),
  });
}

function errorResponses(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorTraits[]>();
  for (const traits of [...refusalsOf(endpoint)].map(errorTraits))
    byStatus.set(traits.status, [...(byStatus.get(traits.status) ?? []), traits]);
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => [
      String(status),
      {
        description: refusals.map(({ wireCode, meaning }) => `\`${wireCode}\`: ${meaning}.`).join('\n\n'),
        headers: refusalHeaders(status, refusals[0]?.retryAfterSeconds),
        content: { 'application/json': { schema: jsonSchema(ErrorBody) } },
      },
    ]),
  );
}

function operation(endpoint: Endpoint, { description, example }: { readonly description: string; readonly example?: unknown }): Json {
  const given = parameters(endpoint);
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description,
    tags: [endpoint.tag],
    security: endpoint.access === 'none' ? [] : endpoint.access === 'hosted' ? [{ hosted: [] }] : [{ bearer: [] }],
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: { 'application/json': { schema: jsonSchema(endpoint.body), example } },
          },
        }
      : {}),
    responses: {
      ...errorResponses(endpoint),
      ...Object.fromEntries(Object.entries(endpoint.responses).map(([status, schema]) => [status, answer(endpoint, status, schema)])),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the service, made of the same values that parse requests and check responses. `serverUrl` is its public base
 * address.
 */
export function openApiDocument(serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, guides[name]);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Berth', version: '0.1.0', description: overview, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components(),
      headers,
      parameters: {
        ProjectId: {
          name: 'X-Service-Project-Id',
          in: 'header',
          required: false,
          schema: { type: 'string' },
          description:
            'Id of the project to act in; absent: the project of a project-scoped key, else the default project. Names are not accepted; one id alone.',
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 255 },
          description:
            'Of your choosing, one for each thing to be done. The same request with the same key is answered with its first answer for 24 hours, and does nothing again.',
        },
        LastEventId: {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          schema: { type: 'string' },
          description:
            'The `id` of the last event that was read, as browsers send it by themselves. Of a flow that has ended by then there is no more to tell: 204. What is no whole number is ignored.',
        },
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, hosted: { type: 'apiKey', in: 'cookie', name: 'berth_hosted' } },
    },
  };
}
