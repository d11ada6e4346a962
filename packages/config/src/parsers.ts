/** Readers of one setting's text. Each says in words what it accepts, because that sentence is the error message. */
import { z } from 'zod';

/** Reads a setting from its text; its only error is "must be …", so faults of different settings read alike. */
export type Parser<T> = z.ZodType<T, string>;

function parser<T>(expected: string, read: (text: string) => T | undefined): Parser<T> {
  return z.string().transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
}

export function integer(minimum: number, maximum: number): Parser<number> {
  return parser(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  });
}

/** A TCP port to listen on; 0 lets the system choose. */
export const port = (): Parser<number> => integer(0, 65_535);

export const flag = (): Parser<boolean> => parser('true or false', (text) => ({ true: true, false: false })[text.toLowerCase()]);

export const text = (): Parser<string> => parser('text that is not blank', (value) => value || undefined);

export const matching = (pattern: RegExp, expected: string): Parser<string> =>
  parser(expected, (value) => (pattern.test(value) ? value : undefined));

export function oneOf<const T extends string>(...choices: readonly T[]): Parser<T> {
  return parser(`one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));
}

/** An absolute URL of one of the protocols, without a trailing slash so that paths can be appended. */
export function url(...protocols: readonly string[]): Parser<string> {
  const expected = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return parser(expected, (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol) || !parsed.host) return undefined;
    return value.replace(/\/+$/, '');
  });
}

/**
 * A template of a URL: `{host_id}` may stand in it and is filled in by each browser host.
 * It is checked with the placeholder filled in, because braces are no legal host name.
 */
export function urlTemplate(...protocols: readonly string[]): Parser<string> {
  const filled = url(...protocols);
  return parser(`a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')} and may contain {host_id}`, (value) =>
    filled.safeParse(value.replaceAll('{host_id}', 'host')).success ? value.replace(/\/+$/, '') : undefined,
  );
}

/** Any number of values, comma-separated; none is an empty list. */
export function listOf<T>(item: Parser<T>): Parser<readonly T[]> {
  return z.string().transform((value, context) => {
    const results = value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => item.safeParse(part));
    const failed = results.find((result) => !result.success);
    if (!failed) return results.flatMap((result) => (result.success ? [result.data] : []));
    context.addIssue({ code: 'custom', message: `has an entry that ${failed.error.issues[0]?.message ?? 'is not legal'}` });
    return z.NEVER;
  });
}

/** Names of HTTP headers, comma-separated, lower-cased as Node hands them over. `taken` are those that mean something already. */
export function headerNames(...taken: readonly string[]): Parser<readonly string[]> {
  return parser(`HTTP header names, comma-separated, none of which means something already (${taken.join(', ')})`, (value) => {
    const names = value
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean);
    const legal = names.every((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !taken.includes(name));
    return legal ? [...new Set(names)] : undefined;
  });
}

/** `name=number` pairs, comma-separated, laid over the defaults; only the defaults' names are known. */
export function namedIntegers<K extends string>(
  defaults: Readonly<Record<K, number>>,
  maximum: number,
): Parser<Readonly<Record<K, number>>> {
  const names = Object.keys(defaults) as K[];
  return parser(`comma-separated name=number pairs (names: ${names.join(', ')}; numbers from 0 to ${maximum})`, (value) => {
    const result: Record<K, number> = { ...defaults };
    for (const pair of value.split(',').filter((part) => part.trim() !== '')) {
      const [, written, number] = /^\s*([\w-]+)\s*=\s*(\d{1,15})\s*$/.exec(pair) ?? [];
      const name = names.find((known) => known === written);
      if (name === undefined || Number(number) > maximum) return undefined;
      result[name] = Number(number);
    }
    return result;
  });
}

/** The text of exactly `bytes` random bytes, in hex or base64 (either alphabet, padded or not). */
export function keyOf(bytes: number): Parser<string> {
  return parser(`${bytes} random bytes, as ${bytes * 2} hex digits or in base64`, (value) => {
    const hex = value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value);
    const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === bytes;
    return hex || base64 ? value : undefined;
  });
}
