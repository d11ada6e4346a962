import { describeFault, type Endpoint, type ErrorDetail } from '@berth/schema';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.js';

type Issue = z.core.$ZodIssue;

function fieldOf(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join('');
}

/** One detail per fault, each beginning with the field it is about. Unknown fields are named one by one (D8). */
function detailsOf(issue: Issue, where: string): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ code: 'unknown_field', message: `${fieldOf([...issue.path, key])}: is not a known field` }));
  }
  const field = fieldOf(issue.path) || where;
  return [{ code: 'invalid_field', message: `${field}: ${issue.message}` }];
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Names and values of a query string in their order. A value is undefined when its percent-encoding is not valid; such a name is nobody's name. */
function* queryPairs(rawUrl: string): Generator<readonly [name: string, value: string | undefined]> {
  const start = rawUrl.indexOf('?');
  for (const pair of start === -1 ? [] : rawUrl.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = attempt(() => decode(equals === -1 ? pair : pair.slice(0, equals)));
    if (name !== undefined) yield [name, equals === -1 ? '' : attempt(() => decode(pair.slice(equals + 1)))];
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Query parameters as `name → values`, `tags[key]=value` gathered under `tags`. Only parameters the endpoint knows are kept (D8: others are ignored). */
function readQuery(rawUrl: string, known: readonly string[], faults: ErrorDetail[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const nested: Record<string, Record<string, string>> = {};
  const seen = new Set<string>();
  for (const [name, value] of queryPairs(rawUrl)) {
    const [, outer, inner] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
    if (!known.includes(outer ?? name)) continue;
    if (seen.has(name)) faults.push({ code: 'invalid_parameter', message: `${name}: must be given once` });
    else if (value === undefined) faults.push({ code: 'invalid_parameter', message: `${name}: is not validly percent-encoded UTF-8` });
    else if (value.includes('\0')) faults.push({ code: 'invalid_parameter', message: `${name}: must not contain a null character` });
    else if (value === '' && outer === undefined) faults.push({ code: 'invalid_parameter', message: `${name}: must not be empty` });
    else if (outer !== undefined && inner !== undefined) (nested[outer] ??= {})[inner] = value;
    else values[name] = value;
    seen.add(name);
  }
  return { ...values, ...nested };
}

/**
 * Text that PostgreSQL cannot store, wherever it sits in the body: a null character or half of a surrogate pair. Free-form objects reach its columns as they
 * are, so this is asked of every body.
 */
function unstorable(value: unknown, path: readonly PropertyKey[]): ErrorDetail[] {
  if (typeof value === 'string') {
    const fault = value.includes('\0') || !value.isWellFormed();
    return fault ? [{ code: 'invalid_field', message: `${fieldOf(path) || 'body'}: must not contain a null character or a lone surrogate` }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return key.includes('\0') || !key.isWellFormed() ? [{ code: 'invalid_field', message: `${fieldOf(path) || 'body'}: has a name with a null character or a lone surrogate` }] : unstorable(inner, at);
  });
}

const inWords = { error: describeFault };

/** What an endpoint without a body takes: none, or an empty object; any field would be an unknown one (D8). */
const noBody = z.strictObject({});

/**
 * Reads query and body by the endpoint's own schemas and lists every fault of both at once.
 * @throws ApiError bad_request
 */
export function parseRequest(endpoint: Endpoint, request: FastifyRequest): { query: unknown; body: unknown } {
  const faults: ErrorDetail[] = [];
  let query: unknown = {};
  if (endpoint.query !== undefined) {
    const result = endpoint.query.safeParse(readQuery(request.raw.url ?? '', Object.keys(endpoint.query.shape), faults), inWords);
    if (result.success) query = result.data;
    else faults.push(...result.error.issues.flatMap((issue) => detailsOf(issue, 'query')));
  }
  let body: unknown;
  const schema = endpoint.body ?? noBody;
  // Absent is not null: a body that says null is no object.
  const given = request.body === undefined && (endpoint.bodyOptional || schema === noBody) ? {} : request.body;
  if (request.method !== 'GET') {
    const result = schema.safeParse(given, inWords);
    if (result.success) body = result.data;
    else faults.push(...result.error.issues.flatMap((issue) => detailsOf(issue, 'body')));
    if (result.success) faults.push(...unstorable(given, []));
  }
  if (faults.length > 0) throw new ApiError('bad_request', 'The request is not valid; see details.', { details: faults });
  return { query, body };
}
