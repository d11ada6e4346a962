import { isInEdge, isUsable } from '../evidence.js';
import { pathOf } from '../forms/forms.js';
import { headedText, LONGEST } from './headed-text.js';
import { isJust, lengthOf, says, words, type Concept, type Words } from '../lexicon/words.js';
import { asksForText, isAtWork, isSentCovered, offersUse, withoutButtons, type PageView } from '../page-view.js';
import { sentencesOf } from './sentences.js';
import { isSignOut } from './sign-out.js';
import { routeOf, type TextBlock } from '../snapshot.js';
import { type FieldFinding, offerMark, type RuleId } from '../verdict.js';

/** Something the page says that may be an error: an announcement, a plain text about the form, or a heading. */
interface Saying {
  readonly text: string;
  readonly source: TextBlock['source'] | 'heading';
}

/** How much an announcement's form speaks for an error; its words decide the rest. */
const SOURCE_POINTS: Readonly<Record<Saying['source'], number>> = {
  invalid: 3,
  dialog: 3,
  alert: 2,
  status: 2,
  marked: 1,
  red: 1,
  plain: 0,
  unseen: 0,
  done: 0,
  over: 0,
  heading: 0,
};
const LEAST = 3;
/** A page that says more than this anew is another page, on which a new text need not be an answer. */
const MOST_NEWS = 2;
const MARKS: ReadonlySet<Saying['source']> = new Set(['alert', 'status', 'marked', 'red']);

export interface ErrorFinding {
  readonly text: string;
  readonly isNew: boolean;
  readonly rules: readonly RuleId[];
}

/**
 * Whether the server itself said that this page is a failure: any 5xx, too many requests, and after something was sent any 4xx. The status of
 * a document that stood there already is no answer, and that of none is where the login itself comes with an error: applications of one page
 * are often what is served for whatever is not there.
 */
export function isErrorAnswer({ snapshot: { httpStatus, documentId }, context }: PageView): boolean {
  const { before } = context;
  if (before !== null && (before.documentId === documentId || (before.httpStatus ?? 0) >= 400)) return false;
  return httpStatus !== null && (httpStatus === 429 || httpStatus >= (context.sent.length === 0 ? 500 : 400));
}

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
  if (!isOnly || !isSentCovered(view) || snapshot.modalText === '' || text === '' || text.length > LONGEST) return null;
  const isKnown = context.before?.alerts.includes(text) === true;
  return isKnown || isNotice(words(text), { text, source: 'dialog' }) ? null : { text, isNew: true, rules: ['error/over'] };
}

/** It stood there when something was sent, on a page that asks for nothing of a login any more: a toast that has not gone yet. */
export const isLeftOver = ({ context }: PageView, { isNew }: ErrorFinding, asked: readonly FieldFinding[]): boolean =>
  context.before !== null && !isNew && asked.length === 0;

/** A page that asks for nothing and tells of a failure, or which the server answered as one. */
function headedError(view: PageView): ErrorFinding | null {
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
    ((saysAny(REFUSALS, head) && !(isOnlyFailure(head) && (goesOn(view) || (isLetIn(view) && !isOfAccount(head)))) && !isAtWork(view)) ||
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

/** Of a login that was refused on a page without its form, whatever menus, or way out, are around. */
export const LOGIN_REFUSED: RuleId = 'error/login_refused';
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

const REFUSALS: readonly Concept[] = ['wrong', 'failure', 'barred'];
/** Why a page lets nobody on, whatever else is around. */
export const BARS: readonly Concept[] = ['barred', 'lockedOut', 'noAccess', 'refused'];

/** Without the menus around it, which are those of every page. */
const ownOf = (view: PageView): PageView => ({ ...view, pressables: view.pressables.filter(({ control }) => !isInEdge(control)) });
const saysRefusal = (sentence: string): boolean => saysAny(REFUSALS, words(sentence));

const saysAny = (concepts: readonly Concept[], said: Words): boolean => concepts.some((concept) => says(concept, said));

/** What a page that says little else tells of why nobody gets on here, in its own sentences. */
function barOf(view: PageView): string {
  const { snapshot } = view;
  if (snapshot.text.length > LONGEST || isAtWork(ownOf(view))) return '';
  return sentencesSaying('barred', snapshot);
}

function sentencesSaying(concept: Concept, snapshot: PageView['snapshot']): string {
  const told = sentencesOf(withoutButtons(snapshot), snapshot).filter((sentence) => says(concept, words(sentence)));
  return told.join(' ').slice(0, LONGEST);
}

/** A short page that offers nothing but the way back to the login: what it says, in any words, is why. */
export function turnedAway(view: PageView): ErrorFinding | null {
  const { snapshot, context } = view;
  if (context.before === null || asksForText(view) || offersUse(view) || snapshot.text.length > LONGEST) return null;
  if (isNotice(words(snapshot.text), { text: snapshot.text, source: 'plain' })) return null;
  const text = headedText(snapshot, () => true);
  return text === '' ? null : { text, isNew: true, rules: ['error/turned_away'] };
}

/** Why a page wants another password, in its own words. */
export function demandOf({ snapshot }: PageView): ErrorFinding | null {
  const heading = snapshot.headings.find((text) => says('mustChange', words(text)));
  const text = heading ?? sentencesSaying('mustChange', snapshot);
  return text === '' ? null : { text: text.slice(0, LONGEST), isNew: true, rules: ['error/demand'] };
}

function announcedError(view: PageView, asked: readonly FieldFinding[]): ErrorFinding | null {
  const { snapshot, context } = view;
  const news = newsOf(view, asked);
  const headings: readonly Saying[] = context.before === null ? [] : snapshot.headings.map((text) => ({ text, source: 'heading' }));
  // What a page says of a code that it asks for, and has not asked for before, is no answer to one.
  const isToldFirst = context.before?.asked.includes('code') === false && asked.some(({ type }) => type === 'code' || type === 'totp_code');
  // A form with a password that comes back has its reason: where to look for a letter, say.
  const isAskedBack = context.before?.asked.includes('password') === true && asksAgain(asked, context.before.asked);
  // Some websites mark what is wrong by the colour of its caption.
  const captions = new Set(snapshot.controls.flatMap(({ label, placeholder }) => [label, placeholder]));
  const isCaption = (text: string): boolean => captions.has(text) && !saysWrong(text) && !says('failure', words(text));
  const isPast = asked.length === 0 && isAtWork(view);
  // What is said now counts, whatever has not gone yet.
  const isPraised = snapshot.alerts.some((alert) => alert.source === 'done' && news.isNew(alert));
  const found = [...snapshot.alerts.map((alert) => news.restOf(withReason(alert, snapshot))), ...headings].flatMap((saying) => {
    if ((isPast && isTally(saying.text)) || isCaption(saying.text)) return [];
    const isNew = news.isNew(saying);
    // Some websites say the same once more, in an element that takes the place of the last one.
    if (!isNew && isPraised) return [];
    const isRepeated = !isNew && saying.text === context.before?.error;
    if (!isNew && !isRepeated && (saying.source === 'plain' || saying.source === 'heading')) return [];
    const said = words(answerIn(saying));
    const [wrong, failure] = [saysWrong(answerIn(saying)), says('failure', said)];
    // A tab or a filter may be named after what it lists.
    if (!wrong && isOffered(view, saying)) return [];
    const isAnswer = isAskedBack && isNew && ANNOUNCED.has(saying.source) && !isBeside(said);
    const isNoticed =
      (isAnswer ? isPraising(said) : isNotice(said, saying)) || (!wrong && isToldFirst && ASKS_CODE.some((concept) => says(concept, said)));
    const points =
      SOURCE_POINTS[saying.source] +
      (wrong ? 3 : 0) +
      (failure ? 1 : 0) -
      (isNoticed ? 4 : 0) -
      (lengthOf(said) > 250 ? 2 : 0) +
      (isNew && !isNoticed ? news.surprise(saying) : 0);
    if (points < LEAST && !isRepeated) return [];
    const rules = [`error/${saying.source}`, ...(wrong ? ['error/wrong'] : []), ...(failure ? ['error/failure'] : [])];
    return [{ text: saying.text.slice(0, LONGEST), isNew, points, rules, isSeen: saying.source !== 'unseen' }];
  });
  const best = found.sort(
    (a, b) =>
      Number(b.isNew) - Number(a.isNew) || Number(b.isSeen) - Number(a.isSeen) || b.points - a.points || a.text.length - b.text.length,
  )[0];
  return best ? { text: best.text, isNew: best.isNew, rules: best.rules } : null;
}

/** That something is wrong with what was sent; "Something went wrong" says nothing of it. */
export const saysWrong = (text: string): boolean => says('wrong', words(text.replace(/went wrong/giu, '')));

/** That the account is closed: not that it may come to that, "after two more tries" or unless something is done. */
export function isLockedOut(text: string): boolean {
  const closed = text.split(/(?<=[.!?。！？])\s*/u).filter((sentence) => says('lockedOut', words(sentence)));
  return closed.some((sentence) => !says('provided', words(sentence))) && !says('attemptsLeft', words(text));
}

/** "Error!" in a place of its own says nothing: what stands below it goes with it. */
function withReason(saying: Saying, { alerts, text }: PageView['snapshot']): Saying {
  if (saying.source === 'plain' || !isJust('failure', words(saying.text)) || !text.includes(saying.text)) return saying;
  const below = text.slice(text.indexOf(saying.text) + saying.text.length).trim();
  const block = alerts.find((alert) => alert.source === 'plain' && below.startsWith(alert.text))?.text;
  const reason = block ?? /^[^.!?。！？]{4,200}[.!?。！？]/u.exec(below)?.[0];
  return reason === undefined ? saying : { ...saying, text: `${saying.text} ${reason}` };
}

const ASKS_CODE: readonly Concept[] = ['code', 'authenticator'];

/** "2 failed login attempts": what an application tells who is in of former logins. */
const isTally = (text: string): boolean => /\d/.test(text) && isJust('signIns', words(text.replace(/\d+/g, ' ')));

/** All that it says is what a button or link says. */
const isOffered = ({ pressables }: PageView, { text }: Saying): boolean => pressables.some(({ control }) => control.text === text);

interface News {
  /** Without the error that was told of before, where a stack of notices says it as well. */
  restOf(saying: Saying): Saying;
  isNew(saying: Saying): boolean;
  /** What being new speaks for an error, whatever the words. */
  surprise(saying: Saying): number;
}

/**
 * What the page says that it did not say when something was sent from it. A form that comes back in a new document, at whatever address,
 * comes back for a reason: what is new about it then is the website's answer in any words. So is the only new text of a form that has stayed.
 */
function newsOf(view: PageView, asked: readonly FieldFinding[]): News {
  const { snapshot, context } = view;
  const { before } = context;
  if (before === null) return { restOf: (saying) => saying, isNew: ({ source }) => source !== 'plain', surprise: () => 0 };
  const isSameDocument = before.documentId === snapshot.documentId;
  const isBack = asksAgain(asked, before.asked);
  const isSameRoute = pathOf(routeOf(before.url)) === pathOf(routeOf(snapshot.url));
  const isHere = asked.length > 0 && (isSameDocument || isBack || isSameRoute);
  const stood = new Set([...before.alerts, ...(before.error === null ? [] : [before.error])]);
  const stoodButFor = new Set(before.alerts.map(withoutNumbers));
  // A refusal that is said once more by a new document is news; in the same document it may just not have gone yet.
  const isOld = ({ text }: Saying): boolean => stood.has(text) && (isSameDocument || (isBack && text !== before.error));
  const isNew = (saying: Saying): boolean => {
    if (saying.source !== 'plain' && saying.source !== 'heading') return !isOld(saying);
    return isHere && !isQuestion(saying.text) && (!stood.has(saying.text) || (!isSameDocument && saying.text === before.error));
  };
  const isFresh = (saying: Saying): boolean =>
    isNew(saying) && (saying.text === before.error || !stoodButFor.has(withoutNumbers(saying.text)));
  const fresh = snapshot.alerts.filter((alert) => alert.source === 'plain' && isFresh(alert)).length;
  // What takes the place of another text changes with every visit; a refusal is said on top of what is always said.
  const isGone = (text: string): boolean =>
    text !== before.error && !/\d/.test(text) && snapshot.alerts.every((alert) => alert.text !== text);
  const gone = before.plain.filter(isGone).length;
  // Elsewhere a form that asks for less has its own reason to ask.
  const isWhole = isSameRoute || asked.filter(({ editable }) => editable).length === before.asked.length;
  const isOnlyNews = isBack && isWhole && fresh <= MOST_NEWS && fresh > gone;
  const asksAny = asksForText(view);
  const restOf = (saying: Saying): Saying => {
    const { error } = before;
    if (!isSameDocument || error === null || saying.text === error) return saying;
    const rest = saying.text.replaceAll(error, ' ').replace(/\s+/g, ' ').trim();
    // Older ones stand in it too.
    const unknown = [...stood].sort((a, b) => b.length - a.length).reduce((left, text) => left.replaceAll(text, ' '), rest);
    return /\p{L}/u.test(unknown) ? { ...saying, text: rest } : { ...saying, text: error };
  };
  return {
    restOf,
    isNew,
    surprise: (saying) => {
      // What is laid over pages mostly sells something.
      if (saying.source === 'over') return 0;
      if (saying.source !== 'heading' && isOnlyNews && isFresh(saying)) return 3;
      // The form is back, and something is marked beside it that was not there.
      if (isBack && isFresh(saying) && MARKS.has(saying.source)) return 2;
      const isAnnounced = saying.source === 'alert' || saying.source === 'marked' || (saying.source === 'status' && asksAny);
      return isAnnounced ? 1 : 0;
    },
  };
}

/** Nothing is asked but what was asked when something was sent. */
function asksAgain(asked: readonly FieldFinding[], before: readonly string[]): boolean {
  const refs = asked.filter(({ editable }) => editable).map(({ ref }) => ref);
  return refs.length > 0 && refs.every((ref) => before.includes(ref));
}

/** Clocks and counters are no news. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

/** Nothing but questions, and none of them with what is wrong before it ("Wrong password: is caps lock on?"). */
const isQuestion = (text: string): boolean =>
  !text.split(/(?<=[.!?。！？])\s*/u).some((sentence) => sentence !== '' && !/[?？]$/u.test(sentence)) &&
  !says('wrong', words(/^(.+?)\s*[:：;；–—]/u.exec(text)?.[1] ?? ''));

/** Beside what is stated a question ("Can't find the email? Look at your spam folder.") states nothing; what is announced is read whole. */
function answerIn({ text, source }: Saying): string {
  if (source !== 'plain') return text;
  const stated = text.split(/(?<=[.!?。！？])\s*/u).filter((sentence) => !/[?？]$/u.test(sentence) || !isQuestion(sentence));
  return stated.length === 0 ? text : stated.join(' ');
}

function isNotice(said: Words, { text, source }: Saying): boolean {
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
const isPraising = (said: Words): boolean =>
  !says('failure', said) &&
  !says('wrong', said) &&
  (says('greeting', said) ||
    says('passing', said) ||
    (says('signedIn', said) && !says('barred', said)) ||
    (says('success', said) && !NO_PRAISE.some((concept) => says(concept, said))));

/** Of what is said to have been sent, or is still to be done. */
const NO_PRAISE: readonly Concept[] = ['linkSent', 'codeSent', 'verify', 'email', 'lockedOut'];
/** What may be said beside any form, whatever it was sent. */
const isBeside = (said: Words): boolean => says('cookies', said) || (says('pushWait', said) && says('onDevice', said));

const ANNOUNCED: ReadonlySet<Saying['source']> = new Set(['alert', 'invalid', 'status', 'marked', 'red']);

/** What a text comes to in the end, behind its last "and" or the like: two words. */
const lastOf = (text: string): Words => words(text.split(/\s+/).slice(-2).join(' '));

const NOTICES: readonly Concept[] = ['cookies', 'success', 'linkSent', 'codeSent', 'pushWait', 'newsletter', 'human', 'securityCheck'];
