import { pathOf } from '../forms/forms.js';
import { type Concept, isJust, lengthOf, says, words } from '../lexicon/words.js';
import { asksForText, type PageView } from '../page-view.js';
import { routeOf } from '../snapshot.js';
import type { FieldFinding } from '../verdict.js';
import { isAtWork } from '../work.js';
import { LONGEST } from './headed-text.js';
import { ANNOUNCED, isBeside, isNotice, isPraising, type Saying } from './notices.js';
import { type ErrorFinding, saysWrong } from './refusal.js';

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

export function announcedError(view: PageView, asked: readonly FieldFinding[]): ErrorFinding | null {
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
