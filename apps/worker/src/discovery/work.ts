import { isInEdge, isInHead } from './evidence.js';
import type { Meant } from './forms/meanings.js';
import { type Concept, isJust, says, words } from './lexicon/words.js';
import { isSignOut } from './outcome/sign-out.js';
import { leavesSite, type PageView } from './page-view.js';
import { type ControlSnapshot, type Handle, placeOf, shapeOf } from './snapshot.js';
import { isProven, offerMark } from './verdict.js';

/** What every page may offer, one that lets nobody on or only asks too. */
export const ASIDE: readonly Concept[] = ['back', 'help', 'leave', 'enter', 'signUp', 'forgot', 'resend', 'close', 'guest'];

const ANSWERS: readonly Concept[] = ['next', 'accept', 'allow', 'deny', 'yes', 'no', 'mine'];

const isOfUse = ({ control, evidence: { text } }: Meant, { context }: PageView): boolean =>
  control.landmark !== 'footer' &&
  // It opens a list to choose from, which a step may be about.
  control.role !== 'combobox' &&
  placeOf(control.href) !== placeOf(context.before?.url ?? '') &&
  !says('signIn', text) &&
  ![...ASIDE, ...ANSWERS].some((concept) => isJust(concept, text));

/** Something that only who is in could want: not the way back, or to help. */
export const offersUse = (view: PageView): boolean => view.pressables.some((button) => isOfUse(button, view));

/** What goes with a step in any of its words. */
const BESIDE: readonly Concept[] = ['resend', 'anotherWay', 'anotherAccount', 'terms'];

/** The same beside the parts of a step (`parts`) and the way out; the name of a website in its head leads to its front page or nowhere. */
export function offersUseBeside(view: PageView, parts: ReadonlySet<Handle>): boolean {
  const rest = view.pressables.filter((button) => !parts.has(button.control.handle) && !isSignOut(button));
  const here = placeOf(view.snapshot.url);
  const idle = new Set([here, here.replace(/^(\w+:\/\/[^/]+)\/.*$/, '$1/')]);
  const isUse = (button: Meant): boolean =>
    isOfUse(button, view) &&
    !/^(mailto|tel):/.test(button.control.href) &&
    !idle.has(placeOf(button.control.href)) &&
    !BESIDE.some((concept) => says(concept, button.evidence.text));
  return isAtWork({ ...view, pressables: rest }) || rest.some(isUse);
}

const MOST_LISTED = 9;

/** A page of a heading and a few links of one list, with no menus around it that the login did not have: a list to choose from, perhaps. */
export function loneList({ snapshot, context, pressables }: PageView): readonly Meant[] {
  const offers = context.before?.offers ?? [];
  const isOld = ({ control }: Meant): boolean => control.landmark === 'footer' || offers.includes(offerMark(control));
  const own = pressables.filter((button) => !isOld(button) && !ASIDE.some((concept) => isJust(concept, button.evidence.text)));
  const isListed = own.every(
    ({ control }) => control.tag === 'a' && !isInEdge(control) && shapeOf(control) === shapeOf(own[0]?.control ?? control),
  );
  if (says('contents', words(snapshot.headings.join(' ')))) return [];
  return context.before !== null && snapshot.headings.length <= 2 && own.length >= 2 && own.length <= MOST_LISTED && isListed ? own : [];
}

const FEWEST_MENUS = 2;
const FEWEST_OWN = 2;
/** What stands beside a step as well, or tells why there is one. */
const EXPLAINS: readonly Concept[] = [...BESIDE, 'help', 'verify', 'authenticator', 'passkey', 'securityKey', 'code'];

/** In its head there are some that the login did not have. */
export const hasOwnMenus = ({ context: { before }, pressables }: PageView): boolean =>
  pressables.filter(({ control }) => isInHead(control) && before?.offers.includes(offerMark(control)) === false).length >= FEWEST_MENUS;

/**
 * Behind a proof there are menus that the login did not have, and links of the page's own: a sentence about a letter, a device or a code on it
 * is one of the website's, and no step.
 */
export function isBesideWork(view: PageView): boolean {
  const { context, pressables } = view;
  const { before } = context;
  if (before === null || !isProven(context.sent)) return false;
  const isOwn = (button: Meant): boolean =>
    button.control.tag === 'a' &&
    !isInEdge(button.control) &&
    button.control.landmark !== 'dialog' &&
    isOfUse(button, view) &&
    !leavesSite(view, button.control) &&
    !EXPLAINS.some((concept) => says(concept, button.evidence.text)) &&
    !/[?？؟]\s*$/u.test(button.control.text);
  return hasOwnMenus(view) && pressables.filter(isOwn).length >= FEWEST_OWN;
}

const FEWEST_PLACES = 5;

const FEWEST_WORKS = 3;

/** The box in which an editor of code takes its keys: what is typed is drawn elsewhere. */
const isEditorInput = ({ tag, unreachable }: ControlSnapshot): boolean =>
  tag === 'textarea' && (unreachable === 'transparent' || unreachable === 'clipped');

/**
 * Many places to go to, and an editor among them, or not all of them in one form: a step in words we do not know has its few buttons there,
 * and a menu of languages leads to one page. Where all stand in one, some of them must be about work.
 */
export function isAtWork({ pressables, snapshot }: Pick<PageView, 'pressables' | 'snapshot'>): boolean {
  const inside = pressables.filter(({ control }) => control.landmark !== 'footer');
  const places = new Set(inside.map(({ control }) => control.href || control.handle));
  places.delete(placeOf(snapshot.url));
  if (places.size < FEWEST_PLACES) return false;
  if (snapshot.controls.some(isEditorInput)) return true;
  const offers = [...inside.map(({ evidence: { text } }) => text), ...snapshot.folded.map(({ text }) => words(text))];
  const works = new Set(offers.filter((said) => isJust('work', said)).map(({ squeezed }) => squeezed));
  return new Set(inside.map(({ control }) => control.form)).size >= 2 || works.size >= FEWEST_WORKS;
}
