import type { PageSnapshot } from '../snapshot.js';

const mostCharacters = 300;

/**
 * The sentences of a page that can be shown to a person. Page text has no lines: what stands above a sentence without a full stop, the
 * menu and the heading, runs into it and is cut off.
 */
export function sentencesOf(text: string, { headings }: Pick<PageSnapshot, 'headings'>): string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])\s*/u)
    .map((sentence) => belowHeadings(sentence, headings))
    .filter((sentence) => sentence !== '' && sentence.length <= mostCharacters);
}

function belowHeadings(sentence: string, headings: readonly string[]): string {
  const found = headings
    .filter((heading) => heading !== '' && sentence.includes(heading))
    .map((heading) => ({ begin: sentence.lastIndexOf(heading), end: sentence.lastIndexOf(heading) + heading.length }))
    .sort((a, b) => b.end - a.end)[0];
  if (found === undefined) return sentence.trim();
  // A heading that is the sentence stays.
  return sentence.slice(found.end).trim() || sentence.slice(found.begin).trim();
}
