import { invalidHeader } from '../errors/api-error.js';
import { type Head, headerValues } from './header-values.js';

/** The scoping header, as Node lower-cases it (D2). */
export const projectHeader = 'x-service-project-id';

/**
 * The project that the request names, or undefined. Blank is absent; repeated, with a comma, or two names of the header with different ids
 * is 400 (D2, D4). Pure.
 */
export function namedProject(names: readonly string[], head: Head): string | undefined {
  const found = new Set<string>();
  for (const name of names) {
    const values = headerValues(name, head);
    if (values.length > 1 || values.some((value) => value.includes(',')))
      throw invalidHeader(name, 'must be sent once, with one project id');
    const value = values[0]?.trim() ?? '';
    if (value !== '') found.add(value);
  }
  if (found.size > 1) throw invalidHeader(projectHeader, 'and its alias must not name different projects');
  return [...found][0];
}
