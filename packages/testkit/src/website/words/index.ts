import { en } from './en.js';
import type { Words } from './words.js';

export type { Words } from './words.js';

export const wordsOf = { en } as const satisfies Record<string, Words>;

export type Language = keyof typeof wordsOf;

/** Fills `{name}` places of a sentence. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
