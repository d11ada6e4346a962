import type { JudgedForm } from '../forms/forms.js';
import type { CaptchaFinding } from '../outcome/captcha.js';
import { isJust, says, words, type Concept } from '../lexicon/words.js';
import { isClosed, isFormThere, NEW_MENUS } from '../outcome/outcome.js';
import { isErrorAnswer, type ErrorFinding } from '../outcome/website-error.js';
import { sentencesOf } from '../outcome/sentences.js';
import { anySays, isLoginCovered, offersUseBeside, withoutButtons, type PageView } from '../page-view.js';
import { placeOf } from '../snapshot.js';
import {
  type ChoiceFinding,
  type ExternalAction,
  type FieldFinding,
  isProven,
  type PageKind,
  type PressTarget,
  type RuleId,
} from '../verdict.js';

/** What was found on the page, before it is decided what the page is. */
export interface Findings {
  readonly view: PageView;
  readonly login: JudgedForm | null;
  readonly loginFields: readonly FieldFinding[];
  readonly code: JudgedForm | null;
  readonly codeFields: readonly FieldFinding[];
  readonly question: JudgedForm | null;
  readonly questionFields: readonly FieldFinding[];
  readonly change: JudgedForm | null;
  readonly signup: JudgedForm | null;
  readonly reset: JudgedForm | null;
  readonly asksForText: boolean;
  readonly captcha: CaptchaFinding | null;
  readonly external: ExternalAction | null;
  /** The same in words that are no phrase of a table. */
  readonly toldAction: ExternalAction | null;
  readonly accounts: readonly ChoiceFinding[];
  readonly consent: readonly ChoiceFinding[];
  readonly methods: readonly ChoiceFinding[];
  readonly sso: readonly ChoiceFinding[];
  readonly ways: readonly ChoiceFinding[];
  readonly identifiers: readonly ChoiceFinding[];
  readonly forks: readonly ChoiceFinding[];
  /** What a box that is laid over a login offers, where nothing clears it away. */
  readonly overlay: readonly ChoiceFinding[];
  readonly dismiss: PressTarget | null;
  readonly firstWays: readonly ChoiceFinding[];
  readonly yes: PressTarget | null;
  readonly hasNo: boolean;
  readonly entry: PressTarget | null;
  /** Ways in for different people. */
  readonly rivals: readonly ChoiceFinding[];
  readonly error: ErrorFinding | null;
  readonly success: readonly RuleId[];
}

export interface KindRule {
  readonly id: RuleId;
  readonly kind: PageKind;
  readonly test: (found: Findings) => boolean;
  /** What the page offers, where it is not what every page of the kind does. */
  readonly offers?: (found: Findings) => readonly ChoiceFinding[];
}

const asks = (fields: readonly FieldFinding[], type: FieldFinding['type']): boolean =>
  fields.some((field) => field.type === type && field.editable);
const told = ({ view }: Findings, ...concepts: readonly Concept[]): boolean => anySays(view, ...concepts);
const headed = ({ view }: Findings, ...concepts: readonly Concept[]): boolean => concepts.some((concept) => says(concept, view.headings));
const sent = ({ view }: Findings, ...kinds: readonly string[]): boolean => view.context.sent.some((kind) => kinds.includes(kind));
const noSignOut = ({ success }: Findings): boolean => !success.includes('success/sign_out');
/** Numbers that are half hidden may be accounts as well; in words of a method, or with a mailbox among them, they are not. */
const isOfNumbers = (found: Findings): boolean =>
  realMethods(found).every(
    ({ rules, maskedDestination }) => rules.includes('method/masked_destination') && maskedDestination?.includes('@') !== true,
  );
const isChooser = (found: Findings): boolean =>
  told(found, 'chooseMethod') ||
  (sent(found, 'password') &&
    (!isOfNumbers(found) || told(found, 'codeSent', 'code') || (headed(found, 'phone', 'call', 'sms') && !told(found, 'chooseAccount'))));
export const realMethods = ({ methods }: Pick<Findings, 'methods'>): readonly ChoiceFinding[] =>
  methods.filter(({ mfaType }) => mfaType !== 'switch');

/** Methods that no page offers but one that asks for a proof: settings that list them come with a way to sign out. */
const isOffered = (found: Findings): boolean => {
  const types = new Set(realMethods(found).map(({ mfaType }) => mfaType));
  return (
    types.size >= 2 &&
    (types.has('totp') || types.has('passkey') || realMethods(found).some(({ rules }) => rules.includes('method/backup_code'))) &&
    noSignOut(found)
  );
};

/** An account or organization is to be chosen before anything else. */
const isPicked = (f: Findings): boolean => !f.asksForText && f.accounts.length > 0 && headed(f, 'chooseAccount', 'chooseOrganization');

/** In the words of the page: a box to tick below an offer of something else may speak of the device as well. */
function asksToStay({ snapshot, ticks }: PageView): boolean {
  const labels = ticks.map(({ control }) => control.label || control.aria || control.neighbour).filter((label) => label !== '');
  const own = labels.reduce((text, label) => text.replaceAll(label, ' '), `${snapshot.headings.join(' ')} ${withoutButtons(snapshot)}`);
  return says('staySignedIn', words(own));
}

const noProof = ({ view }: Findings): boolean => !anySays(view, 'passkey', 'securityKey', 'authenticator', 'mustChange', 'chooseMethod');

/** "Class code", in an application with a way out: none that anybody was sent, or that proves something. */
const isOwnCode = (found: Findings): boolean =>
  found.success.includes('success/sign_out') &&
  !told(found, 'codeSent', 'authenticator', 'oneTimeCode', 'sms', 'resend', 'sendCode') &&
  !headed(found, 'verify', 'code', 'signIn') &&
  found.codeFields.every(({ rules }) => rules.every((rule) => rule !== 'code/autocomplete' && !rule.startsWith('authenticator_code/')));

/** The way in is said to be one. Others, as an account or a connection, are found in every application. */
const saysSignIn = ({ entry }: Findings): boolean => entry?.rules.some((rule) => /^entry\/(sign_in|aria|path|named)/.test(rule)) ?? false;

/** Nothing has been asked for yet, and there is a way in that leads on from here, and no other to choose. */
const isForVisitors = ({ view, asksForText, entry, sso, ways, rivals, accounts }: Findings): boolean =>
  view.context.before === null &&
  view.context.entered !== true &&
  !asksForText &&
  entry?.rules.includes('entry/sign_in_only') === true &&
  entry.rules.includes('entry/header') &&
  sso.length + ways.length + rivals.length + accounts.length === 0 &&
  view.snapshot.controls.every(({ handle, href }) => handle !== entry.handle || href === '' || href !== placeOf(view.snapshot.url));

const isProbablyIn = (f: Findings): boolean =>
  asksNothing(f) && (f.success.includes('success/folded_sign_out') || f.success.includes('success/home'));

const asksNothing = ({ error, login, change, signup, reset }: Findings): boolean =>
  error === null && login === null && change === null && signup === null && reset === null;

/** Shops show codes to scan for their app; a code that signs in says so, and one for an authenticator app is set up, not waited for. */
const isScanLogin = (found: Findings): boolean =>
  found.entry === null &&
  !told(found, 'authenticator') &&
  (sent(found, 'identifier', 'password') || headed(found, 'signIn', 'scanCode') || says('signIn', words(found.view.snapshot.title)));

/** "I agree", "I do not agree": radio buttons that answer a consent. */
const agreesByOption = ({ forks }: Findings): boolean =>
  forks.some(
    ({ rules, label }) =>
      rules.includes('fork/option') && (['accept', 'terms', 'allow'] as const).some((concept) => says(concept, words(label))),
  );

/** "Check your email. Is this still your address?", and the answers to it: nothing has been sent. */
const asksAboutAddress = ({ external, forks, view, view: { snapshot } }: Findings): boolean =>
  external?.kind === 'magic_link' &&
  forks.length >= 2 &&
  forks.some(({ rules }) => rules.includes('fork/puts_off') || rules.includes('fork/goes_on')) &&
  !anySays(view, 'codeSent') &&
  sentencesOf(snapshot.text, snapshot).some((sentence) => /[?？]\s*$/u.test(sentence) && says('email', words(sentence)));

/** The page that follows a wait is about its refusal. */
const isRefused = ({ error }: Findings): boolean => error?.rules.includes('error/refused') ?? false;

/** Some heading or text says that the password has to be another: more than the name of a form for that. */
const isDemanded = ({ view: { snapshot } }: Findings): boolean =>
  [...snapshot.headings, ...snapshot.alerts.map(({ text }) => text)]
    .map(words)
    .some((said) => says('mustChange', said) && !isJust('changePassword', said));

/** A form for another password that nobody demands, on a page with a way out and other things to use, is there for whoever wants one. */
const isOwnSetting = (found: Findings): boolean =>
  found.success.includes('success/sign_out') &&
  !isDemanded(found) &&
  offersUseBeside(found.view, new Set(found.change?.segment.buttons.map(({ control }) => control.handle)));

/** A form that is a step of the way in by this rule. */
export const isQuestion = ({ question, questionFields }: Pick<Findings, 'question' | 'questionFields'>, rule: RuleId): boolean =>
  questionFields.length > 0 && question?.rules.includes(rule) === true;

const SURE_QUESTIONS: readonly RuleId[] = [
  'form/question/words',
  'form/question/tenant',
  'form/question/goes_on',
  'form/question/can_wait',
  'form/question/back',
];

export const isInForm = ({ rules }: ChoiceFinding): boolean => rules.includes('fork/in_form');

/** Says that it helps, or stands in a form of the page's own. */
const isSureFork = ({ rules }: ChoiceFinding): boolean => rules.includes('fork/helps') || rules.includes('fork/in_form');

const asksForNameOnly = ({ loginFields, codeFields }: Findings): boolean =>
  codeFields.length === 0 && loginFields.every(({ type }) => type === 'identifier');

/** The page says so since the name was sent from it, and refuses nothing. */
const isNewlySent = ({ error, view: { snapshot, context } }: Findings): boolean =>
  error === null && snapshot.alerts.some(({ text }) => context.before?.alerts.includes(text) === false && says('linkSent', words(text)));

/** Its button is all there is to sign in with. */
const isPasskeyOnly = ({ ways, entry, sso, view }: Findings): boolean =>
  view.context.before === null &&
  entry === null &&
  sso.length === 0 &&
  ways.length > 0 &&
  ways.every(({ mfaType }) => mfaType === 'passkey');

/** Behind a proof the same, whatever leads back to the start. */
const isPasskeyStep = ({ ways, entry, sso, success, view }: Findings): boolean =>
  view.context.before !== null &&
  success.length === 0 &&
  sso.length === 0 &&
  ways.length > 0 &&
  ways.every(({ mfaType }) => mfaType === 'passkey') &&
  entry?.rules.includes('entry/sign_in_only') !== true;

const leadsBack = ({ entry }: Findings): boolean => entry !== null && says('back', words(entry.label));

/** The way in has begun, and nothing but buttons leads on. */
const isFork = (found: Findings): boolean =>
  found.view.context.before !== null && found.forks.length > 0 && found.success.length === 0 && !found.asksForText && asksNothing(found);

/** The first page says that it is about how to sign in, and nothing but the buttons of its form leads there. */
const isFirstFork = (found: Findings): boolean =>
  found.view.context.before === null &&
  (headed(found, 'chooseMethod') || says('chooseMethod', words(found.view.snapshot.title))) &&
  found.forks.filter(isInForm).length >= 2 &&
  found.success.length === 0 &&
  !found.asksForText &&
  asksNothing(found);

/** Ways in for different people stand beside each other. */
export const SEVERAL_ENTRIES = 'kind/several_entries';
/** Nothing is known of the page but that it is about signing in. */
export const FIRST_WAYS = 'kind/first_ways';
/** Nothing is known of the page but that it is no login any more. */
const LOGIN_CLOSED = 'kind/login_closed';
/** What is believed when nothing better has come. */
export const LAST_RESORTS: ReadonlySet<RuleId> = new Set([FIRST_WAYS, LOGIN_CLOSED]);

/** Read from the top: the first rule that holds names the page. What blocks everything else comes first, what is least certain last. */
export const KIND_RULES: readonly KindRule[] = [
  {
    id: 'kind/in_application',
    kind: 'logged_in',
    test: (f) =>
      f.success.includes(NEW_MENUS) && (f.codeFields.length === 0 || isOwnCode(f)) && !isQuestion(f, 'form/question/words') && !isPicked(f),
  },
  { id: 'kind/captcha_blocks', kind: 'captcha', test: ({ captcha }) => captcha?.blocks === true },
  {
    id: 'kind/totp_setup',
    kind: 'totp_setup',
    test: (f) => (f.codeFields.length > 0 || asks(f.loginFields, 'totp_secret')) && told(f, 'setupKey'),
  },
  {
    id: 'kind/password_change_told',
    kind: 'password_change',
    test: (f) => f.change !== null && f.login === null && (told(f, 'mustChange') || sent(f, 'password')) && !isOwnSetting(f),
  },
  {
    id: 'kind/credentials',
    kind: 'credentials',
    test: ({ loginFields }) => asks(loginFields, 'identifier') && asks(loginFields, 'password'),
  },
  { id: 'kind/password', kind: 'password', test: ({ loginFields }) => asks(loginFields, 'password') },
  { id: 'kind/code', kind: 'code', test: ({ codeFields }) => codeFields.length > 0 },
  // Whatever else a website tells its visitors of.
  { id: 'kind/way_in', kind: 'landing', test: (f) => isForVisitors(f) },
  {
    id: 'kind/account_picker_headed',
    kind: 'account_picker',
    test: (f) => f.accounts.length > 0 && !f.asksForText && headed(f, 'chooseAccount', 'chooseOrganization'),
  },
  {
    id: 'kind/stay_signed_in',
    kind: 'stay_signed_in',
    test: (f) => f.yes !== null && !f.asksForText && (f.hasNo || headed(f, 'staySignedIn')) && asksToStay(f.view),
  },
  {
    id: 'kind/consent',
    kind: 'consent',
    test: (f) =>
      f.consent.length > 0 && !f.asksForText && !agreesByOption(f) && told(f, 'consent') && (f.consent.length > 1 || headed(f, 'consent')),
  },
  // The form that had the link sent may stay, to have it sent again.
  {
    id: 'kind/link_sent',
    kind: 'external_wait',
    test: (f) => f.external?.kind === 'magic_link' && isFormThere(f.view) && isNewlySent(f) && asksForNameOnly(f),
  },
  { id: 'kind/identifier', kind: 'identifier', test: ({ loginFields }) => asks(loginFields, 'identifier') },
  { id: 'kind/identifier_choice', kind: 'method_choice', test: (f) => !f.asksForText && f.identifiers.length > 0 },
  {
    id: 'kind/method_choice_told',
    kind: 'method_choice',
    test: (f) =>
      !f.asksForText && realMethods(f).length >= 1 && told(f, 'chooseMethod') && (f.external === null || realMethods(f).length >= 2),
  },
  {
    id: 'kind/external_wait',
    kind: 'external_wait',
    test: (f) =>
      f.external !== null &&
      !f.asksForText &&
      noSignOut(f) &&
      !isRefused(f) &&
      (f.external.kind !== 'qr' || isScanLogin(f)) &&
      !asksAboutAddress(f),
  },
  {
    id: 'kind/account_picker',
    kind: 'account_picker',
    test: (f) =>
      f.accounts.length > 0 && !f.asksForText && noSignOut(f) && (told(f, 'chooseAccount', 'chooseOrganization') || f.accounts.length >= 2),
  },
  // That somebody is signed in elsewhere is told like a refusal, but it can be gone on from.
  {
    id: 'kind/fork_ends_others',
    kind: 'fork',
    test: (f) =>
      f.view.context.before !== null &&
      f.success.length === 0 &&
      !f.asksForText &&
      f.forks.some(({ rules }) => rules.includes('fork/ends_others')),
  },
  // What was sent is asked for once more: a way out beside it is one to give up.
  { id: 'kind/signed_in', kind: 'logged_in', test: (f) => f.success.includes('success/sign_out') && !isFormThere(f.view) },
  {
    id: 'kind/method_choice',
    kind: 'method_choice',
    test: (f) => !f.asksForText && (isChooser(f) || isOffered(f)) && realMethods(f).length >= 2,
  },
  {
    id: 'kind/external_told',
    kind: 'external_wait',
    test: (f) => f.toldAction !== null && isProven(f.view.context.sent) && f.success.length === 0 && !f.asksForText && asksNothing(f),
  },
  {
    id: 'kind/sso_only',
    kind: 'method_choice',
    test: (f) =>
      !f.asksForText &&
      f.sso.length + f.ways.filter(({ type }) => type !== 'auth_method').length >= 1 &&
      (f.sso.some(({ rules }) => rules.includes('sso/continue_with_known')) || f.sso.length + f.ways.length >= 2 || headed(f, 'signIn')),
  },
  {
    id: 'kind/passkey',
    kind: 'passkey',
    test: (f) =>
      !f.asksForText &&
      ((told(f, 'passkey', 'securityKey') && (f.ways.length > 0 || headed(f, 'passkey', 'securityKey'))) ||
        isPasskeyOnly(f) ||
        isPasskeyStep(f)),
  },
  // A server that asks by a form of its own shows it with its 401, and one that refuses what was sent has asked before.
  {
    id: 'kind/http_auth',
    kind: 'http_auth',
    test: (f) =>
      f.view.snapshot.httpStatus === 401 && f.view.context.before === null && !f.asksForText && f.entry === null && f.forks.length === 0,
  },
  { id: 'kind/question', kind: 'question', test: (f) => asks(f.loginFields, 'text') || SURE_QUESTIONS.some((rule) => isQuestion(f, rule)) },
  { id: 'kind/error_answer', kind: 'error', test: (f) => f.error !== null && !f.asksForText && isErrorAnswer(f.view) },
  { id: 'kind/sign_up', kind: 'sign_up', test: ({ signup, entry }) => signup !== null && entry === null },
  {
    id: 'kind/password_reset',
    kind: 'password_reset',
    test: ({ reset, change, entry }) => (reset !== null || change !== null) && entry === null,
  },
  // The menus around it may lead to the login once more.
  {
    id: 'kind/error_way_around',
    kind: 'error',
    test: (f) => f.error !== null && !f.asksForText && told(f, 'barred') && f.forks.some(isSureFork),
  },
  // The way back to the login stands below many a step.
  { id: 'kind/question_or_back', kind: 'question', test: (f) => isQuestion(f, 'form/question/step') && leadsBack(f) },
  {
    id: 'kind/fork_or_back',
    kind: 'fork',
    test: (f) => isFork(f) && (leadsBack(f) || f.forks.every(({ rules }) => rules.includes('fork/in_form'))),
  },
  { id: 'kind/refused', kind: 'error', test: (f) => isRefused(f) && !f.asksForText },
  // Whatever is sent again, the account stays closed.
  {
    id: 'kind/locked_out',
    kind: 'error',
    test: (f) => f.error !== null && !f.asksForText && f.view.context.before !== null && told(f, 'lockedOut'),
  },
  { id: 'kind/first_fork', kind: 'fork', test: isFirstFork, offers: ({ forks }) => forks.filter(isInForm) },
  {
    id: 'kind/over_form',
    kind: 'fork',
    test: (f) => f.overlay.length > 0 && !f.asksForText && f.success.length === 0,
    offers: ({ overlay }) => overlay,
  },
  {
    id: SEVERAL_ENTRIES,
    kind: 'fork',
    test: (f) => f.rivals.length > 0 && !f.asksForText && noSignOut(f) && f.error === null,
    offers: ({ rivals }) => rivals,
  },
  { id: 'kind/landing', kind: 'landing', test: (f) => saysSignIn(f) || (f.entry !== null && !isProbablyIn(f)) },
  // A menu that is not open offers to sign out, and nothing on the page asks who is there.
  {
    id: 'kind/signed_in_folded',
    kind: 'logged_in',
    test: (f) => f.success.includes('success/folded_sign_out') && f.login === null && f.captcha === null && f.error === null && noProof(f),
  },
  { id: 'kind/captcha_told', kind: 'captcha', test: ({ captcha, asksForText }) => captcha !== null && !asksForText },
  {
    id: 'kind/landed',
    kind: 'logged_in',
    test: (f) =>
      (isProven(f.view.context.sent) || sent(f, 'choice')) &&
      !f.asksForText &&
      !isLoginCovered(f.view) &&
      f.error === null &&
      f.success.length > 0 &&
      f.view.snapshot.text.length > 0,
  },
  // An application may open with a form of its own.
  { id: 'kind/login_gone', kind: 'logged_in', test: (f) => f.success.includes('success/login_gone') && asksNothing(f) },
  { id: 'kind/home', kind: 'logged_in', test: (f) => f.success.includes('success/home') && asksNothing(f) },
  { id: 'kind/question_only', kind: 'question', test: (f) => isQuestion(f, 'form/question/step') },
  { id: 'kind/fork', kind: 'fork', test: isFork },
  { id: 'kind/error', kind: 'error', test: ({ error }) => error !== null },
  {
    id: FIRST_WAYS,
    kind: 'fork',
    test: (f) => f.firstWays.length > 0 && !f.asksForText && f.success.length === 0,
    offers: ({ firstWays }) => firstWays,
  },
  { id: LOGIN_CLOSED, kind: 'logged_in', test: (f) => isClosed(f.view) && asksNothing(f) && f.captcha === null },
];
