import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PageSnapshot } from '../discovery/snapshot.js';
import type { PageContext, PageKind, Verdict } from '../discovery/verdict.js';
import type { PagePort, QuietLimits } from '../page/page-port.js';
import { formSignature, signatureOf } from './judge.js';

/** How a snapshot is read: `classifyPage`, or a test's own. */
export type Classify = (snapshot: PageSnapshot, context: PageContext) => Verdict;

export interface Settled {
  readonly snapshot: PageSnapshot;
  readonly verdict: Verdict;
}

/** What is known of the page before it is looked at. */
export interface Known {
  /** The form that was sent last, until it has been judged. */
  readonly sentForm: string | null;
  /** The page as it settled before, if nothing has been done to it since: one more look that is the same makes two. */
  readonly before: Settled | null;
}

/**
 * How long a second observation waits for the page to be different: two equal ones make a verdict (D43). A page that has loaded has less to come, one that also
 * shows all that its kind needs, while nothing is on its way to it, least of all.
 */
const confirmMs = { loading: 60, loaded: 25, whole: 8 } as const;
/** How long a page that looks signed in before the request of its submit has been answered is not believed: some show the account first and take it back. */
const hastyMs = 5_000;
/** How long a website may take to answer a submit before the form that still stands there counts as its answer. */
const answerMs = 20_000;
/** Between two looks at a page that keeps changing: short at first, when a change is likely to be the answer. */
const pauseMs = { step: 5, most: 50 } as const;

/** Kinds that a page may be taken for before its scripts have drawn what it really is. */
const vague: ReadonlySet<PageKind> = new Set(['unknown', 'landing', 'error', 'sign_up', 'password_reset']);
/** A form to sign in with that has all its parts, or a way to sign out: what else a script may still draw beside it changes nothing. */
const isWhole = ({ kind, submit, captcha }: Verdict): boolean =>
  !captcha && (kind === 'logged_in' || (kind === 'credentials' && submit !== null));

/** Before anything has been sent, an application may show its menus first and ask who is there over them. */
const isVague = ({ kind, success }: Verdict, { sent }: PageContext): boolean =>
  vague.has(kind) || (kind === 'logged_in' && (sent.length === 0 || !success.includes('success/sign_out')));

/**
 * Looks until the page is what it is going to be: the same verdict twice, and quiet as well where nothing certain is recognised. After a submit, the form that
 * was sent (`sentForm`) is not taken for an answer while its answer may still come. `left` ends the waiting early.
 */
export async function settle(
  page: PagePort,
  classify: Classify,
  context: PageContext,
  limits: QuietLimits,
  { sentForm, before }: Known,
  left: () => boolean,
): Promise<Settled> {
  const started = Date.now();
  const vagueUntil = started + limits.maxMs;
  let previous: string | null = before === null ? null : signatureOf(before.verdict);
  let quiet = false;
  let read: Settled | null = null;
  for (let looks = 1; ; looks += 1) {
    const snapshot = await page.observe();
    // Reading takes longer than comparing, and the second look at a page mostly sees the same.
    const verdict: Verdict = read !== null && isDeepStrictEqual(read.snapshot, snapshot) ? read.verdict : classify(snapshot, context);
    read = { snapshot, verdict };
    const signature = signatureOf(verdict);
    const loading = snapshot.readyState === 'loading';
    const unanswered =
      sentForm === formSignature(verdict) &&
      !(verdict.errorIsNew && verdict.error !== null) &&
      context.before?.documentId === snapshot.documentId;
    const hasty =
      sentForm !== null &&
      verdict.kind === 'logged_in' &&
      context.before?.documentId === snapshot.documentId &&
      page.isBusy() &&
      Date.now() < started + hastyMs;
    const patient = hasty || Date.now() < (unanswered && page.isBusy() ? started + answerMs : vagueUntil);
    const certain = verdict.kind !== 'unknown' && !hasty && (quiet || !(unanswered || isVague(verdict, context) || loading));
    if ((signature === previous && (certain || !patient)) || left()) return { snapshot, verdict };
    if (signature !== previous) quiet = false;
    previous = signature;
    if (certain || !patient) {
      await page.waitForChange(
        confirmMs[snapshot.readyState !== 'complete' ? 'loading' : isWhole(verdict) && !page.isBusy() ? 'whole' : 'loaded'],
      );
    } else if (loading || hasty || (unanswered && !quiet)) {
      // The rest of the document, or the website's answer, is on its way and will be a change; nothing for so long is quiet as well.
      const changed = await page.waitForChange(limits.quietMs);
      quiet = !changed && !loading && !page.isBusy();
      await delay(Math.min(looks * pauseMs.step, pauseMs.most));
    } else if (quiet) {
      // Still nothing to recognise: a form may be drawn long after the page has fallen quiet.
      await page.waitForChange(Math.max(0, vagueUntil - Date.now()));
    } else {
      quiet = await page.waitForQuiet({ quietMs: limits.quietMs, maxMs: Math.max(limits.quietMs, vagueUntil - Date.now()) });
    }
  }
}
