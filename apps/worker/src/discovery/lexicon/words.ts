import { de } from './de.js';
import * as eastern from './eastern.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { ko } from './ko.js';
import { CONCEPTS, type Concept, type Lexicon } from './lexicon.js';
import { nl } from './nl.js';
import * as northern from './northern.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { ru } from './ru.js';
import * as slavic from './slavic.js';
import * as southern from './southern.js';
import { zh } from './zh.js';

export type { Concept } from './lexicon.js';

export const LEXICONS: Readonly<Record<string, Lexicon>> = { en, de, fr, es, pt, it, nl, pl, ru, ja, zh, ko, ...slavic, ...northern, ...southern, ...eastern };

/** Scripts written without spaces, or whose words grow endings: their terms match anywhere. */
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** A text ready for matching. */
export interface Words {
  /** Lower case, no accents, only letters and digits, one space between words and at both ends. */
  readonly spaced: string;
  /** Without any space, for scripts that use none. */
  readonly squeezed: string;
  /** Concepts that whole words of the text are terms of. */
  readonly concepts: ReadonlySet<Concept>;
}

const LONE_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i', ё: 'е' };

/** Where a word in Latin letters stands among characters that use no spaces. */
const SEAM = /(?<=[a-z])(?=[\u3040-\u9fff\uac00-\ud7af])|(?<=[\u3040-\u9fff\uac00-\ud7af])(?=[a-z])/gu;

export function plain(text: string): string {
  return text
    .normalize('NFKC').toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/gu, '').normalize('NFC')
    .replace(/[ßłøæœđıё]/gu, (letter) => LONE_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(SEAM, ' ')
    .trim();
}

/** Rules ask of the same hundred texts of a page twenty times over, and the next look at it shows them again. */
const KNOWN = new Map<string, Words>();
const mostKnown = 1_000;

export function words(text: string): Words {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const clean = plain(text);
  const read = { spaced: ` ${clean} `, squeezed: clean.replaceAll(' ', ''), concepts: conceptsIn(clean) };
  if (KNOWN.size >= mostKnown) KNOWN.clear();
  KNOWN.set(text, read);
  return read;
}

interface Matcher {
  /** Terms that may go on, as one pattern. */
  readonly stems: RegExp | null;
  readonly squeezed: readonly string[];
  readonly whole: ReadonlySet<string>;
}

/** Terms of whole words, all concepts in one table: a text is read once, whatever is asked of it. */
const PHRASES = new Map<string, Concept[]>();
/** How many words the longest of those has that begin with a word. */
const LONGEST = new Map<string, number>();

const escape = (term: string): string => term.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

function compile(concept: Concept): Matcher {
  const terms = Object.values(LEXICONS).flatMap((lexicon) => lexicon[concept] ?? []);
  const stems: string[] = [];
  const squeezed = new Set<string>();
  const whole = new Set<string>();
  for (const term of terms) {
    const stem = plain(term.replace(/\*$/, ''));
    if (stem === '') continue;
    whole.add(stem.replaceAll(' ', ''));
    if (UNSPACED.test(stem)) squeezed.add(stem.replaceAll(' ', ''));
    else if (term.endsWith('*')) stems.push(escape(stem));
    else addPhrase(stem, concept);
  }
  return { stems: stems.length > 0 ? new RegExp(` (?:${stems.join('|')})`, 'u') : null, squeezed: [...squeezed], whole };
}

function addPhrase(phrase: string, concept: Concept): void {
  PHRASES.set(phrase, [...(PHRASES.get(phrase) ?? []), concept]);
  const [first = '', ...more] = phrase.split(' ');
  LONGEST.set(first, Math.max(LONGEST.get(first) ?? 1, 1 + more.length));
}

const MATCHERS = Object.fromEntries(CONCEPTS.map((concept) => [concept, compile(concept)])) as Record<Concept, Matcher>;

function conceptsIn(clean: string): Set<Concept> {
  const found = new Set<Concept>();
  const parts = clean.split(' ');
  for (let start = 0; start < parts.length; start += 1) {
    const longest = LONGEST.get(parts[start] ?? '') ?? 0;
    let phrase = '';
    for (let end = start; end < Math.min(parts.length, start + longest); end += 1) {
      phrase = end === start ? (parts[end] ?? '') : `${phrase} ${parts[end] ?? ''}`;
      for (const concept of PHRASES.get(phrase) ?? []) found.add(concept);
    }
  }
  return found;
}

/** Whether a text mentions a concept anywhere. */
export function says(concept: Concept, text: Words): boolean {
  if (text.concepts.has(concept)) return true;
  const { stems, squeezed } = MATCHERS[concept];
  return stems?.test(text.spaced) === true || (UNSPACED.test(text.squeezed) && squeezed.some((term) => text.squeezed.includes(term)));
}

/** Whether a text is a term of the concept and nothing else, as button labels are. */
export function isJust(concept: Concept, text: Words): boolean {
  return MATCHERS[concept].whole.has(text.squeezed);
}

/** Number of letters and digits, to tell a label from a sentence. */
export function lengthOf(text: Words): number {
  return text.squeezed.length;
}
