import type { IncomingMessage } from 'node:http';

export type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/**
 * Every value of a header in the order sent. Node joins what is repeated with commas or drops all but the first, so that only the raw pairs
 * tell what was sent. `name` in lower case.
 */
export function headerValues(name: string, { headers, rawHeaders }: Head): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  // As many names as pairs: nothing is repeated, and a request costs no search.
  if (typeof value === 'string' && Object.keys(headers).length * 2 === rawHeaders.length) return [value];
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
