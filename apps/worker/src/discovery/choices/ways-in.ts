import { isBox, isInEdge, isInHead, isPressable, isUsable } from '../evidence.js';
import { isAskableList } from '../fields/lists.js';
import { pathOf } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, lengthOf, says, type Words, words } from '../lexicon/words.js';
import { isPraised } from '../outcome/greeting.js';
import type { ErrorFinding } from '../outcome/refusal.js';
import { leadsOut } from '../outcome/sign-out.js';
import { anySays, asksForText, isLoginCovered, isSentCovered, isStepOver, type PageView, pressTarget, usableBoxes } from '../page-view.js';
import { type ControlSnapshot, placeOf, shapeOf } from '../snapshot.js';
import { findSubmit } from '../submit.js';
import { isProven, type PressTarget, type RuleId } from '../verdict.js';
import { isBesideWork } from '../work.js';
import { providerIn, providerPictured } from './providers.js';

interface PressRule {
  readonly id: RuleId;
  readonly weight: number;
  readonly test: (button: Meant) => boolean;
}

const LOGIN_PATH =
  /(^|\/|_)(log_?in|sign_?in|signon|logon|auth(?!or)|sso|anmelden|connexion|acceder|entrar|session(s)?_?(new)?|accounts\/login|users\/sign_in)/;
const ACCOUNT_PATH = /(^|\/|_)(account\/?$|my_?account)/;

const ENTRY_RULES: readonly PressRule[] = [
  { id: 'entry/sign_in_only', weight: 8, test: ({ evidence: { text } }) => isJust('signIn', text) },
  { id: 'entry/sign_in', weight: 5, test: ({ evidence: { text } }) => lengthOf(text) <= 40 && says('signIn', text) },
  { id: 'entry/enter', weight: 4, test: ({ evidence: { text } }) => isJust('enter', text) },
  { id: 'entry/aria', weight: 4, test: ({ evidence }) => says('signIn', evidence.aria) || says('signIn', evidence.title) },
  { id: 'entry/path', weight: 4, test: ({ control }) => LOGIN_PATH.test(pathOf(control.href)) },
  { id: 'entry/account_path', weight: 4, test: ({ control }) => ACCOUNT_PATH.test(pathOf(control.href)) },
  {
    id: 'entry/named',
    weight: 2,
    test: ({ evidence, control }) => /log_?in|sign_?in/.test(`${evidence.code} ${control.classes.toLowerCase()}`),
  },
  {
    id: 'entry/header',
    weight: 2,
    test: ({ control }) => control.landmark === 'header' || control.landmark === 'nav' || control.box.y < 150,
  },
  { id: 'entry/account', weight: 2, test: ({ evidence: { text, aria } }) => isJust('account', text) || isJust('account', aria) },
  { id: 'entry/my_account', weight: 3, test: ({ evidence: { text, aria } }) => isJust('myAccount', text) || isJust('myAccount', aria) },
  { id: 'entry/sign_up', weight: -6, test: ({ evidence: { text } }) => says('signUp', text) && !says('signIn', text) },
  { id: 'entry/sign_out', weight: -20, test: ({ evidence: { text }, control }) => says('signOut', text) || leadsOut(control.href) },
  // "Exit" leads to the login as well, and ends what was begun.
  { id: 'entry/leaves', weight: -20, test: ({ evidence: { text } }) => isJust('leave', text) },
  { id: 'entry/sign_ins', weight: -8, test: ({ evidence: { text } }) => says('signIns', text) },
  { id: 'entry/forgot', weight: -8, test: ({ evidence: { text } }) => says('forgot', text) || says('help', text) },
  {
    id: 'entry/provider',
    weight: -5,
    test: ({ control, evidence: { text } }) =>
      providerPictured(control) !== null || (says('continueWith', text) && providerIn(control.text, true) !== null),
  },
  {
    id: 'entry/method',
    weight: -8,
    test: ({ evidence: { text } }) =>
      says('passkey', text) ||
      says('securityKey', text) ||
      says('authenticator', text) ||
      says('magicLink', text) ||
      says('scanCode', text),
  },
  { id: 'entry/footer', weight: -2, test: ({ control }) => control.landmark === 'footer' },
  { id: 'entry/long', weight: -6, test: ({ evidence: { text } }) => lengthOf(text) > 60 },
];

/** An account is a way in only while nobody has signed in yet; what an application "unlocks" or "connects" after that is a machine. */
const NOBODYS_RULES: readonly string[] = ['entry/account_path', 'entry/my_account', 'entry/enter'];
const ANYBODYS_RULES: readonly PressRule[] = [
  ...ENTRY_RULES.filter(({ id }) => !NOBODYS_RULES.includes(id)),
  // "Yes, sign me up" answers its page, once somebody has been asked for something.
  { id: 'entry/answer', weight: -20, test: ({ evidence: { text } }) => says('yes', text) && !isJust('signIn', text) },
];

/** The control that leads to the login from a page that has none; never one that would send what nobody has filled. */
export function findEntry(view: PageView): PressTarget | null {
  const sending = sendersOf(view);
  const free = view.pressables.filter((button) => !sending.includes(button) && !isAnswer(view, button));
  return strongestEntry(view, free) ?? closedMenu(view, free);
}

/**
 * Several ways in beside each other, each for another kind of people ("Personal login", "Business login"): which is whose is for the person
 * to say. None where one says no more than that it signs in.
 */
export function rivalEntries(view: PageView): readonly Meant[] {
  const isEntry = (button: Meant): boolean => strongest(view, [button], ENTRY_RULES, 5) !== null;
  const saysSo = view.pressables.filter(({ evidence: { text } }) => says('signIn', text) && !says('sso', text) && !says('signUp', text));
  if (view.context.before !== null || saysSo.some(({ evidence: { text } }) => isJust('signIn', text))) return [];
  const [first, ...others] = saysSo.filter((button) => button.control.landmark !== 'footer' && isEntry(button));
  if (first === undefined) return [];
  const shape = shapeOf(first.control);
  const isOther = ({ control, evidence: { text } }: Meant): boolean =>
    shapeOf(control) === shape &&
    text.squeezed !== first.evidence.text.squeezed &&
    (control.href === '' || placeOf(control.href) !== placeOf(first.control.href));
  const rivals = [first, ...others.filter(isOther)];
  // What is the best way in by itself is one of them, or they are for others.
  const best = findEntry(view);
  return rivals.length > 1 && rivals.some(({ control }) => control.handle === best?.handle) ? rivals : [];
}

/** "Sign me up" beside "No, thanks", once somebody has proved who they are: in some languages the words for it are those for signing in. */
function isAnswer({ context, pressables }: PageView, button: Meant): boolean {
  const isNo = ({ control, evidence: { text } }: Meant): boolean =>
    control.form === button.control.form && !isInEdge(control) && lengthOf(text) <= 30 && (says('no', text) || says('later', text));
  return isProven(context.sent) && !isInEdge(button.control) && pressables.some((other) => other !== button && isNo(other));
}

const MENU_CODE = /menu|burger|nav_?icon|nav[-_]?toggle|menü|menú|меню|メニュー|菜单|選單|메뉴/i;

/** The button of a menu that is not open, when the way in is in it. */
function closedMenu(view: PageView, buttons: readonly Meant[]): PressTarget | null {
  const { snapshot, context } = view;
  const isIn = snapshot.folded.some(({ text }) => isJust('signIn', words(text)) || isJust('enter', words(text)));
  if (context.before !== null || !isIn) return null;
  const menu = buttons.find(
    ({ control }) =>
      control.tag !== 'a' && MENU_CODE.test(`${control.text} ${control.aria} ${control.title} ${control.id} ${control.classes}`),
  );
  return menu ? pressTarget(view, menu.control, ['entry/menu']) : null;
}

/** A form signs in by something that no field is made of: nobody is in yet, whatever else speaks for it. */
export const demandsBlanks = (view: PageView): boolean => strongestEntry(view, sendersOf(view)) !== null;

function strongestEntry(view: PageView, buttons: readonly Meant[]): PressTarget | null {
  // "Log in to Webmail", among the work of somebody who is in, leads to something else.
  const own = isBesideWork(view)
    ? buttons.filter(({ control, evidence: { text } }) => isInEdge(control) || isJust('signIn', text))
    : buttons;
  return strongest(view, own, view.context.sent.length === 0 ? ENTRY_RULES : ANYBODYS_RULES, 5);
}

/**
 * What sends a form that has something to fill: each of its submit buttons, and without a `<form>` the one that ends it. One form may hold the
 * whole page, menus and all, and a box to search in may stand beside any way in.
 */
function sendersOf({ snapshot, forms, pressables }: PageView): readonly Meant[] {
  return forms.flatMap((form) => {
    const { segment, kind } = form;
    const isChosenIn = (box: Meant): boolean => box.control.tag !== 'select' || isAskableList(box);
    const blanks = segment.blanks.filter((box) => box.meaning !== 'search' && isChosenIn(box));
    if (blanks.length === 0 || kind === 'search' || kind === 'newsletter') return [];
    const handles = blanks.map(({ control }) => control.handle);
    const last = findSubmit(snapshot, form, forms, handles)?.button;
    const isMenus = ({ control }: Meant): boolean =>
      isInHead(control) && blanks.every(({ control: { landmark } }) => landmark !== control.landmark);
    const submits = ({ control: { type } }: Meant): boolean => segment.form?.element === true && /^(submit|image)$/.test(type);
    return segment.buttons.filter(
      (button) => pressables.includes(button) && !isMenus(button) && button.control.tag !== 'a' && (button === last || submits(button)),
    );
  });
}

/** Who draws banners about cookies calls them so; `cmp-button` is any button of a large maker of websites. */
const COOKIE_CODE =
  /cookie|gdpr|onetrust|didomi|usercentrics|quantcast|trustarc|truste(?!d)|(^|[^a-z])(cmp|ccpa)(?![a-z_-])|cmp_?(box|wrapper|app)|fc-consent|sp_message|sp_choice|consent[_-]?(banner|bar|manager|popup|overlay|notice)|privacy[_-]?(banner|bar|manager|popup|notice)/;

function isAboutCookies(view: PageView, { control, evidence }: Meant): boolean {
  const form = view.snapshot.forms.find(({ key }) => key === control.form);
  const frame = view.snapshot.frames.find(({ key }) => key !== '' && key === control.frame);
  const near = form && !form.element && /dialog|aside|section|div/.test(form.key) ? words(form.text.slice(0, 1_000)) : null;
  // New terms speak of cookies too: whoever is asked for them behind a proof answers for more than those.
  const isOfTerms =
    isProven(view.context.sent) && (says('terms', words(view.snapshot.modalText)) || (near !== null && says('terms', near)));
  if (isOfTerms) return COOKIE_CODE.test(`${evidence.code} ${control.classes}`.toLowerCase());
  return (
    COOKIE_CODE.test(`${evidence.code} ${control.classes} ${control.form}`.toLowerCase()) ||
    (frame !== undefined && (COOKIE_CODE.test(`${frame.title} ${frame.url}`.toLowerCase()) || says('cookies', words(frame.title)))) ||
    // Its class is no word of a dialog that somebody is shown who is in.
    (!(isProven(view.context.sent) && control.landmark === 'dialog') && says('cookies', words(control.overlay))) ||
    says('cookies', evidence.text) ||
    (control.landmark === 'dialog' && says('cookies', words(view.snapshot.modalText))) ||
    (near !== null && near.squeezed.length < 900 && says('cookies', near))
  );
}

/**
 * Boxes that a step asks for: what lies around them is not in its way, though it can be closed as well. A name alone, over a login, is more
 * likely somebody's newsletter.
 */
function boxesOfStep(view: PageView, coversLogin: boolean): readonly ControlSnapshot[] {
  return view.forms.flatMap((form) => {
    const boxes = usableBoxes(form).map(({ control }) => control);
    const isStep =
      form.kind === 'code' ||
      form.kind === 'change' ||
      (form.kind === 'question' && view.context.before !== null) ||
      (form.kind === 'login' && (!coversLogin || boxes.some(({ type }) => type === 'password')));
    return isStep ? boxes : [];
  });
}

/**
 * What clears an overlay off the page, when one lies over the controls: a cookie banner first, by its first button where none has known
 * words, then any dialog with a close button, then the "OK" of a box that only tells of a refusal.
 */
export function findDismiss(view: PageView, error: ErrorFinding | null): PressTarget | null {
  const covered = view.snapshot.controls.some(
    (control) => control.unreachable === 'covered' && (isPressable(control) || control.tag === 'input'),
  );
  if (!covered) return null;
  const coversLogin = isLoginCovered(view);
  const asking = boxesOfStep(view, coversLogin);
  const apart = view.pressables.filter(({ control }) => !asking.some(({ overlay }) => overlay !== '' && overlay === control.overlay));
  const about = apart.filter((button) => isAboutCookies(view, button));
  const said = (concept: Concept, text: Words): boolean => isJust(concept, text) || (lengthOf(text) <= 40 && says(concept, text));
  for (const concept of ['reject', 'accept', 'allow', 'close'] as const) {
    const button = about.find(({ evidence: { text } }) => said(concept, text));
    if (button) return pressTarget(view, button.control, [`dismiss/cookies_${concept}`]);
  }
  // In words of no table: only of the box itself that lies over the page.
  const isOver = ({ overlay, landmark, frame }: ControlSnapshot): boolean => overlay !== '' || landmark === 'dialog' || frame !== '';
  const unknown = about.find(({ control }) => (control.tag !== 'a' || control.href === '') && isOver(control));
  if (unknown) return pressTarget(view, unknown.control, ['dismiss/cookies_unknown']);
  const isDialogs = asking.some(({ landmark }) => landmark === 'dialog');
  const overlay = apart.filter(
    ({ control }) =>
      !(isDialogs && control.landmark === 'dialog') &&
      (control.landmark === 'dialog' ||
        (coversLogin && control.overlay !== '') ||
        /modal|popup|overlay|dialog/i.test(`${control.classes} ${control.form}`) ||
        says('newsletter', words(control.overlay))),
  );
  if (isStepOver(view)) return null;
  // Beside a way in, whoever goes on as a guest has passed it.
  const closing: readonly Concept[] = overlay.some(({ evidence: { text } }) => isJust('signIn', text)) ? ['close'] : ['close', 'guest'];
  const close = overlay.find(
    ({ evidence: { text, aria, title }, control }) =>
      [text, aria, title].some((words_) => closing.some((concept) => isJust(concept, words_))) || /^[×✕✖xX]$/.test(control.text),
  );
  if (close) return pressTarget(view, close.control, ['dismiss/close']);
  const [only, ...more] = overlay;
  const isPut = (button: Meant): boolean => (['accept', 'close', 'next'] as const).some((concept) => isJust(concept, button.evidence.text));
  if (
    error === null &&
    only !== undefined &&
    more.length === 0 &&
    isPut(only) &&
    isSentCovered(view) &&
    isPraised(view.snapshot, view.context)
  )
    return pressTarget(view, only.control, ['dismiss/praise']);
  if (error?.isNew !== true || asksForText(view)) return null;
  // "OK" beside "Cancel" answers something.
  const isAnswer = more.length > 0 && /[?？؟]/u.test(view.snapshot.modalText);
  const known = isAnswer ? undefined : view.pressables.find(({ evidence: { text } }) => isJust('accept', text) || isJust('close', text));
  const coversSent = coversLogin || isSentCovered(view);
  const noted = known ?? (coversSent && more.length === 0 && only !== undefined && !leadsOn(only) ? only : undefined);
  return noted ? pressTarget(view, noted.control, ['dismiss/refusal']) : null;
}

/** What does something else than to put a box away. */
const ELSE: readonly Concept[] = [
  'forgot',
  'help',
  'signUp',
  'signIn',
  'signOut',
  'continueWith',
  'resetPassword',
  'changePassword',
  'resend',
  'leave',
  'anotherWay',
];
const leadsOn = ({ control, evidence: { text } }: Meant): boolean =>
  control.href !== '' || ELSE.some((concept) => says(concept, text)) || providerIn(control.text, true) !== null;

/**
 * "Try again" below a refusal, or "Back" where it says that something is wrong: a link, or a button of no form, since a form could send once
 * more what was refused (D41); where it says what is wrong, also one that sends nothing of a form that shows no box any more. Where nobody is
 * let on there is nothing to try again.
 */
export function findRetry(view: PageView): PressTarget | null {
  if (anySays(view, 'barred', 'lockedOut', 'noAccess')) return null;
  const isWrong = anySays(view, 'wrong');
  const isForm = (key: string): boolean => view.snapshot.forms.some((form) => form.element && form.key === key);
  const isEmpty = (key: string): boolean =>
    !view.snapshot.controls.some((control) => control.form === key && isBox(control) && isUsable(control));
  const isFree = ({ tag, type, form }: ControlSnapshot): boolean =>
    tag === 'a' || !isForm(form) || (isWrong && tag === 'button' && type === 'button' && isEmpty(form));
  const free = view.pressables.filter(({ control }) => !isInEdge(control) && isFree(control));
  const returns: readonly Concept[] = isWrong ? ['retry', 'back'] : ['retry'];
  const buttons = returns.flatMap((concept) => free.filter(({ evidence: { text } }) => isJust(concept, text)));
  return buttons[0] ? pressTarget(view, buttons[0].control, ['retry/words']) : null;
}

/** "Yes" of "Stay signed in?". */
export function findYes(view: PageView): PressTarget | null {
  const usable = view.pressables.filter(({ control }) => !/^(nav|header|footer)$/.test(control.landmark) && isUsable(control));
  for (const concept of ['yes', 'staySignedIn', 'next', 'submit', 'signIn', 'accept'] as const) {
    const button = usable.find(({ evidence: { text } }) => isJust(concept, text) && !isJust('no', text));
    if (button) return pressTarget(view, button.control, [`stay/${concept}`]);
  }
  const loose = usable.find(({ evidence: { text } }) => says('yes', text) && !says('no', text) && lengthOf(text) <= 40);
  return loose ? pressTarget(view, loose.control, ['stay/yes_words']) : null;
}

export function hasNo(view: PageView): boolean {
  const isNo = ({ evidence: { text } }: Meant): boolean =>
    isJust('no', text) || isJust('later', text) || (lengthOf(text) <= 30 && says('no', text));
  return view.pressables.some(isNo);
}

function strongest(view: PageView, buttons: readonly Meant[], rules: readonly PressRule[], least: number): PressTarget | null {
  let top: { control: ControlSnapshot; points: number; ids: RuleId[] } | null = null;
  for (const button of buttons) {
    const hits = rules.filter(({ test }) => test(button));
    const points = hits.reduce((sum, { weight }) => sum + weight, 0);
    if (points >= least && (top === null || points > top.points)) top = { control: button.control, points, ids: hits.map(({ id }) => id) };
  }
  return top ? pressTarget(view, top.control, top.ids) : null;
}
