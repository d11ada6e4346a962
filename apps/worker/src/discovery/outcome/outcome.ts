import { agreementsOf, termsOf } from '../choices/agreements.js';
import { isInEdge, isInHead, isNamedIn, isUsable } from '../evidence.js';
import { isJust, says, words, type Concept } from '../lexicon/words.js';
import { ELSEWHERE } from './external-action.js';
import { pathOf, type JudgedForm } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { isSettings } from '../rules/forms/aside.js';
import {
  anySays,
  ASIDE,
  asksForText,
  isAtWork,
  isBesideWork,
  isLoginCovered,
  leavesSite,
  loneList,
  offersUse,
  pointsBack,
  withoutButtons,
  type PageView,
} from '../page-view.js';
import { areSessions, isSignOut, leadsOut } from './sign-out.js';
import { sentencesOf } from './sentences.js';
import { placeOf, routeOf, type ControlSnapshot, type PageSnapshot } from '../snapshot.js';
import {
  countMenus,
  foldedPlaces,
  isProven,
  marksOf,
  menuPlaces,
  MOST_PLACES,
  offerMark,
  type PageBefore,
  type PageContext,
  type RuleId,
} from '../verdict.js';
import { BARS, isErrorAnswer, type ErrorFinding } from './website-error.js';

const LONGEST_GREETING = 200;

/** Its headings that are new since the last submit; of a page that has none and says little, all of it if it names who was sent. */
function headOf({ context: { before, name }, snapshot: { headings, text } }: PageView): string {
  const isShort =
    headings.length === 0 && text.length <= LONGEST_GREETING && name !== undefined && isNamedIn(text.replace(/[.!,]/g, ' '), name);
  return isShort ? text : headings.filter((heading) => before?.alerts.includes(heading) !== true).join(' ');
}

/** "You are already signed in", and little else; not what is still to be done for it. */
function saysSignedIn(view: PageView): boolean {
  const { text, headings } = view.snapshot;
  if (anySays(view, 'verify', 'code', 'sendCode', 'mine')) return false;
  const sentences = [...headings, ...(text.length <= LONGEST_GREETING ? sentencesOf(text, { headings }) : [])];
  return sentences.some((sentence) => says('signedIn', words(sentence)) && !says('provided', words(sentence)));
}

/** In its headings, or in something it announces. */
export const isGreeted = (view: PageView): boolean =>
  (says('greeting', words(headOf(view))) && !says('guest', words(headOf(view)))) ||
  saysSignedIn(view) ||
  view.snapshot.alerts.some(({ source, text }) => !/^(plain|over)$/.test(source) && says('greeting', words(text)));

/** The page tells anew, since something was sent from it, that it was right or that it goes on: of a code that may be that it was sent. */
export const isPraised = ({ alerts }: PageSnapshot, { before }: PageContext): boolean =>
  before !== null &&
  alerts.some(({ source, text }) => {
    const said = words(text);
    if (before.alerts.includes(text) || says('wrong', said) || says('failure', said)) return false;
    if (before.form === 'login') return source === 'done' || says('passing', said) || says('greeting', said);
    return source !== 'plain' && says('passing', said);
  });

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

/** Of a page that greets and says that it goes on: where to, is not known yet. It speaks for nothing by itself. */
export const PASSING = 'success/passing';

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
  return offersEntry(view) || !isBare;
}

/** A menu that has both is that of a page which is kept for everybody. */
const isForAll = ({ folded }: PageSnapshot, { before }: PageContext): boolean =>
  before === null && folded.some(({ text }) => isJust('signIn', words(text)));

const hasFoldedSignOut = ({ folded }: PageSnapshot): boolean =>
  folded.some((offer) => isJust('signOut', words(offer.text)) || leadsOut(offer.href));

const FEWEST_OWN = 3;
/** To what a page asks in passing: "Later", "Yes, it is". */
const isAnswer = ({ evidence: { text } }: Meant): boolean =>
  (['yes', 'no', 'mine', 'later', 'next'] as const).some((concept) => says(concept, text));
const isEntry = ({ evidence: { text } }: Meant): boolean =>
  (['signIn', 'enter', 'signUp'] as const).some((concept) => isJust(concept, text));

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

/** Menus, and nothing between them yet: what the page is about, a form as well, may be drawn later. Speaks for nothing by itself. */
export const FRAME = 'success/frame';
const LONGEST_IDLE = 60;

const isFrame = ({ snapshot }: PageView): boolean =>
  snapshot.headings.length === 0 &&
  withoutButtons(snapshot).replace(/\s+/g, ' ').trim().length <= LONGEST_IDLE &&
  snapshot.controls.every((control) => !isUsable(control) || isInEdge(control));

/** Nearly proof: whatever else an application says, asks and offers, it has let somebody in. */
export const NEW_MENUS = 'success/new_menus';
const FEWEST_NEW = 4;
/** What a page is about when it tells of them, as against what an application announces beside its work. */
const REFUSED: ReadonlySet<RuleId> = new Set([
  'error/wrong',
  'error/heading',
  'error/http_status',
  'error/barred',
  'error/no_access',
  'error/refused',
]);

/** What a page is about that has not let anybody in, or not yet. */
const NO_APPLICATIONS: readonly Concept[] = ['mustChange', 'verify', ...ELSEWHERE];
const LONGEST_BAR = 400;
/** Says why it lets nobody on, at its head or in the little that stands between its menus. */
const isBarred = ({ headings, snapshot, told, context }: PageView): boolean =>
  context.before !== null &&
  (BARS.some((concept) => says(concept, headings) || (snapshot.text.length <= LONGEST_BAR && says(concept, told))) ||
    (says('signIn', headings) && !says('signIns', headings) && !says('greeting', headings)));

/**
 * After a proof there are menus around the page that the login did not have, and no way in among them: the pages of a step have the menus of
 * their website's login, or none.
 */
function hasNewMenus(view: PageView, error: ErrorFinding | null): boolean {
  const { context, snapshot, pressables, headings } = view;
  const { before } = context;
  if (before === null || !isBehindProof(view)) return false;
  const isRefusal = error?.isNew === true && error.rules.some((rule) => REFUSED.has(rule));
  if (
    isRefusal ||
    isErrorAnswer(view) ||
    STEP_PATH.test(pathOf(snapshot.url)) ||
    NO_APPLICATIONS.some((concept) => says(concept, headings))
  )
    return false;
  if (isFormThere(view)) return false;
  if (offersEntry(view) || pressables.some((button) => isInEdge(button.control) && isEntry(button))) return false;
  const isOpen = menuPlaces(snapshot.controls.filter(isUsable)).filter((place) => !before.places.includes(place)).length >= FEWEST_NEW;
  return isOpen || (hasFoldedSignOut(snapshot) && hasNewFolded(snapshot, before));
}

/** The same of menus that open when they are pressed. */
const hasNewFolded = ({ controls, folded }: PageSnapshot, { folded: earlier }: PageBefore): boolean =>
  countMenus(controls) > 0 &&
  earlier.length < MOST_PLACES &&
  foldedPlaces(folded).filter((place) => !earlier.includes(place)).length >= FEWEST_NEW;

/** Between its menus there is nothing but what has to be done elsewhere first. */
const isWaiting = (view: PageView): boolean =>
  view.context.before !== null &&
  view.snapshot.text.length <= LONGEST_BAR &&
  WAITS.some((concept) => anySays(view, concept)) &&
  view.pressables.every(({ control }) => isInEdge(control));
const WAITS: readonly Concept[] = ['pushWait', 'callWait'];

/** Between its menus there is nothing but terms to be agreed to, whatever way out there is. */
function asksToAgree(view: PageView): boolean {
  if (view.context.before === null) return false;
  if (isAboutTerms(view)) return true;
  const boxes = termsOf(view);
  const forms = new Set(boxes.map(({ control }) => control.form));
  return (
    boxes.length > 0 && view.pressables.every((button) => isInEdge(button.control) || forms.has(button.control.form) || isSignOut(button))
  );
}

const TERMS_ANSWERS: readonly Concept[] = ['accept', 'allow', 'next', 'deny', 'no', 'reject', 'later'];

/** Its heading speaks of terms, and all there is to press outside the menus answers it or leads to them. */
function isAboutTerms({ headings, snapshot, pressables }: PageView): boolean {
  const own = pressables.filter((button) => !isInEdge(button.control) && !isSignOut(button));
  const isOfTerms = ({ control, evidence: { text } }: Meant): boolean =>
    TERMS_ANSWERS.some((concept) => isJust(concept, text)) || says('terms', text) || (control.tag !== 'a' && says('accept', text));
  if (snapshot.headings.length > 1) return false;
  return says('terms', headings) && own.some(({ control }) => control.tag !== 'a') && own.every(isOfTerms);
}

/** The boxes that were sent are all there still. */
export function isFormThere({ snapshot, context: { before } }: PageView): boolean {
  const here = marksOf(snapshot.controls.filter(isUsable));
  return before !== null && before.boxes.length > 0 && before.boxes.every((box) => here.includes(box));
}

/** "You will be redirected in 5 seconds", and at most a link for those who are not. */
const isLedOn = (view: PageView): boolean =>
  view.context.before !== null &&
  view.snapshot.text.length <= LONGEST_GREETING &&
  anySays(view, 'passing') &&
  view.pressables.length <= MOST_LED_ON &&
  view.pressables.filter(({ control }) => !isInEdge(control)).length <= 1;
const MOST_LED_ON = 3;

/** Words of a step that still stands between a password and the website. */
const STEPS: readonly Concept[] = [
  'chooseMethod',
  'authenticator',
  'setupKey',
  'backupCode',
  'passkey',
  'securityKey',
  'pushWait',
  'linkSent',
  'callWait',
  'scanCode',
  'human',
  'securityCheck',
  'mustChange',
  'consent',
  'chooseAccount',
  'chooseOrganization',
  'staySignedIn',
];
/** Addresses of such a step, in whatever language its page speaks. */
const STEP_PATH =
  /login|signin|logon|(^|[/_])(log_in|sign_in|log_on|mfa|2fa|two_?(factor|step)|second_?factor|verif|check_?point|step_?up|authenticat)|(^|[/_])(otp|challenge|sso|consent)($|[/_])/;

function isAtStep(view: PageView): boolean {
  const said = isBesideWork(view) ? view.headings : view.told;
  return STEP_PATH.test(pathOf(view.snapshot.url)) || STEPS.some((concept) => says(concept, said));
}

const isBehindProof = ({ context: { before, sent } }: PageView): boolean => before !== null && isProven(sent);
const LOGIN_LABELS: ReadonlySet<string> = new Set(['identifier', 'password', 'new_password', 'code', 'totp_secret', 'captcha']);

/**
 * A way to sign in or to join, or a word in the head of a page that may mean one: not enough to press it, enough not to believe that a login
 * is done.
 */
const offersEntry = ({ pressables }: PageView): boolean =>
  pressables.some(({ control, evidence: { text } }) =>
    isInHead(control)
      ? isJust('signIn', text) || isJust('enter', text) || isJust('signUp', text)
      : control.landmark !== 'footer' && isJust('signIn', text),
  );

/** A password among settings belongs to them. */
const asksForLogin = ({ forms, labels }: PageView): boolean =>
  forms
    .filter(({ kind, segment }) => kind === 'login' || !isSettings(segment))
    .flatMap(({ segment }) => segment.boxes)
    .some(({ control }) => isUsable(control) && LOGIN_LABELS.has(labels.get(control.handle)?.label ?? ''));

/** Nothing on the page is part of a login. */
const isPastLogin = (view: PageView): boolean =>
  !isErrorAnswer(view) &&
  !asksForLogin(view) &&
  !isLoginCovered(view) &&
  !offersEntry(view) &&
  !isAtStep(view) &&
  !(['signIn', 'wrong', 'failure', 'refused', 'verify'] as const).some((concept) => says(concept, view.headings));

/** After a proof nothing of a login is left, and what there is instead looks like an application at work. */
function isLoginGone(view: PageView): boolean {
  return isBehindProof(view) && isPastLogin(view) && (isInUse(view) || says('greeting', view.told));
}

/**
 * After a proof a menu in the head of the page has the name that was sent, and nothing of a login is left: an application may show no more
 * than that of itself before it is used.
 */
function isCalledByName(view: PageView): boolean {
  const { name } = view.context;
  if (name === undefined || !isBehindProof(view)) return false;
  const isCalled = ({ control }: Meant): boolean => isInHead(control) && isNamedIn(control.text, name);
  return isPastLogin(view) && !isQuestion(view) && view.pressables.some(isCalled);
}

const FEWEST_WORK_MENUS = 2;

/** After a proof the menus of the page are about work, and nothing of a login is left. */
function hasWorkMenu(view: PageView): boolean {
  if (!isBehindProof(view)) return false;
  const works = view.pressables.filter(
    ({ control, evidence: { text } }) => (isInHead(control) || control.landmark === 'aside') && isJust('work', text),
  );
  return new Set(works.map(({ evidence: { text } }) => text.squeezed)).size >= FEWEST_WORK_MENUS && isPastLogin(view) && !isQuestion(view);
}

/** The page where the last login ended shows something to use and nothing of the login that was found from the same start then. */
function isHome(view: PageView): boolean {
  const { context, snapshot, pressables } = view;
  return context.home !== undefined && placeOf(context.home) === placeOf(snapshot.url) && pressables.length > 0 && isPastLogin(view);
}

const FEWEST_OTHERS = 2;

/**
 * The address that asked who is there asks no more: nothing of a login is left, and around it there are other menus than the login had, or
 * more of them. What stands in the page itself could be a list to choose from, in words of no table.
 */
export function isClosed(view: PageView): boolean {
  const { pressables, snapshot } = view;
  const { before, revisited } = view.context;
  if (revisited !== true || before === null || !isBehindProof(view) || !isPastLogin(view)) return false;
  const isAsked = asksForText(view) || pressables.some(({ control }) => !isInEdge(control));
  const others = menuPlaces(snapshot.controls.filter(isUsable)).filter((place) => !before.places.includes(place));
  return !isAsked && (others.length >= FEWEST_OTHERS || countMenus(snapshot.controls) > before.menus);
}

/** Words of a failure that are none of a refusal: an application at work has failures of its own to tell of. */
export const isOwnFailure = (view: PageView, { rules, text }: ErrorFinding): boolean =>
  isAtWork(view) &&
  ((rules.includes('error/failure') && !rules.includes('error/wrong') && (isLoginGone(view) || isHome(view))) ||
    (isBehindProof(view) && !asksForLogin(view) && isBadge(text) && rules.some((rule) => rule === 'error/marked' || rule === 'error/red')));

const LONGEST_BADGE = 20;
/** "Inactive", "Denied": how something in a list of the application stands. */
const isBadge = (text: string): boolean => text.length <= LONGEST_BADGE && text.trim().split(/\s+/).length <= 2;

/** A form of nothing but buttons asks something, whatever its words; a button in a header or a menu does not. */
const questionsOf = ({ forms }: PageView): readonly JudgedForm[] =>
  forms.filter(
    ({ segment }) =>
      segment.form?.element === true &&
      segment.boxes.length === 0 &&
      segment.buttons.some((button) => button.control.tag !== 'a' && isUsable(button.control) && !isInEdge(button.control)),
  );

/** So does a box to agree to. */
const isQuestion = (view: PageView): boolean => questionsOf(view).length > 0 || agreementsOf(view).length > 0;

/** An application at work, and not a question that stands alone among the menus of its website. */
function isInUse(view: PageView): boolean {
  if (!isAtWork(view)) return false;
  const asking = new Set(
    [...questionsOf(view).flatMap(({ segment }) => segment.buttons), ...agreementsOf(view)].map(({ control }) => control.form),
  );
  const isOther = (button: Meant): boolean =>
    !isInEdge(button.control) &&
    !asking.has(button.control.form) &&
    !leavesSite(view, button.control) &&
    !pointsBack(button.control.text) &&
    !ASIDE.some((concept) => isJust(concept, button.evidence.text));
  return asking.size === 0 || view.pressables.some(isOther);
}
