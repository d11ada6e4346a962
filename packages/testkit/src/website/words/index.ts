import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { ko } from './ko.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { ru } from './ru.js';
import { zh } from './zh.js';
import type { Words } from './words.js';

export type { Words } from './words.js';

export const wordsOf = { en, de, fr, es, pt, it, nl, pl, ru, ja, zh, ko } as const satisfies Record<string, Words>;

export type Language = keyof typeof wordsOf;

/** Fills `{name}` places of a sentence. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
