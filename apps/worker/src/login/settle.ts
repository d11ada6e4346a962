import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isUsable } from '../discovery/evidence.js';
import { says, words } from '../discovery/lexicon/words.js';
import { FRAME } from '../discovery/outcome/application.js';
import { isPraised, PASSING } from '../discovery/outcome/greeting.js';
import { LAST_RESORTS } from '../discovery/rules/kind-rules.js';
import { placeOf, type PageSnapshot } from '../discovery/snapshot.js';
import { isProven, marksOf, type PageContext, type PageKind, type Verdict } from '../discovery/verdict.js';
import type { PagePort, QuietLimits } from '../page/page-port.js';
import { asksTheSame, isSameForm, signatureOf } from './judge.js';

/** How a snapshot is read: `classifyPage`, or a test's own. */
export type Classify = (snapshot: PageSnapshot, context: PageContext) => Verdict;

export interface Settled {
  readonly snapshot: PageSnapshot;
  readonly verdict: Verdict;
}

/** A button or link that was pressed, and the page as it stood there then. */
export interface Pressed {
  readonly handle: string;
  readonly documentId: string;
  readonly signature: string;
}

/** What is known of the page before it is looked at. */
export interface Known {
  /** The form that was sent last, until it has been judged. */
  readonly sentForm: string | null;
  /** What was pressed last, unasked and sending no form. */
  readonly pressed: Pressed | null;
  /**
   * The page as it settled before, if it is read in the same context and nothing has been done to it since: one more look that is the same
   * makes two.
   */
  readonly before: Settled | null;
}

/** Nothing has been done to the page that is looked at. */
export const NOTHING_KNOWN: Known = { sentForm: null, pressed: null, before: null };

/**
 * How long a second observation waits for the page to be different: two equal ones make a verdict (D43). A page that has loaded has less to
 * come, one that also shows all that its kind needs, while nothing is on its way to it, least of all.
 */
const confirmMs = { loading: 60, loaded: 25, whole: 8 } as const;
/**
 * How long a page that looks signed in, tells of a failure, or has nothing left but other ways, before the request of its submit has been
 * answered is not believed: some show the account first and take it back, complain of something else meanwhile, or disable their boxes.
 */
const hastyMs = 5_000;
/**
 * The form that was sent is the website's answer only when the page has been still for so many times the ordinary quiet: applications draw
 * what came, or leave, a while after it has come. One whose server has taken what was sent, and that says nothing of a refusal, mostly leaves.
 */
const stillness = { unknown: 5, taken: 16 } as const;
/** How long a website may take to answer a submit before the form that still stands there, or stands locked, counts as its answer. */
const answerMs = 20_000;
/**
 * How many times longer a page is waited for that is still on its way: its document has not been read to the end, or what it shows is nothing
 * that anybody could use. Large applications bring their scripts first, and a script in the head may hold back the whole document. At the
 * next visit the browser has them.
 */
const arrival = 3;
/** Between two looks at a quiet page that may yet show something. */
const unseenMs = 500;
/** A page that never falls quiet, as one with a clock, is looked at again after so long: what is waited for may be there. */
const restlessMs = 1_000;
/** Between two looks at a page that keeps changing: short at first, when a change is likely to be the answer. */
const pauseMs = { step: 5, most: 50 } as const;

/** Kinds that a page may be taken for before its scripts have drawn what it really is. */
const vague: ReadonlySet<PageKind> = new Set([
  'unknown',
  'landing',
  'error',
  'sign_up',
  'password_reset',
  'question',
  'fork',
  'password_change',
  'http_auth',
]);
/** A form to sign in with that has all its parts, or a way to sign out: what else a script may still draw beside it changes nothing. */
const isWhole = ({ kind, submit, captcha }: Verdict): boolean =>
  !captcha && (kind === 'logged_in' || (kind === 'credentials' && submit !== null));

/** A cookie banner is what it is, whatever lies beneath it; any other window may yet become the login. */
const hasBanner = ({ dismiss }: Verdict): boolean => dismiss?.rules.some((rule) => rule.startsWith('dismiss/cookies')) ?? false;

/** Before anything has been sent, an application may show its menus first and ask who is there over them. */
const isVague = (verdict: Verdict, { sent }: PageContext): boolean =>
  verdict.kind === 'logged_in'
    ? sent.length === 0 || !verdict.success.includes('success/sign_out')
    : vague.has(verdict.kind) && !hasBanner(verdict);

/**
 * Something else is about to take its place: it says so, or has nothing but menus yet, or a way in that leads here. A check that the browser
 * may pass by itself tells of one, and there is nothing on it to do.
 */
const isPassing = ({ kind, success, rules, entry }: Verdict, { controls, url }: PageSnapshot): boolean =>
  (kind === 'logged_in' && (success.includes(PASSING) || success.includes(FRAME))) ||
  (kind === 'landing' && controls.some(({ handle, href }) => handle === entry?.handle && href === placeOf(url))) ||
  (kind === 'captcha' && rules.every((rule) => !rule.startsWith('captcha/') || rule === 'captcha/told') && !controls.some(isUsable));

/** "Back to sign in" below something that goes on by itself: it is not taken while that may still come to its end. */
const leadsBack = ({ kind, entry, error }: Verdict, { sent }: PageContext): boolean =>
  kind === 'landing' && isProven(sent) && error === null && entry !== null && says('back', words(entry.label));

/** The browser's own page about a website that it could not reach: nothing more will come of it. */
const isBrowsersOwn = ({ url }: PageSnapshot): boolean => url.startsWith('chrome-error:');

const isArriving = ({ readyState, controls }: PageSnapshot, { kind }: Verdict): boolean =>
  readyState === 'loading' || (kind === 'unknown' && !controls.some(isUsable));

/** The boxes that were sent stand where they stood and cannot be used: the website has taken them and has not answered yet. */
function isHeld({ controls }: PageSnapshot, { kind, fields }: Verdict, { before }: PageContext): boolean {
  if (!(kind === 'method_choice' || vague.has(kind)) || before === null || before.boxes.length === 0) return false;
  const locked = marksOf(controls.filter((control) => control.visible && (control.disabled || !isUsable(control))));
  return before.boxes.every((box) => locked.includes(box)) && !fields.some(({ editable }) => editable);
}

/** The login that stood below a dialog for what was sent: no step of anything, as long as an answer to that may come. */
function isLaidBare({ snapshot: { controls }, verdict: { fields } }: Settled, { before }: PageContext): boolean {
  if (before === null || before.form === 'login' || fields.length === 0) return false;
  const handles = fields.flatMap((field) => field.handles);
  return marksOf(controls.filter(({ handle }) => handles.includes(handle))).every((box) => before.beneath.includes(box));
}

/** It stands where it stood, on a page that asks and says the same. */
const isPressed = ({ handle, documentId, signature }: Pressed, { snapshot, verdict }: Settled): boolean =>
  snapshot.documentId === documentId &&
  signatureOf(verdict) === signature &&
  [verdict.submit, verdict.dismiss, verdict.entry, verdict.retry].some((target) => target?.handle === handle);

/** A form to join, or to have a password sent, before anything of a login: that may yet be drawn beside it. */
const isBesideLogin = ({ kind }: Verdict, { sent }: PageContext): boolean =>
  sent.length === 0 && (kind === 'sign_up' || kind === 'password_reset');

/** A notice that refuses nothing, before there is anything to use: an application may tell something first. */
const isAnnouncedFirst = ({ snapshot: { controls, httpStatus }, verdict: { kind, refusal, lockedOut } }: Settled): boolean =>
  kind === 'error' && !refusal && !lockedOut && (httpStatus ?? 0) < 400 && !controls.some(isUsable);

type UntilChange = (maxMs: number) => Promise<boolean>;

/** Begins the shortest wait for a change. Settles when the page has been asked; answers how to wait for the rest of a longer one. */
async function beginWatch(page: PagePort): Promise<UntilChange> {
  const soon = page.waitForChange(confirmMs.whole);
  // Playwright writes to its socket some turns of the queue after it was called.
  await nextTurn();
  return async (maxMs) => (await soon) || (maxMs > confirmMs.whole && page.waitForChange(maxMs - confirmMs.whole));
}

/**
 * Looks until the page is what it is going to be: the same verdict twice, and quiet as well where nothing certain is recognised. After a
 * submit, the form that was sent (`sentForm`) is not taken for an answer while its answer may still come. `left` ends the waiting early.
 */
export async function settle(
  page: PagePort,
  classify: Classify,
  context: PageContext,
  limits: QuietLimits,
  { sentForm, pressed, before }: Known,
  left: () => boolean,
): Promise<Settled> {
  const started = Date.now();
  let previous: string | null = before === null ? null : signatureOf(before.verdict);
  let quiet = false;
  let stirred = started;
  let read = before;
  for (let looks = 1; ; looks += 1) {
    const snapshot = await page.observe();
    // Another look at a page mostly sees the same. What is new takes a while to read, so the page is watched for a change meanwhile.
    const watch = read !== null && isDeepStrictEqual(read.snapshot, snapshot) ? null : await beginWatch(page);
    read = watch === null && read !== null ? read : { snapshot, verdict: classify(snapshot, context) };
    const untilChange = watch ?? ((maxMs) => page.waitForChange(maxMs));
    const { verdict } = read;
    const signature = signatureOf(verdict);
    const loading = snapshot.readyState === 'loading';
    // An advertisement, or what a website tells everybody, opens at any press or by itself.
    if (quiet && snapshot.popup && vague.has(verdict.kind) && snapshot.text !== '' && !loading && page.leaveUninvited()) {
      read = null;
      continue;
    }
    const isFirst = context.revisited !== true;
    const vagueUntil = started + limits.maxMs * (isFirst && isArriving(snapshot, verdict) ? arrival : 1);
    const isSameDocument = context.before?.documentId === snapshot.documentId;
    const tellsNews = verdict.errorIsNew && verdict.error !== null;
    // Buttons may be others while an answer is awaited, and the ways beside the form with them.
    const isSent = sentForm !== null && (page.isAwaited() ? asksTheSame(sentForm, verdict) : isSameForm(sentForm, verdict));
    const stands = pressed !== null && isPressed(pressed, read);
    const unanswered = ((isSent || (sentForm !== null && isLaidBare(read, context))) && !tellsNews && isSameDocument) || stands;
    const isHasty = verdict.kind === 'logged_in' || verdict.kind === 'method_choice' || tellsNews;
    // Who has been let in is led on, though the form that let them in stands there yet.
    const isLedOn = unanswered && isPraised(snapshot, context);
    const hastyUntil = started + (!tellsNews && isHeld(snapshot, verdict, context) ? answerMs : isHasty ? hastyMs : 0);
    const hasty = sentForm !== null && isSameDocument && page.isAwaited() && Date.now() < hastyUntil;
    const isLast = verdict.rules.some((rule) => LAST_RESORTS.has(rule)) || isBesideLogin(verdict, context);
    const isKnown = verdict.kind !== 'unknown' && !isAnnouncedFirst(read) && !isLast;
    const recognised = isKnown || verdict.dismiss !== null || isBrowsersOwn(snapshot);
    const patient = hasty || Date.now() < (unanswered && (isLedOn || page.isBusy()) ? started + answerMs : vagueUntil);
    const certain =
      recognised &&
      !hasty &&
      !isLedOn &&
      !isPassing(verdict, snapshot) &&
      !leadsBack(verdict, context) &&
      (quiet || isBrowsersOwn(snapshot) || !(unanswered || isVague(verdict, context) || loading));
    if ((signature === previous && (certain || !patient)) || left()) return { snapshot, verdict };
    if (signature !== previous) {
      quiet = false;
      stirred = Date.now();
    }
    previous = signature;
    if (certain || !patient) {
      await untilChange(
        confirmMs[snapshot.readyState !== 'complete' ? 'loading' : isWhole(verdict) && !page.isBusy() ? 'whole' : 'loaded'],
      );
    } else if (loading || hasty || (unanswered && !quiet)) {
      // The rest of the document, or the website's answer, is on its way and will be a change; nothing for so long is quiet as well.
      const changed = await untilChange(limits.quietMs);
      if (changed || loading || page.isBusy()) stirred = Date.now();
      const times = unanswered ? stillness[page.isTaken() && !stands ? 'taken' : 'unknown'] : 1;
      quiet = Date.now() - stirred >= limits.quietMs * times;
      await delay(Math.min(looks * pauseMs.step, pauseMs.most));
    } else if (quiet) {
      // Still nothing to recognise: a form may be drawn long after the page has fallen quiet, or shown by its style alone, which is no change.
      await untilChange(Math.min(unseenMs, Math.max(0, vagueUntil - Date.now())));
    } else {
      const leftMs = Math.min(restlessMs, vagueUntil - Date.now());
      quiet = await page.waitForQuiet({ quietMs: limits.quietMs, maxMs: Math.max(limits.quietMs, leftMs) });
    }
  }
}
