import { type Endpoint, ErrorBody } from '@berth/schema';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Rules for values, which the serialiser would only spend time on; it is to write what is listed and nothing else. */
const valueRules = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'propertyNames',
  'description',
  'id',
  '$id',
  '$schema',
  'default',
];

function isNull(schema: Json): boolean {
  return schema['type'] === 'null';
}

/** `anyOf: [X, null]` costs a validation for every value; `type: [x, null]` says the same of a plain value. */
function flattenNullable(schema: Json): void {
  const options = schema['anyOf'] as Json[] | undefined;
  const plain = options?.filter((option) => !isNull(option)) ?? [];
  const type = plain[0]?.['type'];
  if (options?.length !== 2 || plain.length !== 1 || typeof type !== 'string' || ['object', 'array'].includes(type)) return;
  delete schema['anyOf'];
  Object.assign(schema, { type: [type, 'null'] });
}

function serialisable(schema: z.ZodType): Json {
  const converted = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const rule of valueRules) delete (jsonSchema as Json)[rule];
      flattenNullable(jsonSchema);
    },
  }) as Json;
  delete converted['$schema'];
  return converted;
}

/**
 * Fastify's response schemas of an endpoint: its answers are written from them, so nothing unlisted can leave (house, habit 9). Streams and
 * pages are written by hand.
 */
export function responseSchemas(endpoint: Endpoint): Record<string, Json> {
  if (endpoint.mediaType !== undefined) return {};
  const answers = Object.entries(endpoint.responses).flatMap(([status, schema]) =>
    schema === null ? [] : [[status, serialisable(schema)] as const],
  );
  return {
    ...Object.fromEntries(answers),
    '4xx': serialisable(ErrorBody),
    ...('503' in endpoint.responses ? {} : { '5xx': serialisable(ErrorBody) }),
  };
}
