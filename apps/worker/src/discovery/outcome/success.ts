import { isInEdge } from '../evidence.js';
import { pathOf } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { isJust, says, words } from '../lexicon/words.js';
import { anySays, type PageView } from '../page-view.js';
import { type ControlSnapshot, type PageSnapshot, routeOf } from '../snapshot.js';
import { offerMark, type PageContext, type RuleId } from '../verdict.js';
import { isBesideWork, loneList, offersUse } from '../work.js';
import {
  FRAME,
  hasFoldedSignOut,
  hasNewMenus,
  hasWorkMenu,
  isCalledByName,
  isFrame,
  isHome,
  isInUse,
  isLoginGone,
  NEW_MENUS,
} from './application.js';
import { asksToAgree, isBarred, isWaiting } from './bars.js';
import { isGreeted, isLedOn, isPraised, PASSING } from './greeting.js';
import type { ErrorFinding } from './refusal.js';
import { areSessions, isSignOut, leadsOut } from './sign-out.js';
import { isAtStep, isEntry, isQuestion, offersEntry } from './steps.js';

/** The page is another than the login was, and none of its steps by any word. */
export const LEFT_LOGIN = 'success/left_login';

/** What a greeting speaks for, whatever stands below it. */
const GREETINGS: ReadonlySet<RuleId> = new Set(['success/greeting', 'success/login_gone', 'success/praised']);

const MOST_ON = 2;

/** "Welcome back", and "Continue" to where somebody wanted to go: not there yet, perhaps. */
function isOnTheWay({ pressables }: PageView): boolean {
  const own = pressables.filter(({ control }) => !isInEdge(control));
  return own.length <= MOST_ON && own.some(({ evidence: { text } }) => says('next', text));
}

/**
 * All that is known is that the login has led elsewhere, to something that could be a step of it: it has ways on, and nothing more in its
 * head and menus than the login had.
 */
export function isSlight(view: PageView, success: readonly RuleId[], hasWays: boolean): boolean {
  const { context, pressables } = view;
  const offers = context.before?.offers ?? [];
  const hasMore = pressables.some(
    ({ control }) => isInEdge(control) && control.landmark !== 'footer' && !offers.includes(offerMark(control)),
  );
  const isWeak = (rule: RuleId): boolean => rule === LEFT_LOGIN || (isOnTheWay(view) && GREETINGS.has(rule));
  return success.length > 0 && success.every(isWeak) && (hasWays || loneList(view).length > 0) && !hasMore;
}

/**
 * What speaks for a signed-in page; `success/sign_out` alone is proof. A way out that lies under the box that tells of a refusal is none:
 * some applications show their menus to everybody and ask who is there over them.
 */
export function successEvidence(page: PageView, error: ErrorFinding | null): RuleId[] {
  const view = withoutOld(page);
  const { snapshot, context } = view;
  const buttons = view.forms.flatMap(({ segment }) => segment.buttons).filter(({ control }) => control.visible || control.href !== '');
  const isBelow = ({ unreachable }: ControlSnapshot): boolean => unreachable === 'covered' && error?.isNew === true;
  const outs = buttons.filter((button) => !isBelow(button.control) && isSignOut(button) && !isOfVisitors(view, button));
  const signsOut =
    outs.some(({ control }) => isInEdge(control)) || (outs.length > 0 && !areSessions(outs, view.headings, isBesideWork(page)));
  const account = !offersEntry(view) && view.pressables.some(({ evidence: { text } }) => isJust('account', text));
  const left =
    context.before !== null &&
    // Who has only chosen a country has left nothing.
    context.sent.some((kind) => kind !== 'choice') &&
    context.loginStands !== true &&
    !isAtStep(view) &&
    !offersEntry(view) &&
    (isInUse(view) || (!isQuestion(view) && offersUse(view))) &&
    pathOf(routeOf(context.before.url)) !== pathOf(routeOf(snapshot.url));
  const found = [
    ...(signsOut ? ['success/sign_out'] : []),
    ...(hasFoldedSignOut(snapshot) && !isForAll(snapshot, context) ? ['success/folded_sign_out'] : []),
    ...(isGreeted(view) ? ['success/greeting'] : []),
    ...(account ? ['success/account_links'] : []),
    ...(left ? [LEFT_LOGIN, ...(isPraised(snapshot, context) ? ['success/praised'] : [])] : []),
    ...(isLoginGone(view) ? ['success/login_gone'] : []),
    ...(hasNewMenus(view, error) ? [NEW_MENUS] : []),
    ...(isCalledByName(view) ? ['success/called_by_name'] : []),
    ...(hasWorkMenu(view) ? ['success/work_menu'] : []),
    ...(isHome(view) ? ['success/home'] : []),
  ];
  // What bars the way for now has its menus around it, and lets nobody in.
  if (asksToAgree(view) || (areSessions(outs, view.headings, isBesideWork(page)) && !signsOut)) return [];
  if (isBarred(view) || isWaiting(view)) return found.filter((rule) => /sign_out$/.test(rule));
  if (found.length === 0) return [];
  // The login still asks who is there.
  if (context.loginStands === true && isOnTheWay(view) && found.every((rule) => GREETINGS.has(rule))) return [];
  const isPassing = (isGreeted(view) && !offersUse(view) && anySays(view, 'passing')) || (!signsOut && isLedOn(view));
  return [...found, ...(isPassing ? [PASSING] : []), ...(!signsOut && isFrame(page) ? [FRAME] : [])];
}

/**
 * Beside a way in, before anybody has been asked for anything: "Hund abmelden" on a city's page, "How do I log out?" on a shop's. At the foot
 * of any page it may be a newsletter that is left.
 */
function isOfVisitors(view: PageView, { evidence: { text }, control }: Meant): boolean {
  const isBare = isJust('signOut', text) || text.squeezed === '';
  if (view.context.before !== null) return control.landmark === 'footer' && !isBare && !leadsOut(control.href);
  return offersEntry(view) ? !(isBare && isGreeted(view)) : /[?？؟]\s*$/u.test(control.text) || says('newsletter', text);
}

/** A menu that has both is that of a page which is kept for everybody. */
const isForAll = ({ folded }: PageSnapshot, { before }: PageContext): boolean =>
  before === null && folded.some(({ text }) => isJust('signIn', words(text)));

const FEWEST_OWN = 3;

/** To what a page asks in passing: "Later", "Yes, it is". */
const isAnswer = ({ evidence: { text } }: Meant): boolean =>
  (['yes', 'no', 'mine', 'later', 'next'] as const).some((concept) => says(concept, text));

/**
 * What could be pressed beside the login can be pressed beside everything its website shows: it is no sign of anything, unless the page
 * itself has much of its own between its menus.
 */
function withoutOld(view: PageView): PageView {
  const offers = view.context.before?.offers ?? [];
  // A way in speaks against somebody who is in, wherever else it stood.
  const pressables = view.pressables.filter((button) => isEntry(button) || !offers.includes(offerMark(button.control)));
  return pressables.filter((button) => !isInEdge(button.control) && !isAnswer(button)).length >= FEWEST_OWN
    ? view
    : { ...view, pressables };
}
