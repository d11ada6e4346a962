import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors/api-error.js';

/** The scoping header, as Node lower-cases it (D2). */
export const projectHeader = 'x-service-project-id';

/** Raw header pairs are read because Node joins repeated headers, and a repeated scoping header is an error (D4). */
function given(name: string, rawHeaders: readonly string[], headers: IncomingHttpHeaders): readonly string[] {
  if (headers[name] === undefined) return [];
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/**
 * The project that the request names, or undefined. Blank is absent; repeated, with a comma, or two names of the header with different ids is 400
 * (D2, D4). Pure.
 */
export function namedProject(names: readonly string[], rawHeaders: readonly string[], headers: IncomingHttpHeaders): string | undefined {
  const found = new Set<string>();
  for (const name of names) {
    const values = given(name, rawHeaders, headers);
    if (values.length > 1 || values.some((value) => value.includes(','))) {
      throw new ApiError('bad_request', 'The project header must be sent once, with one project id.');
    }
    const value = values[0]?.trim() ?? '';
    if (value !== '') found.add(value);
  }
  if (found.size > 1) throw new ApiError('bad_request', 'The project header and its alias name different projects.');
  return [...found][0];
}
