import type { JudgedForm } from '../forms/forms.js';
import { type Concept, isJust, says, words } from '../lexicon/words.js';
import type { CaptchaFinding } from '../outcome/captcha.js';
import type { ErrorFinding } from '../outcome/refusal.js';
import { sentencesOf } from '../outcome/sentences.js';
import { anySays, type PageView, withoutButtons } from '../page-view.js';
import { placeOf } from '../snapshot.js';
import type { ChoiceFinding, ExternalAction, FieldFinding, PressTarget, RuleId } from '../verdict.js';
import { offersUseBeside } from '../work.js';

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

export const asks = (fields: readonly FieldFinding[], type: FieldFinding['type']): boolean =>
  fields.some((field) => field.type === type && field.editable);

export const told = ({ view }: Findings, ...concepts: readonly Concept[]): boolean => anySays(view, ...concepts);

export const headed = ({ view }: Findings, ...concepts: readonly Concept[]): boolean =>
  concepts.some((concept) => says(concept, view.headings));

export const sent = ({ view }: Findings, ...kinds: readonly string[]): boolean => view.context.sent.some((kind) => kinds.includes(kind));

export const noSignOut = ({ success }: Findings): boolean => !success.includes('success/sign_out');

/** Numbers that are half hidden may be accounts as well; in words of a method, or with a mailbox among them, they are not. */
const isOfNumbers = (found: Findings): boolean =>
  realMethods(found).every(
    ({ rules, maskedDestination }) => rules.includes('method/masked_destination') && maskedDestination?.includes('@') !== true,
  );

export const isChooser = (found: Findings): boolean =>
  told(found, 'chooseMethod') ||
  (sent(found, 'password') &&
    (!isOfNumbers(found) || told(found, 'codeSent', 'code') || (headed(found, 'phone', 'call', 'sms') && !told(found, 'chooseAccount'))));

export const realMethods = ({ methods }: Pick<Findings, 'methods'>): readonly ChoiceFinding[] =>
  methods.filter(({ mfaType }) => mfaType !== 'switch');

/** Methods that no page offers but one that asks for a proof: settings that list them come with a way to sign out. */
export const isOffered = (found: Findings): boolean => {
  const types = new Set(realMethods(found).map(({ mfaType }) => mfaType));
  return (
    types.size >= 2 &&
    (types.has('totp') || types.has('passkey') || realMethods(found).some(({ rules }) => rules.includes('method/backup_code'))) &&
    noSignOut(found)
  );
};

/** An account or organization is to be chosen before anything else. */
export const isPicked = (f: Findings): boolean =>
  !f.asksForText && f.accounts.length > 0 && headed(f, 'chooseAccount', 'chooseOrganization', 'chooseBranch');

/** In the words of the page: a box to tick below an offer of something else may speak of the device as well. */
export function asksToStay({ snapshot, ticks }: PageView): boolean {
  const labels = ticks.map(({ control }) => control.label || control.aria || control.neighbour).filter((label) => label !== '');
  const own = labels.reduce((text, label) => text.replaceAll(label, ' '), `${snapshot.headings.join(' ')} ${withoutButtons(snapshot)}`);
  return says('staySignedIn', words(own));
}

export const noProof = ({ view }: Findings): boolean =>
  !anySays(view, 'passkey', 'securityKey', 'authenticator', 'mustChange', 'chooseMethod');

/** "Class code", in an application with a way out: none that anybody was sent, or that proves something. */
export const isOwnCode = (found: Findings): boolean =>
  found.success.includes('success/sign_out') &&
  !told(found, 'codeSent', 'authenticator', 'oneTimeCode', 'sms', 'resend', 'sendCode') &&
  !headed(found, 'verify', 'code', 'signIn', 'securityCheck') &&
  found.codeFields.every(
    ({ label, rules }) =>
      !(['code', 'pin', 'password', 'oneTimeCode'] as const).some((concept) => isJust(concept, words(label))) &&
      rules.every((rule) => rule !== 'code/autocomplete' && !rule.startsWith('authenticator_code/')),
  );

/** The way in is said to be one. Others, as an account or a connection, are found in every application. */
export const saysSignIn = ({ entry }: Findings): boolean =>
  entry?.rules.some((rule) => /^entry\/(sign_in|aria|path|named)/.test(rule)) ?? false;

/** Nothing has been asked for yet, and there is a way in that leads on from here, and no other to choose. */
export const isForVisitors = ({ view, asksForText, entry, sso, ways, rivals, accounts, success }: Findings): boolean =>
  view.context.before === null &&
  view.context.entered !== true &&
  !success.includes('success/sign_out') &&
  !asksForText &&
  entry?.rules.includes('entry/sign_in_only') === true &&
  entry.rules.includes('entry/header') &&
  sso.length + ways.length + rivals.length + accounts.length === 0 &&
  view.snapshot.controls.every(({ handle, href }) => handle !== entry.handle || href === '' || href !== placeOf(view.snapshot.url));

export const isProbablyIn = (f: Findings): boolean =>
  asksNothing(f) && (f.success.includes('success/folded_sign_out') || f.success.includes('success/home'));

export const asksNothing = ({ error, login, change, signup, reset }: Findings): boolean =>
  error === null && login === null && change === null && signup === null && reset === null;

/** Shops show codes to scan for their app; a code that signs in says so, and one for an authenticator app is set up, not waited for. */
export const isScanLogin = (found: Findings): boolean =>
  found.entry === null &&
  !told(found, 'authenticator') &&
  (sent(found, 'identifier', 'password') || headed(found, 'signIn', 'scanCode') || says('signIn', words(found.view.snapshot.title)));

/** "I agree", "I do not agree": radio buttons that answer a consent. */
export const agreesByOption = ({ forks }: Findings): boolean =>
  forks.some(
    ({ rules, label }) =>
      rules.includes('fork/option') && (['accept', 'terms', 'allow'] as const).some((concept) => says(concept, words(label))),
  );

/** "Check your email. Is this still your address?", and the answers to it: nothing has been sent. */
export const asksAboutAddress = ({ external, forks, view, view: { snapshot } }: Findings): boolean =>
  external?.kind === 'magic_link' &&
  forks.length >= 2 &&
  forks.some(({ rules }) => rules.includes('fork/puts_off') || rules.includes('fork/goes_on')) &&
  !anySays(view, 'codeSent') &&
  sentencesOf(snapshot.text, snapshot).some((sentence) => /[?？]\s*$/u.test(sentence) && says('email', words(sentence)));

/** The page that follows a wait is about its refusal. */
export const isRefused = ({ error }: Findings): boolean => error?.rules.includes('error/refused') ?? false;

/** Some heading or text says that the password has to be another: more than the name of a form for that. */
const isDemanded = ({ view: { snapshot } }: Findings): boolean =>
  [...snapshot.headings, ...snapshot.alerts.map(({ text }) => text)]
    .map(words)
    .some((said) => says('mustChange', said) && !isJust('changePassword', said));

/** A form for another password that nobody demands, on a page with a way out and other things to use, is there for whoever wants one. */
export const isOwnSetting = (found: Findings): boolean =>
  found.success.includes('success/sign_out') &&
  !isDemanded(found) &&
  offersUseBeside(found.view, new Set(found.change?.segment.buttons.map(({ control }) => control.handle)));

/** A form that is a step of the way in by this rule. */
export const isQuestion = ({ question, questionFields }: Pick<Findings, 'question' | 'questionFields'>, rule: RuleId): boolean =>
  questionFields.length > 0 && question?.rules.includes(rule) === true;

export const SURE_QUESTIONS: readonly RuleId[] = [
  'form/question/words',
  'form/question/tenant',
  'form/question/goes_on',
  'form/question/can_wait',
  'form/question/back',
];

export const isInForm = ({ rules }: ChoiceFinding): boolean => rules.includes('fork/in_form');

/** Says that it helps, or stands in a form of the page's own. */
export const isSureFork = ({ rules }: ChoiceFinding): boolean => rules.includes('fork/helps') || rules.includes('fork/in_form');

export const asksForNameOnly = ({ loginFields, codeFields }: Findings): boolean =>
  codeFields.length === 0 && loginFields.every(({ type }) => type === 'identifier');

/** The page says so since the name was sent from it, and refuses nothing. */
export const isNewlySent = ({ error, view: { snapshot, context } }: Findings): boolean =>
  error === null && snapshot.alerts.some(({ text }) => context.before?.alerts.includes(text) === false && says('linkSent', words(text)));

/** Its button is all there is to sign in with. */
export const isPasskeyOnly = ({ ways, entry, sso, view }: Findings): boolean =>
  view.context.before === null &&
  entry === null &&
  sso.length === 0 &&
  ways.length > 0 &&
  ways.every(({ mfaType }) => mfaType === 'passkey');

/** Behind a proof the same, whatever leads back to the start. */
export const isPasskeyStep = ({ ways, entry, sso, success, view }: Findings): boolean =>
  view.context.before !== null &&
  success.length === 0 &&
  sso.length === 0 &&
  ways.length > 0 &&
  ways.every(({ mfaType }) => mfaType === 'passkey') &&
  entry?.rules.includes('entry/sign_in_only') !== true;

export const leadsBack = ({ entry }: Findings): boolean => entry !== null && says('back', words(entry.label));

/** The way in has begun, and nothing but buttons leads on. */
export const isFork = (found: Findings): boolean =>
  found.view.context.before !== null && found.forks.length > 0 && found.success.length === 0 && !found.asksForText && asksNothing(found);

/** The first page says that it is about how to sign in, and nothing but the buttons of its form leads there. */
export const isFirstFork = (found: Findings): boolean =>
  found.view.context.before === null &&
  (headed(found, 'chooseMethod') || says('chooseMethod', words(found.view.snapshot.title))) &&
  found.forks.filter(isInForm).length >= 2 &&
  found.success.length === 0 &&
  !found.asksForText &&
  asksNothing(found);
