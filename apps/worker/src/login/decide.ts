import type { FlowErrorCode } from '@berth/schema';
import type { Answer } from '@berth/login-flow';
import { type ChoiceFinding, type FieldFinding, isProven, type PageKind, type PressTarget, type Verdict } from '../discovery/verdict.js';
import { SEVERAL_ENTRIES } from '../discovery/rules/kind-rules.js';
import { routeOf } from '../discovery/snapshot.js';
import { isInferred } from '../discovery/stranger.js';
import type { Onlooker } from '../page/page-port.js';
import type { FlowMemory } from './memory.js';
import { choiceKey, type NamedPage } from './offer.js';

/** What the engine knows when it decides. Knowing a field means that a value can be had, not the value itself. */
export interface Facts {
  readonly verdict: Verdict;
  readonly page: NamedPage;
  readonly url: string;
  /** The website has redirected until the browser gave up and showed a page of its own. */
  readonly isLooping: boolean;
  readonly memory: FlowMemory;
  /** The person's answer that waits to be sent; null if none. */
  readonly answer: Answer | null;
  readonly knows: (field: FieldFinding) => boolean;
  readonly mayBeAt: (url: string) => boolean;
  /** A flow without a person: nothing can be asked (D44). */
  readonly alone: boolean;
  /** Choices that were made at the last successful login, for a flow without a person. */
  readonly picks: readonly { readonly type: string; readonly key: string }[];
  /** Whether a choice is the person's own by what is known of them: an account of their name, the app whose seed is stored. */
  readonly isOwn: (choice: ChoiceFinding) => boolean;
  readonly maxSteps: number;
  /** The website's text that is news since the last submit. */
  readonly newError: string | null;
  /** Why the start address is looked at once more, null if it is not: then all that counts is whether it still asks for a login. */
  readonly revisited: RevisitReason | null;
  /** Whether a stranger is shown the same page; null where nobody has looked. */
  readonly shownToAll: boolean | null;
  /** Whether the start address still asks this browser for a login; null where nobody has looked. */
  readonly loginStands: boolean | null;
  /** Set while the flow waits for an act outside of the browser: the text that stood there from the first, or ''. */
  readonly waitingUnder: string | null;
}

/**
 * Of a page that follows a submit: nothing is known of it, nothing on it tells of a login, or it refuses and asks for nothing. `expired`: it
 * stands where a form was that has been asked about.
 */
export type RevisitReason = 'unknown' | 'shown_to_all' | 'refused' | 'expired';
export type PressReason = 'entry' | 'dismiss' | 'yes' | 'retry';

/** Places are indexes into the verdict's fields or choices. */
export type Decision =
  | { readonly kind: 'fill'; readonly places: readonly number[] }
  | { readonly kind: 'choose'; readonly place: number }
  | { readonly kind: 'press'; readonly target: PressTarget; readonly why: PressReason }
  | { readonly kind: 'ask'; readonly places: readonly number[] }
  | { readonly kind: 'wait'; readonly message: string }
  | { readonly kind: 'compare'; readonly as: Onlooker }
  | { readonly kind: 'revisit'; readonly why: RevisitReason }
  | { readonly kind: 'succeed' }
  | Failure;

export interface Failure {
  readonly kind: 'fail';
  readonly code: FlowErrorCode;
  readonly message: string;
}

export const failures = {
  login_form_not_found: 'No login form was found on the website.',
  navigation_confused: 'The website led to a page on which the login cannot go on.',
  domain_not_allowed: 'The login left the domains that this connection allows.',
  stuck_in_loop: 'The website showed the same form again and again without saying why.',
  credentials_invalid: 'The website refused the credentials.',
  captcha_blocked: 'The website demands a captcha.',
  unsupported_auth_method: 'The website demands a way to sign in that is not supported.',
  website_error: 'The website answered with an error.',
  mfa_required: 'The website asks for a second factor that only a person can give.',
  external_action_required: 'The website asks for something that only a person can do.',
  session_expired: 'The website takes its form back before the answer has come.',
  max_steps_exceeded: 'The login took more steps than are allowed.',
  network_error: 'The website could not be reached.',
  element_not_found: 'A part of the login form vanished or could not be used.',
  browser_error: 'The browser of this login ended before the login was done.',
  internal_error: 'The login failed for a reason on our side.',
} as const satisfies Partial<Record<FlowErrorCode, string>>;

export const fail = (code: keyof typeof failures, message: string = failures[code]): Failure => ({ kind: 'fail', code, message });

/** The browser shows a page of its own in the place of the website. */
export const unreached = (isLooping: boolean): Failure =>
  isLooping ? fail('stuck_in_loop', 'The website redirected again and again.') : fail('network_error');

const mostEntries = 2;
const mostDismissals = 3;
const mostYeses = 3;

/** What follows from a settled page whose last submit has been judged. Pure. */
export function decide(facts: Facts): Decision {
  const { verdict, memory, url } = facts;
  if (facts.revisited !== null) return atStart(facts, facts.revisited);
  if (url.startsWith('chrome-error:')) return unreached(facts.isLooping);
  if (!facts.mayBeAt(url)) return fail('domain_not_allowed');
  if (verdict.dismiss !== null && verdict.kind !== 'logged_in' && memory.dismissals < mostDismissals)
    return press(facts, verdict.dismiss, 'dismiss');
  return byKind[verdict.kind](facts);
}

const atStart = (facts: Facts, why: RevisitReason): Decision => {
  const { verdict, url, mayBeAt, memory } = facts;
  const isBroken = verdict.kind === 'error' && !verdict.expired;
  if (why === 'expired') return fail(isBroken ? 'website_error' : 'session_expired');
  if (why === 'refused') return fail('website_error');
  // The front page of everybody says nothing; what its way in leads to does.
  const isForAll = why === 'shown_to_all' && verdict.kind === 'logged_in' && isInferred(verdict.success);
  if (isForAll && verdict.entry !== null && memory.entries < mostEntries) return press(facts, verdict.entry, 'entry');
  return verdict.kind === 'logged_in' && mayBeAt(url) ? { kind: 'succeed' } : fail('navigation_confused');
};

const enter = (facts: Facts): Decision => {
  const { entry } = facts.verdict;
  if (entry !== null && facts.memory.entries < mostEntries) return press(facts, entry, 'entry');
  return lost(facts);
};

/** Nothing here to sign in with: never found, or lost on the way. */
const lost = ({ memory }: Facts): Decision => fail(memory.sent.length === 0 ? 'login_form_not_found' : 'navigation_confused');

const form = (facts: Facts): Decision => answered(facts) ?? (facts.verdict.fields.length > 0 ? fillOrAsk(facts) : chooseOrAsk(facts));

/** "Yes", unless that has led back to the question often enough. */
function agree(facts: Facts): Decision {
  const { submit } = facts.verdict;
  if (submit === null) return lost(facts);
  return facts.memory.yeses >= mostYeses ? fail('stuck_in_loop') : press(facts, submit, 'yes');
}

/** What to do about each kind of page. A kind without a row does not compile. */
const byKind: { readonly [K in PageKind]: (facts: Facts) => Decision } = {
  identifier: form,
  password: form,
  credentials: form,
  code: form,
  totp_setup: form,
  question: form,
  method_choice: (facts) => answered(facts) ?? chooseOrAsk(facts),
  fork: (facts) => answered(facts) ?? chooseOrAsk(facts),
  account_picker: (facts) => answered(facts) ?? chooseOrAsk(facts),
  consent: (facts) => answered(facts) ?? chooseOrAsk(facts),
  stay_signed_in: agree,
  external_wait: (facts) => answered(facts) ?? external(facts),
  captcha: () => fail('captcha_blocked'),
  passkey: (facts) =>
    answered(facts) ??
    (facts.verdict.choices.length > 0
      ? chooseOrAsk(facts)
      : fail('unsupported_auth_method', 'The website lets in with a passkey or security key only.')),
  // Before the old one has expired, it may be put off.
  password_change: (facts) =>
    answered(facts) ??
    (facts.verdict.choices.length > 0
      ? chooseOrAsk(facts)
      : fail('unsupported_auth_method', 'The website demands another password: set it there, and log in with the new one.')),
  http_auth: () => fail('unsupported_auth_method', 'The server asks for name and password itself (HTTP authentication), without a page.'),
  sign_up: (facts) => beginAgain(facts) ?? enter(facts),
  password_reset: (facts) => beginAgain(facts) ?? enter(facts),
  landing: enter,
  logged_in: letIn,
  error: (facts) =>
    answered(facts) ??
    renew(facts) ??
    (facts.verdict.choices.length > 0 && !facts.alone
      ? { kind: 'ask', places: [] }
      : (goBack(facts) ?? (facts.verdict.refusal ? beginAgain(facts) : null) ?? fail('website_error'))),
  unknown: (facts) => renew(facts) ?? (facts.newError !== null ? fail('website_error') : (revisit(facts) ?? lost(facts))),
};

const mostRenewals = 3;

/** A form that has been asked about has made way before it was sent, or took what was sent for too late: it is looked for once more. */
const renew = ({ memory, verdict: { expired, lockedOut } }: Facts): Decision | null => {
  const isWaitedFor = memory.sent.length === 0 && memory.names.fields.length > 0;
  const isLate = (expired || isWaitedFor) && !lockedOut && memory.renewals < mostRenewals;
  return isLate ? { kind: 'revisit', why: 'expired' } : null;
};

/** After a proof, a page that nothing is known of may be an application that shows little of itself: its login tells whether it is done. */
const revisit = ({ memory: { sent } }: Facts): Decision | null => (isProven(sent) ? { kind: 'revisit', why: 'unknown' } : null);

/**
 * What everybody is shown may follow a refusal that says nothing: the login tells whether it is done. So may a step, of which a stranger sees
 * nothing: where next to nothing is known, the login is looked at beside it.
 */
function letIn(facts: Facts): Decision {
  const { verdict, memory, shownToAll, loginStands } = facts;
  const { success, slight, entry } = verdict;
  if (!isInferred(success)) return { kind: 'succeed' };
  if (!isProven(memory.sent)) {
    // The page where the last login ended may be the front page of everybody.
    if (entry === null || !success.every((rule) => rule === 'success/home')) return { kind: 'succeed' };
    if (shownToAll === null) return { kind: 'compare', as: 'stranger' };
    return shownToAll && memory.entries < mostEntries ? press(facts, entry, 'entry') : { kind: 'succeed' };
  }
  if (shownToAll === null) return { kind: 'compare', as: 'stranger' };
  if (shownToAll) return { kind: 'revisit', why: 'shown_to_all' };
  return slight && loginStands === null ? { kind: 'compare', as: 'self' } : { kind: 'succeed' };
}

/** The login was left for a page that asks for nothing of it: what was sent is asked for again where the login is found (D43). */
const beginAgain = ({ memory: { before }, verdict: { lockedOut, outage, entry } }: Facts): Decision | null =>
  before?.form === 'login' && !lockedOut && !outage && entry === null ? { kind: 'revisit', why: 'refused' } : null;

/** Back to the form whose values were refused, once after each: what the website told goes along. */
function goBack(facts: Facts): Decision | null {
  const { memory, newError, verdict } = facts;
  const isRefused = newError !== null && memory.told === null && memory.rejected.length > 0;
  return verdict.retry !== null && isRefused ? press(facts, verdict.retry, 'retry') : null;
}

function press(facts: Facts, target: PressTarget, why: PressReason): Decision {
  if (!facts.mayBeAt(target.frameUrl)) return fail('domain_not_allowed');
  return facts.memory.steps >= facts.maxSteps ? fail('max_steps_exceeded') : { kind: 'press', target, why };
}

/** Boxes that can be typed into; D61 is checked wherever the flow types. */
function editable({ verdict }: Facts): readonly number[] {
  return verdict.fields.flatMap((field, place) => (field.editable ? [place] : []));
}

function fill(facts: Facts, places: readonly number[]): Decision {
  if (places.some((place) => !facts.mayBeAt((facts.verdict.fields[place] as FieldFinding).frameUrl))) return fail('domain_not_allowed');
  return facts.memory.steps >= facts.maxSteps ? fail('max_steps_exceeded') : { kind: 'fill', places };
}

function choose(facts: Facts, place: number): Decision {
  if (!facts.mayBeAt((facts.verdict.choices[place] as ChoiceFinding).frameUrl)) return fail('domain_not_allowed');
  return facts.memory.steps >= facts.maxSteps ? fail('max_steps_exceeded') : { kind: 'choose', place };
}

/** The person's answer, if it still fits the page. Null: there is none, or the page asks for something else by now and must ask anew. */
function answered(facts: Facts): Decision | null {
  const { answer, page, verdict } = facts;
  if (answer === null) return null;
  if (answer.kind === 'choice') {
    const place = page.choiceIds.indexOf(answer.choiceId);
    return place === -1 ? null : choose(facts, place);
  }
  const given = (place: number): boolean => (answer.values[page.fieldIds[place] as string] ?? '') !== '';
  const places = editable(facts).filter((place) => given(place) || facts.knows(verdict.fields[place] as FieldFinding));
  const missing = editable(facts).some((place) => !places.includes(place) && verdict.fields[place]?.required === true);
  return places.some(given) && !missing ? fill(facts, places) : null;
}

function fillOrAsk(facts: Facts): Decision {
  const { verdict, memory } = facts;
  const known = editable(facts).filter((place) => facts.knows(verdict.fields[place] as FieldFinding));
  const unknown = editable(facts).filter((place) => !known.includes(place));
  if (known.length > 0 && unknown.every((place) => verdict.fields[place]?.required === false))
    return repeats(facts, known) ? askedAgain(facts) : fill(facts, known);
  if (!facts.alone) return unknown.length === 0 && verdict.choices.length === 0 ? lost(facts) : { kind: 'ask', places: unknown };
  const remembered = pickOf(facts);
  if (remembered !== -1) return choose(facts, remembered);
  if (verdict.outage) return fail('website_error');
  const refs = unknown.map((place) => verdict.fields[place] as FieldFinding);
  return fail(
    refs.some(({ type }) => type === 'code' || type === 'totp_code') && !memory.rejected.some((ref) => ref === 'password')
      ? 'mfa_required'
      : 'credentials_invalid',
  );
}

/**
 * Nothing but what the website has gone on with before, a password among it: whatever it wants now, it is not to be sent once more unasked
 * (D41). Names alone may be asked on the way to the password by one page after another.
 */
function repeats({ verdict, memory, url }: Facts, places: readonly number[]): boolean {
  const isHere = memory.before?.url === routeOf(url);
  if (!memory.sent.includes('password') && !isHere) return false;
  return places.every((place) => {
    const { type, ref } = verdict.fields[place] as FieldFinding;
    return type !== 'code' && type !== 'totp_code' && memory.accepted.includes(ref);
  });
}

function askedAgain(facts: Facts): Decision {
  return facts.alone ? fail('stuck_in_loop') : { kind: 'ask', places: editable(facts) };
}

/** A list of one second-factor method is no question; a flow without a person chooses as the person did. */
function chooseOrAsk(facts: Facts): Decision {
  const { choices, kind } = facts.verdict;
  if (choices.length === 0) return lost(facts);
  const methods = choices.flatMap((choice, place) => (choice.type === 'mfa_method' && choice.mfaType !== 'switch' ? [place] : []));
  const [only] = methods;
  if (
    kind === 'method_choice' &&
    methods.length === 1 &&
    only !== undefined &&
    facts.memory.sent.length > 0 &&
    choices.every(({ type }) => type === 'mfa_method') &&
    !facts.memory.choiceInDoubt
  )
    return choose(facts, only);
  if (!facts.alone) return { kind: 'ask', places: [] };
  const remembered = pickOf(facts);
  if (remembered !== -1) return choose(facts, remembered);
  // Of several ways in the best is tried, as it was before anybody was asked which.
  if (facts.verdict.rules.includes(SEVERAL_ENTRIES)) return enter(facts);
  return fail(kind === 'method_choice' ? 'mfa_required' : 'external_action_required');
}

/** Place of the choice that was made last time, else of the only one that is the person's own; never of one that has just failed. */
function pickOf({ verdict, picks, memory, isOwn }: Facts): number {
  if (memory.choiceInDoubt) return -1;
  const { choices } = verdict;
  const made = choices.findIndex((choice) => picks.some(({ type, key }) => type === choice.type && key === choiceKey(choice)));
  return made === -1 && choices.filter(isOwn).length === 1 ? choices.findIndex(isOwn) : made;
}

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

/** An error text that comes while a push is waited for is its refusal: then what the page still offers, else the end (D43). */
function external(facts: Facts): Decision {
  const action = facts.verdict.externalAction;
  if (facts.waitingUnder !== null && facts.newError !== null && withoutNumbers(facts.newError) !== withoutNumbers(facts.waitingUnder))
    return facts.verdict.choices.length > 0 ? { kind: 'ask', places: [] } : fail('website_error');
  if (facts.alone) return fail(action?.kind === 'push' || action?.kind === 'call' ? 'mfa_required' : 'external_action_required');
  const message = action?.message.trim() || 'Continue on your other device.';
  const number = action?.number ?? null;
  return { kind: 'wait', message: number === null || message.includes(number) ? message : `${message} ${number}` };
}
