import { z } from 'zod';

/** The form of every id: 24 lower-case letters and digits, beginning with a letter (D1). */
export const idPattern = /^[a-z][a-z0-9]{23}$/;
export const Id = z
  .string()
  .regex(idPattern)
  .meta({ description: 'Opaque identifier: 24 lower-case letters and digits beginning with a letter.' });

/** An instant as RFC 3339 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 });

export function isIdShaped(value: string): boolean {
  return idPattern.test(value);
}

// U+0000–U+001F and U+007F–U+009F: a name with one of them cannot be read back from a terminal, a log line or a path.
const controlCharacter = /\p{Cc}/u;

const codePoints = (value: string): number => [...value].length;

/** Free text shown to people: trimmed, NFC, 1–255 Unicode code points, no control characters, no lone surrogates (D16). */
export const DisplayName = z
  .string()
  .refine((name) => name.isWellFormed(), { message: 'must be well-formed Unicode (a lone surrogate was found)', abort: true })
  .normalize('NFC')
  .trim()
  .refine((name) => codePoints(name) >= 1, 'must not be empty')
  .refine((name) => codePoints(name) <= 255, 'must be at most 255 characters')
  .refine((name) => !controlCharacter.test(name), 'must not contain control characters')
  .meta({ minLength: 1, maxLength: 255, description: 'Trimmed and put in NFC; 1 to 255 Unicode code points without control characters.' });

/** The one case folding of names, for uniqueness, paths and filters alike: locale-free lower case of NFC (D16). */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * A display name that is also usable as a path segment beside ids: not the form of an id, not `.` or `..` (D16). In no case, because a path
 * may give it in any.
 */
export const ProjectName = DisplayName.refine((name) => !isIdShaped(foldName(name)), 'must not have the form of an id in any case')
  .refine((name) => name !== '.' && name !== '..', 'must not be "." or ".."')
  .meta({
    minLength: 1,
    maxLength: 255,
    description:
      'Trimmed and put in NFC; 1 to 255 Unicode code points without control characters, not of the form of an id in any case, unique in any case within the organization.',
  });

/** Names of browsers, pools, profiles and credentials: case-sensitive, not id-shaped (D30). */
export const ResourceName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,255}$/, 'must be 1 to 255 letters, digits, ".", "_" or "-"')
  .refine((name) => !isIdShaped(name), 'must not have the form of an id')
  .meta({
    description:
      'Letters, digits, ".", "_" and "-", not of the form of an id; unique among those of the project that are not deleted. Case matters.',
  });

/** A whole number in a query string: plain decimal digits only, within [min, max]. */
export function queryInteger(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^[0-9]{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

export const queryBoolean: z.ZodType<boolean, string> = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });

/** Paging of every list (D15): limit 1–100, default 20; offset from 0, with no bound of ours. */
export const paging = {
  limit: queryInteger(1, 100).optional().meta({ description: 'Most entries of a page, 1 to 100; default 20.' }),
  offset: queryInteger(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'Entries to pass over; default 0. Take it from X-Next-Offset.' }),
};

export const Url = z.url({ protocol: /^https?$/ }).max(8192);
