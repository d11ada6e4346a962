import { type Concept, says, words } from '../lexicon/words.js';
import { withoutButtons } from '../page-view.js';
import type { PageSnapshot } from '../snapshot.js';
import { sentencesOf } from './sentences.js';

/** Characters of an error that is told; a page of no more says little else. */
export const LONGEST = 500;
const MOST_SENTENCES = 3;

/**
 * The heading, and the first of the sentences below it that matter: how long, why, and behind them whom to ask. `isFailure`: the page is known
 * to be one, in whatever words.
 */
export function headedText(snapshot: PageSnapshot, matters: (sentence: string) => boolean, isFailure = false): string {
  const heading = snapshot.headings.join(' ').trim();
  const sentences = sentencesOf(withoutButtons(snapshot), snapshot).filter((sentence) => !heading.includes(sentence));
  const saysWhom = (sentence: string, before: string | undefined): boolean =>
    before !== undefined && matters(before) && says('leave', words(sentence));
  const told = sentences.filter((sentence, at) => matters(sentence) || saysWhom(sentence, sentences[at - 1]));
  const below = (told.length > 0 || !isFailure ? told : explanationIn(snapshot)).slice(0, MOST_SENTENCES);
  const isOpen = heading !== '' && below.length > 0 && !/[.!?:。！？：]$/u.test(heading);
  const stop = /[\u3040-\u9fff]$/u.test(heading) ? '。' : '.';
  return (inOneLine([isOpen ? heading + stop : heading, ...below]) || snapshot.text).slice(0, LONGEST).trim();
}

/** All sentences in the page's own voice that say it. */
export function sentencesSaying(concept: Concept, snapshot: PageSnapshot): string {
  const told = sentencesOf(withoutButtons(snapshot), snapshot).filter((sentence) => says(concept, words(sentence)));
  return told.join(' ').slice(0, LONGEST);
}

/** Some scripts have no blank behind a full stop. */
const inOneLine = (sentences: readonly string[]): string =>
  sentences
    .filter(Boolean)
    .join(' ')
    .replace(/(?<=[。！？]) /gu, '');

/** What stands in whole sentences below the heading of a page that says little else. */
function explanationIn(snapshot: PageSnapshot): string[] {
  const [heading = ''] = snapshot.headings;
  const text = withoutButtons(snapshot);
  if (heading === '' || snapshot.text.length > LONGEST) return [];
  const below = text.slice(text.indexOf(heading) + heading.length);
  return sentencesOf(below, snapshot).filter((sentence) => /[.!?。！？]$/u.test(sentence) && !sentence.includes('©'));
}
