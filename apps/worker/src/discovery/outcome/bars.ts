import { termsOf } from '../choices/agreements.js';
import { isInEdge } from '../evidence.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, says } from '../lexicon/words.js';
import { anySays, type PageView } from '../page-view.js';
import { BARS } from './refusal.js';
import { isSignOut } from './sign-out.js';

const LONGEST_BAR = 400;

/** Says why it lets nobody on, at its head or in the little that stands between its menus. */
export const isBarred = ({ headings, snapshot, told, context }: PageView): boolean =>
  context.before !== null &&
  (BARS.some((concept) => says(concept, headings) || (snapshot.text.length <= LONGEST_BAR && says(concept, told))) ||
    (says('signIn', headings) && !says('signIns', headings) && !says('greeting', headings)));

const WAITS: readonly Concept[] = ['pushWait', 'callWait'];

/** Between its menus there is nothing but what has to be done elsewhere first. */
export const isWaiting = (view: PageView): boolean =>
  view.context.before !== null &&
  view.snapshot.text.length <= LONGEST_BAR &&
  WAITS.some((concept) => anySays(view, concept)) &&
  view.pressables.every(({ control }) => isInEdge(control));

/** Between its menus there is nothing but terms to be agreed to, whatever way out there is. */
export function asksToAgree(view: PageView): boolean {
  if (view.context.before === null) return false;
  if (isAboutTerms(view)) return true;
  const boxes = termsOf(view);
  const forms = new Set(boxes.map(({ control }) => control.form));
  return (
    boxes.length > 0 && view.pressables.every((button) => isInEdge(button.control) || forms.has(button.control.form) || isSignOut(button))
  );
}

const TERMS_ANSWERS: readonly Concept[] = ['accept', 'allow', 'next', 'deny', 'no', 'reject', 'later'];

/** Its heading, or the little that it says, speaks of terms, and all there is to press outside the menus answers it or leads to them. */
function isAboutTerms({ headings, told, snapshot, pressables }: PageView): boolean {
  const own = pressables.filter((button) => !isInEdge(button.control) && !isSignOut(button));
  const isOfTerms = ({ control, evidence: { text } }: Meant): boolean =>
    TERMS_ANSWERS.some((concept) => isJust(concept, text)) || says('terms', text) || (control.tag !== 'a' && says('accept', text));
  if (snapshot.headings.length > 1) return false;
  const isSaid = says('terms', headings) || (snapshot.text.length <= LONGEST_BAR && says('terms', told));
  return isSaid && own.some(({ control }) => control.tag !== 'a') && own.every(isOfTerms);
}
