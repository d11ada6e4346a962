import { agreementsOf } from '../choices/agreements.js';
import { isInEdge, isInHead, isNamedIn, isUsable } from '../evidence.js';
import { pathOf } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, says, words } from '../lexicon/words.js';
import { asksForText, leavesSite, type PageView, pointsBack, withoutButtons } from '../page-view.js';
import { type PageSnapshot, placeOf } from '../snapshot.js';
import { countMenus, foldedPlaces, menuPlaces, MOST_PLACES, type PageBefore, type RuleId } from '../verdict.js';
import { ASIDE, isAtWork, isBesideWork } from '../work.js';
import { ELSEWHERE } from './external-action.js';
import { BARS, type ErrorFinding, isErrorAnswer, REFUSALS, saysAny } from './refusal.js';
import { areSessions, isSignOut, leadsOut } from './sign-out.js';
import {
  asksForLogin,
  isBehindProof,
  isEntry,
  isFormThere,
  isPastLogin,
  isQuestion,
  offersEntry,
  questionsOf,
  STEP_PATH,
} from './steps.js';

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

/** What somebody does elsewhere, as against a letter that an application may speak of. */
const WAITS: readonly Concept[] = ['pushWait', 'callWait'];

/** What a page is about that has not let anybody in, or not yet. */
const NO_APPLICATIONS: readonly Concept[] = ['mustChange', 'verify', ...ELSEWHERE];

/**
 * After a proof there are menus around the page that the login did not have, and no way in among them: the pages of a step have the menus of
 * their website's login, or none.
 */
export function hasNewMenus(view: PageView, error: ErrorFinding | null): boolean {
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
  if (isFormThere(view) || (!isBesideWork(view) && saysAny(WAITS, view.told))) return false;
  if (areSessions(pressables.filter(isSignOut), headings, isBesideWork(view))) return false;
  if (offersEntry(view) || pressables.some((button) => isInEdge(button.control) && isEntry(button))) return false;
  const isOpen = menuPlaces(snapshot.controls.filter(isUsable)).filter((place) => !before.places.includes(place)).length >= FEWEST_NEW;
  return isOpen || (hasFoldedSignOut(snapshot) && hasNewFolded(snapshot, before));
}

/** The same of menus that open when they are pressed. */
const hasNewFolded = ({ controls, folded }: PageSnapshot, { folded: earlier }: PageBefore): boolean =>
  countMenus(controls) > 0 &&
  earlier.length < MOST_PLACES &&
  foldedPlaces(folded).filter((place) => !earlier.includes(place)).length >= FEWEST_NEW;

export const hasFoldedSignOut = ({ folded }: PageSnapshot): boolean =>
  folded.some((offer) => isJust('signOut', words(offer.text)) || leadsOut(offer.href));

/** After a proof nothing of a login is left, and what there is instead looks like an application at work. */
export function isLoginGone(view: PageView): boolean {
  return isBehindProof(view) && isPastLogin(view) && (isInUse(view) || says('greeting', view.told));
}

/**
 * After a proof a menu in the head of the page has the name that was sent, and nothing of a login is left: an application may show no more
 * than that of itself before it is used.
 */
export function isCalledByName(view: PageView): boolean {
  const { name } = view.context;
  if (name === undefined || !isBehindProof(view)) return false;
  const isCalled = ({ control }: Meant): boolean => isInHead(control) && isNamedIn(control.text, name);
  return isPastLogin(view) && !isQuestion(view) && view.pressables.some(isCalled);
}

const FEWEST_WORK_MENUS = 2;

/** After a proof the menus of the page are about work, and nothing of a login is left. */
export function hasWorkMenu(view: PageView): boolean {
  if (!isBehindProof(view)) return false;
  const works = view.pressables.filter(
    ({ control, evidence: { text } }) => (isInHead(control) || control.landmark === 'aside') && isJust('work', text),
  );
  return new Set(works.map(({ evidence: { text } }) => text.squeezed)).size >= FEWEST_WORK_MENUS && isPastLogin(view) && !isQuestion(view);
}

/** The page where the last login ended shows something to use and nothing of the login that was found from the same start then. */
export function isHome(view: PageView): boolean {
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

/** Words of a failure that are none of a refusal, or none of either: an application at work has failures and news of its own to tell of. */
export const isOwnFailure = (view: PageView, { rules, text }: ErrorFinding): boolean =>
  isAtWork(view) &&
  (((rules.includes('error/failure') || !saysAny([...REFUSALS, ...BARS], words(text))) &&
    !rules.includes('error/wrong') &&
    (isLoginGone(view) || isHome(view))) ||
    (isBehindProof(view) && !asksForLogin(view) && isBadge(text) && rules.some((rule) => rule === 'error/marked' || rule === 'error/red')));

const LONGEST_BADGE = 20;

/** "Inactive", "Denied": how something in a list of the application stands. */
const isBadge = (text: string): boolean => text.length <= LONGEST_BADGE && text.trim().split(/\s+/).length <= 2;

/** An application at work, and not a question that stands alone among the menus of its website. */
export function isInUse(view: PageView): boolean {
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

/** Menus, and nothing between them yet: what the page is about, a form as well, may be drawn later. Speaks for nothing by itself. */
export const FRAME = 'success/frame';

const LONGEST_IDLE = 60;

export const isFrame = ({ snapshot }: PageView): boolean =>
  snapshot.headings.length === 0 &&
  withoutButtons(snapshot).replace(/\s+/g, ' ').trim().length <= LONGEST_IDLE &&
  snapshot.controls.every((control) => !isUsable(control) || isInEdge(control));
