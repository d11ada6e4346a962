import { isPressable, isUsable } from './evidence.js';
import { type ControlSnapshot, type FoldedOffer, type Handle, type OptionSnapshot, type PageSnapshot, placeOf } from './snapshot.js';

/** What a page is, as far as a login is concerned. */
export type PageKind =
  /** Asks who; asks for the password; asks for both. */
  | 'identifier'
  | 'password'
  | 'credentials'
  /** Asks for a one-time code; shows a seed to set up an authenticator app. */
  | 'code'
  | 'totp_setup'
  /** Asks for something else before it goes on (a date of birth, a memorable word). */
  | 'question'
  /** A list of ways to go on: second factors, sign-in methods, SSO providers. */
  | 'method_choice'
  /** Goes on by one of its buttons, in words that say no more about it: new terms, an offer to set something up. */
  | 'fork'
  | 'account_picker'
  | 'consent'
  | 'stay_signed_in'
  /** The person must act elsewhere: approve a push, open a link. */
  | 'external_wait'
  | 'captcha'
  | 'passkey'
  | 'password_change'
  /** The server signs people in by the browser's own dialog (HTTP Basic, Digest, Negotiate). */
  | 'http_auth'
  | 'sign_up'
  | 'password_reset'
  /** No login here, but a way in. */
  | 'landing'
  | 'logged_in'
  /** Only an error is left. */
  | 'error'
  | 'unknown';

export type FieldType = 'identifier' | 'password' | 'code' | 'totp_code' | 'totp_secret' | 'text';
export type ChoiceType = 'mfa_method' | 'sso_provider' | 'sign_in_method' | 'auth_method' | 'identifier_method' | 'account' | 'other';
export type MfaType = 'sms' | 'call' | 'email' | 'totp' | 'push' | 'password' | 'passkey' | 'switch' | 'other';
export type InputMode = 'text' | 'email' | 'tel' | 'numeric';

/** Id of a rule that spoke, e.g. `identifier/autocomplete`. Safe to log: it never holds page text. */
export type RuleId = string;

export interface PressTarget {
  readonly handle: Handle;
  readonly selector: string;
  readonly xpath: string;
  /** Address of the frame it lives in: D61 is checked wherever the flow types or presses. */
  readonly frameUrl: string;
  readonly label: string;
  readonly rules: readonly RuleId[];
}

/** What a field takes when it is no free text. */
export type Accepts =
  | { readonly kind: 'option'; readonly options: readonly Pick<OptionSnapshot, 'text' | 'value'>[] }
  | { readonly kind: 'date' | 'month' }
  /** One each for so many boxes. */
  | { readonly kind: 'characters'; readonly count: number };

export interface FieldFinding {
  readonly type: FieldType;
  /** D60: `username`, `password`, `code`, `totp_secret` or a slug of the label, made unique by `_2`. */
  readonly ref: string;
  readonly label: string;
  readonly hint: string | null;
  readonly inputMode: InputMode;
  readonly required: boolean;
  /** One control, or the boxes of a split code in order. */
  readonly handles: readonly [Handle, ...Handle[]];
  readonly selector: string;
  readonly frameUrl: string;
  /** The box is shown but cannot be edited (an identifier carried over from the step before). */
  readonly editable: boolean;
  readonly filled: boolean;
  /** Absent for free text. */
  readonly accepts?: Accepts;
  readonly rules: readonly RuleId[];
}

/**
 * How a choice is taken. `select` sets the option and needs the submit control after it; so does `check` when the page has one. `agreeing`:
 * boxes to tick before the press, which the website demands with it.
 */
export type ChoiceAction =
  | { readonly kind: 'press'; readonly handle: Handle; readonly agreeing?: readonly Handle[] }
  | { readonly kind: 'check'; readonly handle: Handle }
  | { readonly kind: 'select'; readonly handle: Handle; readonly option: number };

export interface ChoiceFinding {
  readonly type: ChoiceType;
  readonly label: string;
  readonly description: string | null;
  readonly mfaType: MfaType | null;
  /** e.g. `•••• 42` or `j***@mail.example`. */
  readonly maskedDestination: string | null;
  /** Provider name of an `sso_provider` choice. */
  readonly provider: string | null;
  readonly action: ChoiceAction;
  readonly selector: string;
  readonly xpath: string;
  readonly frameUrl: string;
  readonly rules: readonly RuleId[];
}

/** Boxes to tick with the fields, which the website demands for sending them, and what they say. */
export interface Agreement {
  /** At most 200 characters. */
  readonly said: string;
  readonly handles: readonly Handle[];
  /** Nothing says that they are demanded but the button, which is locked: they are ticked where it stays so with the fields filled in. */
  readonly ifLocked: boolean;
}

export interface ExternalAction {
  readonly kind: 'push' | 'magic_link' | 'call' | 'passkey' | 'qr' | 'other';
  /** The site's own instruction, at most 500 characters. */
  readonly message: string;
  /** Number to pick or type on the phone (number matching), null if none. */
  readonly number: string | null;
}

/** Meaning of one box on its own, for evaluation and logs. */
export type ControlLabel =
  'identifier' | 'password' | 'new_password' | 'code' | 'totp_secret' | 'contact' | 'search' | 'captcha' | 'other' | 'decoy';

export interface LabelledControl {
  readonly handle: Handle;
  readonly label: ControlLabel;
  readonly rules: readonly RuleId[];
}

export interface Verdict {
  readonly kind: PageKind;
  /** The rules that made the kind. */
  readonly rules: readonly RuleId[];
  readonly fields: readonly FieldFinding[];
  readonly choices: readonly ChoiceFinding[];
  /** What sends the fields, or takes the one step the page offers (`stay_signed_in`: its yes). Null: press Enter in the last field. */
  readonly submit: PressTarget | null;
  /** What sending the fields agrees to; null if nothing. */
  readonly agreement: Agreement | null;
  /** Visible error text of the website, at most 500 characters, null if none. Not masked: the caller masks secrets (D45). */
  readonly error: string | null;
  /** False when the same text already stood there at the last submit. */
  readonly errorIsNew: boolean;
  /** What it tells of is an account that is closed, whatever is sent next. */
  readonly lockedOut: boolean;
  /** What it tells of is that something typed is wrong. */
  readonly refusal: boolean;
  /** The error is about the website itself: nothing that was typed is wrong. */
  readonly outage: boolean;
  /** The error is that the form was answered too late: nothing that was typed has been looked at. */
  readonly expired: boolean;
  readonly externalAction: ExternalAction | null;
  /** The way to the login from a page that is none. */
  readonly entry: PressTarget | null;
  /** The way back to the form from a page that only tells of a refusal. */
  readonly retry: PressTarget | null;
  /** What clears a cookie banner or another overlay that is in the way. */
  readonly dismiss: PressTarget | null;
  /** A visible challenge blocks the page. */
  readonly captcha: boolean;
  /** Rule ids that speak for a signed-in page; `success/sign_out` is the strong one. */
  readonly success: readonly RuleId[];
  /** What speaks for a signed-in page could be said of a step of the login. */
  readonly slight: boolean;
  readonly labels: readonly LabelledControl[];
}

/** What the flow knows that the page does not show. */
export interface PageContext {
  /** Where the last login of this connection ended; absent before the first. */
  readonly home?: string;
  /**
   * Kinds of answers the website has accepted or been sent in this flow, `sso` for a pressed provider, `external` for an approved push,
   * `answer` for something else that only its owner knows, asked beside the name.
   */
  readonly sent: readonly (FieldType | 'sso' | 'choice' | 'external' | 'answer')[];
  /** The page as it was when something was last sent, to tell what it says since then; null before. */
  readonly before: PageBefore | null;
  /** The name that was sent, to be found again in the head of a page; absent while none is known. */
  readonly name?: string;
  /** A way in has been pressed, and nothing has been sent yet: what comes is mostly the login. */
  readonly entered?: true;
  /** The address where the login was found is looked at once more, after a page that nothing is known of. */
  readonly revisited?: true;
  /** The start address still asks this browser for a login: that another page has come says nothing. */
  readonly loginStands?: true;
}

const PROOFS: ReadonlySet<PageContext['sent'][number]> = new Set(['password', 'code', 'totp_code', 'sso', 'external', 'answer']);

/** Something was sent that proves who is there: a website may have let them in since. */
export const isProven = (sent: PageContext['sent']): boolean => sent.some((kind) => PROOFS.has(kind));

export type ReturningForm = 'login' | 'code' | 'question';
const FORM_OF: Readonly<Partial<Record<PageKind, ReturningForm>>> = {
  identifier: 'login',
  password: 'login',
  credentials: 'login',
  code: 'code',
  totp_setup: 'code',
  question: 'question',
};

export interface PageBefore {
  readonly url: string;
  readonly documentId: string;
  /** Of the answer that its document came with; absent if it is not known. */
  readonly httpStatus?: number;
  /** What it announced or said about its forms, and its headings. */
  readonly alerts: readonly string[];
  /** Of these what nothing marked as an announcement. */
  readonly plain: readonly string[];
  /** Refs of the fields it asked for. */
  readonly asked: readonly string[];
  /** The boxes of its form, by all that they say, and what it was read as: the same form is read the same when it comes back. */
  readonly boxes: readonly string[];
  /** The same of the boxes that something was laid over: those of the login below a dialog for its code. */
  readonly beneath: readonly string[];
  readonly form: ReturningForm | null;
  /** Where the menus led, at most `MOST_PLACES` paths: of the last form to sign in with, while steps of it follow. */
  readonly places: readonly string[];
  /** The same of what was in no sight there, as in menus that open when they are pressed. */
  readonly folded: readonly string[];
  /** What there was to press, as `offerMark` has it: at most 100. */
  readonly offers: readonly string[];
  /** How much there was in the head, menus and side of the same page to press. */
  readonly menus: number;
  /** The error it told of, one of these texts; null if none. */
  readonly error: string | null;
}

/** What boxes say of themselves, values and places left aside. */
export const marksOf = (boxes: readonly ControlSnapshot[]): string[] =>
  boxes.map(({ tag, type, name, label, aria, placeholder }) => [tag, type, name, label, aria, placeholder].join(' '));

/** Whether the box is one of those that left these marks, hidden as it was typed then or shown. */
export function isMarked({ name, label, aria, placeholder }: ControlSnapshot, marks: readonly string[]): boolean {
  const words = [name, label, aria, placeholder].join(' ');
  return marks.some((mark) => mark.replace(/^\S* \S* /, '') === words);
}

/** Where the menus around a page lead, as paths: a login may have a host of its own. */
export const menuPlaces = (controls: readonly ControlSnapshot[]): string[] => [
  ...new Set(controls.flatMap(({ landmark, href }) => (/^(header|nav|aside)$/.test(landmark) && href !== '' ? [hostless(href)] : []))),
];

export const foldedPlaces = (offers: readonly FoldedOffer[]): string[] => [
  ...new Set(offers.flatMap(({ href }) => (href === '' ? [] : [hostless(href)]))),
];

export const MOST_PLACES = 60;

const hostless = (href: string): string => placeOf(href).replace(/^\w+:\/\/[^/]+/, '');

/** What there is to press, by what it says and where it leads on its host. */
export const offerMark = ({ href, text, aria }: ControlSnapshot): string => `${hostless(href)} ${text || aria}`.slice(0, 80);

/** What stands in the head of a page, its menus and its side to be pressed, wherever it leads. */
export const countMenus = (controls: readonly ControlSnapshot[]): number =>
  controls.filter(({ landmark, tag, visible }) => /^(header|nav|aside)$/.test(landmark) && visible && /^(a|button|other)$/.test(tag))
    .length;

export const NOTHING_SENT: PageContext = { sent: [], before: null };

/**
 * What to remember of a page when something is sent from it; `earlier`: of the page before. A step may have the menus of the application
 * around it already: those of the login tell who is in.
 */
export function beforeSending(
  { url, documentId, httpStatus, alerts, headings, controls, folded }: PageSnapshot,
  { kind, fields, error }: Verdict,
  earlier: Pick<PageBefore, 'places' | 'folded' | 'menus'> | null = null,
): PageBefore {
  const form = FORM_OF[kind] ?? null;
  const asked = fields.filter(({ editable }) => editable).map(({ ref }) => ref);
  const handles = fields.flatMap((field) => field.handles);
  const boxes = controls.filter(({ handle }) => handles.includes(handle));
  const plain = alerts.filter(({ source }) => source === 'plain').map(({ text }) => text);
  return {
    url,
    documentId,
    ...(httpStatus !== null && { httpStatus }),
    alerts: [...alerts.map(({ text }) => text), ...headings],
    plain,
    asked,
    boxes: marksOf(boxes),
    beneath: marksOf(controls.filter(({ tag, visible, unreachable }) => tag === 'input' && visible && unreachable === 'covered')),
    form,
    ...(form !== 'login' && earlier !== null
      ? { places: earlier.places, folded: earlier.folded, menus: earlier.menus }
      : {
          places: menuPlaces(controls).slice(0, MOST_PLACES),
          folded: foldedPlaces(folded).slice(0, MOST_PLACES),
          menus: countMenus(controls),
        }),
    offers: controls
      .filter((control) => isPressable(control) && isUsable(control))
      .slice(0, 100)
      .map(offerMark),
    error,
  };
}
