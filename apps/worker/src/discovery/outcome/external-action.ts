import { destinationIn } from '../fields/masked.js';
import { type Concept, says, words } from '../lexicon/words.js';
import { anySays, isStepOver, type PageView, withoutButtons } from '../page-view.js';
import type { PageSnapshot } from '../snapshot.js';
import type { ExternalAction } from '../verdict.js';
import { isBesideWork } from '../work.js';
import { sentencesOf } from './sentences.js';

/** What the person must do elsewhere, when this page only waits for it. */
export function findExternalAction(view: PageView): ExternalAction | null {
  const kinds: readonly [ExternalAction['kind'], Concept][] = [
    ['magic_link', 'linkSent'],
    ['push', 'pushWait'],
    ['call', 'callWait'],
    ['qr', 'scanCode'],
  ];
  const told = isBesideWork(view) ? undefined : kinds.find(([, concept]) => anySays(view, concept))?.[0];
  const kind = kinds.find(([, concept]) => says(concept, view.headings))?.[0] ?? told;
  return kind === undefined || isOfOwnApp(view, kind)
    ? null
    : {
        kind,
        message: instruction(view, (sentence) => saysElsewhere(sentence) || (kind === 'push' && isToldOf(sentence))),
        number: numberOf(view, kind),
      };
}

/** A code to scan for the website's own app leads to nothing of a login. */
const isOfOwnApp = (view: PageView, kind: ExternalAction['kind']): boolean => kind === 'qr' && anySays(view, 'getApp');

const saysElsewhere = (sentence: string): boolean => ELSEWHERE.some((concept) => says(concept, words(sentence)));

/**
 * The same where no phrase of a table is on the page, but a sentence of it, or all of the little it says, speaks of a device or an app and of
 * what is to be done there.
 */
export function findToldAction(view: PageView): ExternalAction | null {
  if (isStepOver(view)) return { kind: 'push', message: view.snapshot.modalText.slice(0, LONGEST_TOLD), number: numberOf(view, 'push') };
  const text = isBesideWork(view) ? '' : withoutButtons(view.snapshot);
  const sentences = [...view.snapshot.headings, ...sentencesOf(text, view.snapshot)];
  if (!sentences.some(isToldOf) && !(text.length <= LONGEST_TOLD && isToldOf(`${view.snapshot.headings.join(' ')} ${text}`))) return null;
  return { kind: 'push', message: instruction(view, isToldOf), number: numberOf(view, 'push') };
}

/** Speaks of a device or an app, and of what is to be done there. */
const isToldOf = (said: string): boolean =>
  says('onDevice', words(said)) && says('approves', words(said)) && !ALSO_THERE.some((concept) => says(concept, words(said)));

const LONGEST_TOLD = 400;
/** What is said of devices as well. */
const ALSO_THERE: readonly Concept[] = ['cookies', 'newsletter', 'passkey', 'securityKey'];

function numberOf({ snapshot }: PageView, kind: ExternalAction['kind']): string | null {
  const all = [...new Set(snapshot.numbers)];
  // One of four digits may be a year where there is a shorter one.
  const short = all.filter((number) => number.length < 4);
  const numbers = short.length > 0 ? short : all;
  return kind === 'push' && numbers.length === 1 ? (numbers[0] ?? null) : null;
}

/** A number, or letters and digits, that the other device asks for or shows too. */
const SHOWN_CODE = /(?:^|[\s:“"'(])(?:\d{1,3}|(?=[A-Z\d-]*\d)[A-Z\d]{1,5}-[A-Z\d]{1,5})(?=$|[\s.,:”"')])/;

/** Words of what is done elsewhere. */
export const ELSEWHERE: readonly Concept[] = ['linkSent', 'pushWait', 'callWait', 'scanCode'];

/** What the page says of the act, and where it has sent something to. */
function instruction({ snapshot }: PageView, isAct: (sentence: string) => boolean): string {
  const body = snapshot.modalText || snapshot.text;
  const told = sentencesOf(body, snapshot).filter(
    (sentence) => isAct(sentence) || destinationIn(sentence) !== null || SHOWN_CODE.test(sentence),
  );
  const message = told.map((sentence) => withoutTail(sentence, snapshot));
  const [heading = body] = snapshot.headings;
  // A number alone tells nobody what to do with it.
  const isSaid = message.some((sentence) => /\p{L}{2}/u.test(sentence));
  return (isSaid ? message : [heading, ...message]).join(' ').slice(0, 500).trim();
}

/** Buttons, links and boxes to tick have no full stop before them: without those at its end, the foot of the page and the time that is left. */
function withoutTail(whole: string, { controls }: Pick<PageSnapshot, 'controls'>): string {
  const sentence = whole
    .replace(/\s*©.*$/u, '')
    .replace(/\s*\b\d{1,2}:\d{2}\b/g, '')
    .trim();
  const offers = controls.map(({ tag, text, label }) => (tag === 'input' ? label : text)).filter((text) => text.length > 2);
  const last = offers.find((text) => sentence.endsWith(text) && text !== sentence);
  return last === undefined ? sentence : withoutTail(sentence.slice(0, -last.length), { controls });
}
