import { type Concept, isJust, says, type Words, words } from '../lexicon/words.js';
import type { TextBlock } from '../snapshot.js';
import { saysAny } from './refusal.js';

/** Something the page says that may be an error: an announcement, a plain text about the form, or a heading. */
export interface Saying {
  readonly text: string;
  readonly source: TextBlock['source'] | 'heading';
}

/** Tells of something that is no fault of anybody's. */
export function isNotice(said: Words, { text, source }: Saying): boolean {
  if (says('wrong', said) || says('refused', said)) return false;
  if (says('signedIn', said) && !says('barred', said)) return true;
  // What is to be done in an app may be said as what is missing is ("Please give …").
  if (says('onDevice', said) && says('approves', said)) return true;
  // "Check the code we sent you and try again", where refusals are announced.
  if (ANNOUNCED.has(source) && says('failure', said) && isJust('retry', lastOf(text))) return false;
  if (source === 'done' || (says('greeting', said) && !says('failure', said))) return true;
  // "Too many attempts. Please wait" is no step of anything.
  if (says('failure', said) && says('passing', said) && !says('codeSent', said)) return false;
  // What goes on ("Waiting for you…") is no fault.
  return said.spaced.trim().length < 4 || /(…|\.\.\.)\s*$/.test(text) || saysAny(NOTICES, said);
}

/** Says that it was right, or that it goes on. */
export const isPraising = (said: Words): boolean =>
  !says('failure', said) &&
  !says('wrong', said) &&
  (says('greeting', said) ||
    says('passing', said) ||
    (says('signedIn', said) && !says('barred', said)) ||
    (says('success', said) && !NO_PRAISE.some((concept) => says(concept, said))));

/** Of what is said to have been sent, or is still to be done. */
const NO_PRAISE: readonly Concept[] = ['linkSent', 'codeSent', 'verify', 'email', 'lockedOut'];

/** What may be said beside any form, whatever it was sent. */
export const isBeside = (said: Words): boolean => says('cookies', said) || (says('pushWait', said) && says('onDevice', said));

export const ANNOUNCED: ReadonlySet<Saying['source']> = new Set(['alert', 'invalid', 'status', 'marked', 'red']);

/** What a text comes to in the end, behind its last "and" or the like: two words. */
const lastOf = (text: string): Words => words(text.split(/\s+/).slice(-2).join(' '));

const NOTICES: readonly Concept[] = ['cookies', 'success', 'linkSent', 'codeSent', 'pushWait', 'newsletter', 'human', 'securityCheck'];
