import { describeFault, type Endpoint } from '@berth/schema';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Faults } from '../errors/api-error.js';
import type { PartialContext } from './context.js';
import { type Head, headerValues } from './header-values.js';

type Issue = z.core.$ZodIssue;

function fieldOf(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join('');
}

/** One fault each, beginning with the field it is about. Unknown fields are named one by one (D8). */
function addIssue(issue: Issue, where: string, faults: Faults): void {
  if (issue.code === 'unrecognized_keys')
    for (const key of issue.keys) faults.add('unknown_field', () => fieldOf([...issue.path, key]), 'is not a known field');
  else faults.add('invalid_field', () => fieldOf(issue.path) || where, issue.message);
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** One `name=value` of a query string; name and value are undefined where their percent-encoding is not valid. */
interface QueryPair {
  /** The name as it was sent. */
  readonly written: string;
  readonly name: string | undefined;
  readonly value: string | undefined;
}

/** Of a query string, in their order. */
function* queryPairs(rawUrl: string): Generator<QueryPair> {
  const start = rawUrl.indexOf('?');
  for (const pair of start === -1 ? [] : rawUrl.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const written = equals === -1 ? pair : pair.slice(0, equals);
    yield { written, name: attempt(() => decode(written)), value: equals === -1 ? '' : attempt(() => decode(pair.slice(equals + 1))) };
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Written as `name[key]=value`, any number of times. */
const takesPairs = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodOptional ? takesPairs(schema.unwrap() as z.ZodType) : schema instanceof z.ZodRecord;

/** Why a value of a parameter cannot be taken, before its schema is asked. */
function parameterFault(
  name: string,
  value: string | undefined,
  { pairs, key, seen }: { readonly pairs: boolean; readonly key: string | undefined; readonly seen: boolean },
): string | undefined {
  if (seen) return 'must be given once';
  if (pairs !== (key !== undefined)) return pairs ? `must be written as ${name}[key]=value` : 'takes one value, without brackets';
  if (key === '__proto__') return unkeepable;
  if (value === undefined) return 'is not validly percent-encoded UTF-8';
  if (value.includes('\0') || key?.includes('\0')) return 'must not contain a null character';
  return value === '' && !pairs ? 'must not be empty' : undefined;
}

/**
 * Query parameters as `name → values`, `tags[key]=value` gathered under `tags`. Only parameters the endpoint knows are kept (D8: others are
 * ignored). What a name that is no UTF-8 was meant to be nobody knows, so it is a fault.
 */
function readQuery(rawUrl: string, shape: Readonly<Record<string, z.ZodType>>, faults: Faults): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const nested: Record<string, Record<string, string>> = {};
  const seen = new Set<string>();
  for (const { written, name, value } of queryPairs(rawUrl)) {
    if (name === undefined) {
      faults.add('invalid_parameter', written, 'has a name that is not validly percent-encoded UTF-8');
      continue;
    }
    const [, outer = name, key] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
    if (!Object.hasOwn(shape, outer)) continue;
    const fault = parameterFault(outer, value, { key, pairs: takesPairs(shape[outer]), seen: seen.has(name) });
    if (fault !== undefined) faults.add('invalid_parameter', name, fault);
    else if (key !== undefined) (nested[outer] ??= {})[key] = value as string;
    else values[name] = value;
    seen.add(name);
  }
  return { ...values, ...nested };
}

/** A name that objects of JavaScript do not keep: what is under it would be dropped silently. */
const unkeepable = 'must not have the name __proto__';

/**
 * What PostgreSQL or this process cannot keep, wherever it sits in the body: a null character, half of a surrogate pair, a field named
 * `__proto__`. Free-form objects reach columns as they are, so this is asked of every body.
 */
function addUnstorable(value: unknown, path: readonly PropertyKey[], faults: Faults): void {
  const fault = (message: string): void => faults.add('invalid_field', () => fieldOf(path) || 'body', message);
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) fault('must not contain a null character or a lone surrogate');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__') fault(unkeepable);
      else if (key.includes('\0') || !key.isWellFormed()) fault('has a name with a null character or a lone surrogate');
      else addUnstorable(inner, [...path, Array.isArray(value) ? Number(key) : key], faults);
    }
  }
}

/** The key of a request that is to run once (D36). */
function readIdempotencyKey(head: Head, faults: Faults): string | undefined {
  const [key, ...more] = headerValues('idempotency-key', head);
  if (more.length > 0 || (key !== undefined && (key.length < 1 || key.length > 255))) {
    faults.add('invalid_header', 'Idempotency-Key', 'must be sent once, with 1 to 255 characters');
  }
  return key;
}

const inWords = { error: describeFault };

/** What an endpoint without a body takes: none, or an empty object; any field would be an unknown one (D8). */
const noBody = z.strictObject({});

/**
 * Reads query, body and Idempotency-Key by the endpoint's own schemas and lists the faults of all three at once.
 * @throws ApiError bad_request
 */
export function parseRequest(endpoint: Endpoint, request: FastifyRequest): Pick<PartialContext, 'query' | 'body' | 'idempotencyKey'> {
  const faults = new Faults();
  let query: unknown = {};
  if (endpoint.query !== undefined) {
    const result = endpoint.query.safeParse(readQuery(request.raw.url ?? '', endpoint.query.shape, faults), inWords);
    if (result.success) query = result.data;
    else for (const issue of result.error.issues) addIssue(issue, 'query', faults);
  }
  let body: unknown;
  const schema = endpoint.body ?? noBody;
  // Absent is not null: a body that says null is no object.
  const given = request.body === undefined && (endpoint.bodyOptional || schema === noBody) ? {} : request.body;
  if (request.method !== 'GET') {
    const result = schema.safeParse(given, inWords);
    if (result.success) body = result.data;
    else for (const issue of result.error.issues) addIssue(issue, 'body', faults);
    if (result.success) addUnstorable(given, [], faults);
  }
  const idempotencyKey = endpoint.idempotent ? readIdempotencyKey(request.raw, faults) : undefined;
  if (faults.count > 0) throw faults.refusal();
  return { query, body, idempotencyKey };
}
