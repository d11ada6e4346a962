import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** What a value of JSON is, as a person would call it. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? 'something else';
}

/** What is expected, by zod's own names of types. */
const wanted: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const formats: Readonly<Record<string, string>> = { url: 'must be an http or https address' };

const counted: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function bound(issue: Issue & { readonly origin: string }, word: string, limit: number | bigint): string {
  const noun = counted[issue.origin];
  return noun === undefined ? `must be ${word} ${limit}` : `must have ${word} ${limit}${noun}`;
}

/**
 * The one place where a fault of a request is put into words. A schema's own words (its `error`) come before these: those that know a range
 * say all of it. No answer carries text of the library (D8).
 */
export const describeFault: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${wanted[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return bound(issue, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue, 'at most', issue.maximum);
    case 'invalid_format':
      return formats[issue.format] ?? 'does not have the form it must have';
    case 'invalid_key':
      return `has a name that is not allowed: it ${issue.issues.map(({ message }) => message).join(', ')}`;
    default:
      return 'is not valid';
  }
};

/** A whole number of a body, within [min, max]; a fault tells the whole range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  const error = ({ input }: Issue): string => (input === undefined ? 'is missing' : `must be a whole number from ${min} to ${max}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Text of a body, within [min, max] UTF-16 code units; a fault tells the whole range. `text` may trim it first. */
export function boundedText(min: number, max: number, text = z.string()): z.ZodString {
  const error = `must have ${min} to ${max} characters`;
  return text.min(min, { error }).max(max, { error });
}
