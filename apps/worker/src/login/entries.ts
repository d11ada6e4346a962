import { setTimeout as delay } from 'node:timers/promises';
import { authenticator } from 'otplib';
import type { FieldFinding } from '../discovery/verdict.js';
import { type KnownValues, MADE_FROM_SEED } from './known-values.js';

/** What is entered for the value that was given, or what is told to the person where it cannot be. */
export type Entry = { readonly typed: string } | { readonly refused: string };

/** A field, the value for it, and what is entered for that. */
export interface Entered {
  readonly field: FieldFinding;
  readonly value: string;
  readonly entry: Entry;
}

/**
 * What is entered into these fields: the value given at its place, else the one that is known, else nothing. Waits first where a code is
 * about to lapse, so that it is the next one that is made.
 */
export async function enter(
  fields: readonly FieldFinding[],
  given: readonly (string | undefined)[],
  known: Pick<KnownValues, 'valueOf' | 'waitFor'>,
): Promise<readonly Entered[]> {
  const lapsesMs = known.waitFor(fields);
  if (lapsesMs > 0) await delay(lapsesMs);
  return fields.map((field, index) => {
    const value = meantBy(field, given[index] || (known.valueOf(field) ?? ''));
    return { field, value, entry: entryFor(field, value) };
  });
}

/** Telephones show codes in groups ("123 456", "123-456"); a box for digits has no room for what is between them. */
function meantBy({ type, inputMode }: FieldFinding, value: string): string {
  const isCode = type === 'code' || type === 'totp_code';
  return isCode && inputMode === 'numeric' && /^\s*(?:\d+(?:\s+\d+)*|\d{3}-\d{3})\s*$/.test(value) ? value.replace(/[\s-]/g, '') : value;
}

/** Someone who gave the code instead of the seed meant the code. An option is chosen by its name or its value. */
export function entryFor({ rules, accepts }: FieldFinding, value: string): Entry {
  switch (accepts?.kind) {
    case 'option': {
      const wanted = plainly(value);
      const { options } = accepts;
      const option = options.find(({ text }) => plainly(text) === wanted) ?? options.find((one) => plainly(one.value) === wanted);
      return option === undefined ? { refused: refusals.option } : { typed: option.text };
    }
    case 'date':
      return enteredOr(isoDate(value), refusals.date);
    case 'month':
      return enteredOr(/^\d{4}-(0[1-9]|1[0-2])$/.exec(value.trim())?.[0], refusals.month);
    case 'characters':
      return enteredOr([...value.trim()].length === accepts.count ? value.trim() : undefined, refusals.characters);
    case undefined: {
      const isSeed = rules.includes(MADE_FROM_SEED) && !/^\d{6,8}$/.test(value.trim());
      return { typed: isSeed ? authenticator.generate(value.replace(/[\s-]/g, '').toUpperCase()) : value };
    }
  }
}

const refusals = {
  option: 'There is no such option. Give one that the hint names.',
  date: 'This is not a date. Give it as YYYY-MM-DD.',
  month: 'This is not a month. Give it as YYYY-MM.',
  characters: 'Give exactly the characters that are asked for, one after the other.',
} as const;

const plainly = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
const enteredOr = (typed: string | undefined, refused: string): Entry => (typed === undefined ? { refused } : { typed });

/** The forms that mean one day wherever they are written. */
const dateForms: readonly { readonly form: RegExp; readonly order: readonly [number, number, number] }[] = [
  { form: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, order: [1, 2, 3] },
  { form: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, order: [3, 2, 1] },
];

function isoDate(value: string): string | undefined {
  for (const { form, order } of dateForms) {
    const found = form.exec(value.trim());
    if (found === null) continue;
    const iso = order.map((part) => (found[part] ?? '').padStart(2, '0')).join('-');
    const day = new Date(`${iso}T00:00:00Z`);
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso) ? iso : undefined;
  }
  return undefined;
}
