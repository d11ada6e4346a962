import { type Evidence, type Source, sourcesSaying, WEIGHT } from '../evidence.js';
import type { Concept } from '../lexicon/words.js';
import type { RuleId } from '../verdict.js';

/** What a box can be asking for, before its form is known. `email` and `phone` turn into an identifier in a login form. */
export type Meaning =
  | 'username'
  | 'email'
  | 'phone'
  | 'password'
  | 'new_password'
  | 'code'
  | 'authenticator_code'
  | 'totp_secret'
  | 'question'
  | 'person'
  | 'address'
  | 'payment'
  | 'search'
  | 'captcha';

/** Kinds of names that people sign in with, each a meaning and the words for it. */
export const NAMES = ['username', 'email', 'phone'] as const satisfies readonly (Concept & Meaning)[];

/** The signs of one meaning. Every sign has the id `<meaning>/<source>`. */
export interface FieldRule {
  readonly meaning: Meaning;
  /** Tokens of the `autocomplete` attribute. */
  readonly autocomplete?: readonly string[];
  /** Input types. */
  readonly type?: readonly string[];
  /** Words in label, aria, placeholder, title, description and neighbour. */
  readonly concepts?: readonly Concept[];
  /** Pattern over `name` or `id`, in lower case with `_` between humps. */
  readonly name?: RegExp;
  /** What the box itself looks like: length, pattern, keyboard. */
  readonly shape?: (evidence: Evidence) => boolean;
  /** Weights that differ from the source's own. */
  readonly weights?: Partial<Record<Source, number>>;
}

export interface Score {
  readonly points: number;
  readonly rules: readonly RuleId[];
}

export function scoreRule(rule: FieldRule, evidence: Evidence): Score {
  const { control } = evidence;
  const hits = new Set<Source>();
  const tokens = control.autocomplete.split(/\s+/);
  if (rule.autocomplete?.some((token) => tokens.includes(token))) hits.add('autocomplete');
  if (rule.type?.includes(control.type)) hits.add('type');
  if (evidence.codes.some((code) => rule.name?.test(code))) hits.add('name');
  for (const concept of rule.concepts ?? []) for (const source of sourcesSaying(evidence, concept)) hits.add(source);
  // The same words in label and aria are one statement.
  if (hits.has('label')) hits.delete('aria');
  if (rule.shape?.(evidence)) hits.add('shape');
  const sources = [...hits];
  return {
    points: sources.reduce((sum, source) => sum + (rule.weights?.[source] ?? WEIGHT[source]), 0),
    rules: sources.map((source) => `${rule.meaning}/${source}`),
  };
}
