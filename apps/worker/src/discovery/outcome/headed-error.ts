import { isInEdge, isUsable } from '../evidence.js';
import { type Concept, isJust, says, type Words, words } from '../lexicon/words.js';
import { asksForText, type PageView, withoutButtons } from '../page-view.js';
import { offerMark, type RuleId } from '../verdict.js';
import { isAtWork, offersUse, offersUseBeside } from '../work.js';
import { headedText, LONGEST, sentencesSaying } from './headed-text.js';
import { isNotice } from './notices.js';
import { BARS, type ErrorFinding, isErrorAnswer, REFUSALS, saysAny } from './refusal.js';
import { sentencesOf } from './sentences.js';
import { isSignOut } from './sign-out.js';

/** A page that asks for nothing and tells of a failure, or which the server answered as one. */
export function headedError(view: PageView): ErrorFinding | null {
  const { snapshot, context, headings } = view;
  if (asksForText(view)) return null;
  const isAnswer = isErrorAnswer(view);
  // A page of one sentence has no need of a heading, nor has one that offers to try again and nothing else.
  const isIdle = !snapshot.controls.some((control) => isUsable(control) && !isJust('retry', words(control.text)));
  const isBare = isIdle && (headings.squeezed === '' || isSentBack(snapshot.text));
  const head = isBare ? words(snapshot.text.slice(0, LONGEST)) : headings;
  // An application at work has lists of failures of its own.
  const isTold =
    context.before !== null &&
    ((saysAny(REFUSALS, head) &&
      !(isOnlyFailure(head) && (goesOn(view) || (isLetIn(view) && offersUseBeside(view, new Set()) && !isOfAccount(head)))) &&
      !isAtWork(view)) ||
      (saysAny(BARS, headings) && !isAtWork(ownOf(view))));
  if (context.sent.includes('external') && says('refused', head) && !isAtWork(view))
    return { text: headedText(snapshot, (sentence) => says('refused', words(sentence))), isNew: true, rules: ['error/refused'] };
  // One sentence is told whole, with a link that is a part of it.
  const isOne = isBare && /^[^.!?。！？]+[.!?。！？]?$/u.test(snapshot.text.trim());
  const text = isOne ? snapshot.text.trim() : headedText(snapshot, saysRefusal, isAnswer);
  if (text !== '' && (isAnswer || isTold)) return { text, isNew: true, rules: [isAnswer ? 'error/http_status' : 'error/heading'] };
  if (context.before === null) return null;
  const shut = offersUse(view) || snapshot.text.length > LONGEST ? '' : sentencesSaying('noAccess', snapshot);
  if (shut !== '') return { text: shut, isNew: true, rules: ['error/no_access'] };
  const refusal = refusalBesideMenus(view);
  if (refusal !== '') return { text: refusal, isNew: true, rules: [LOGIN_REFUSED] };
  const bar = barOf(view);
  return bar === '' ? null : { text: bar, isNew: true, rules: ['error/barred'] };
}

const LONGEST_IDLE = 200;

/** "Sign in. Too many attempts, please wait": the page of a form that is kept back. */
const isSentBack = (text: string): boolean => text.length <= LONGEST_IDLE && says('failure', words(text)) && says('passing', words(text));

const LONGEST_REFUSAL = 300;

const LONGEST_SENTENCE = 120;

/** "Wrong password." in a plain sentence, and next to nothing else between the menus; nor a way out that the login did not have. */
function refusalBesideMenus(view: PageView): string {
  const { snapshot, context } = view;
  const { before } = context;
  const own = withoutButtons(snapshot).trim();
  if (before?.form !== 'login' || isLetIn(view) || own.length > LONGEST_REFUSAL || says('greeting', words(own))) return '';
  const told = sentencesOf(own, snapshot).filter((sentence) => !/\d/.test(sentence) && isOfLogin(words(sentence), sentence.length));
  const refusal = told.join(' ');
  return own.length - refusal.length <= MOST_BESIDE ? refusal : '';
}

const MOST_BESIDE = 60;

/** There is a way out that the login did not have. */
const isLetIn = ({ pressables, context: { before } }: PageView): boolean =>
  pressables.some((button) => isSignOut(button) && before?.offers.includes(offerMark(button.control)) === false);

function isOfLogin(said: Words, length: number): boolean {
  const isAbout = says('password', said) || (says('signIn', said) && !says('signIns', said));
  return (
    says('lockedOut', said) ||
    (isAbout && (says('wrong', said) || (says('failure', said) && length <= LONGEST_SENTENCE))) ||
    (says('username', said) && says('wrong', said))
  );
}

const isOnlyFailure = (head: Words): boolean => !says('wrong', head) && !says('barred', head);

/** Of who is there, as against what an application has ("Remaining balance", "Front door: locked"). */
const isOfAccount = (head: Words): boolean => OF_ACCOUNTS.some((concept) => says(concept, head));

const OF_ACCOUNTS: readonly Concept[] = [
  'password',
  'mustChange',
  'lockedOut',
  'noAccess',
  'signIn',
  'verify',
  'email',
  'username',
  'account',
];

/** "More information required", and a way on: a step. */
const goesOn = ({ pressables }: PageView): boolean =>
  pressables.some(({ control, evidence: { text } }) => !isInEdge(control) && (isJust('next', text) || isJust('later', text)));

/** Without the menus around it, which are those of every page. */
const ownOf = (view: PageView): PageView => ({ ...view, pressables: view.pressables.filter(({ control }) => !isInEdge(control)) });

const saysRefusal = (sentence: string): boolean => saysAny(REFUSALS, words(sentence));

/** What a page that says little else tells of why nobody gets on here, in its own sentences. */
function barOf(view: PageView): string {
  const { snapshot } = view;
  if (snapshot.text.length > LONGEST || isAtWork(ownOf(view))) return '';
  return sentencesSaying('barred', snapshot);
}

/** A short page that offers nothing but the way back to the login: what it says, in any words, is why. */
export function turnedAway(view: PageView): ErrorFinding | null {
  const { snapshot, context } = view;
  if (context.before === null || asksForText(view) || offersUse(view) || snapshot.text.length > LONGEST) return null;
  if (isNotice(words(snapshot.text), { text: snapshot.text, source: 'plain' })) return null;
  const text = headedText(snapshot, () => true);
  return text === '' ? null : { text, isNew: true, rules: ['error/turned_away'] };
}

/** Of a login that was refused on a page without its form, whatever menus, or way out, are around. */
export const LOGIN_REFUSED: RuleId = 'error/login_refused';
