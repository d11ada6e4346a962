import { says, words } from '../lexicon/words.js';
import { asksForText, isSentCovered, isStepOver, type PageView, withoutButtons } from '../page-view.js';
import type { FieldFinding } from '../verdict.js';
import { announcedError } from './announced-error.js';
import { headedError } from './headed-error.js';
import { LONGEST, sentencesSaying } from './headed-text.js';
import { isNotice } from './notices.js';
import type { ErrorFinding } from './refusal.js';

/** The website's own error text. Standing labels, hints and notices of success are none. `asked`: what the page asks for. */
export function findError(view: PageView, asked: readonly FieldFinding[]): ErrorFinding | null {
  return announcedError(view, asked) ?? toldOver(view) ?? headedError(view);
}

/** A box that has come over what was sent, and can only be put away: its text is the answer, in whatever words. */
function toldOver(view: PageView): ErrorFinding | null {
  const { snapshot, context, pressables } = view;
  const own = pressables.filter(({ control }) => control.landmark === 'dialog');
  const isOnly = own.length === 1 && own.every(({ control }) => control.href === '') && !asksForText(view);
  const text = withoutButtons(snapshot).replace(/\s+/g, ' ').trim();
  if (!isOnly || !isSentCovered(view) || isStepOver(view) || snapshot.modalText === '' || text === '' || text.length > LONGEST) return null;
  const isKnown = context.before?.alerts.includes(text) === true;
  return isKnown || isNotice(words(text), { text, source: 'dialog' }) ? null : { text, isNew: true, rules: ['error/over'] };
}

/** Why a page wants another password, in its own words. */
export function demandOf({ snapshot }: PageView): ErrorFinding | null {
  const heading = snapshot.headings.find((text) => says('mustChange', words(text)));
  const text = heading ?? sentencesSaying('mustChange', snapshot);
  return text === '' ? null : { text: text.slice(0, LONGEST), isNew: true, rules: ['error/demand'] };
}
