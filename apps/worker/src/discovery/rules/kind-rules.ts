import { isClosed, NEW_MENUS } from '../outcome/application.js';
import { isErrorAnswer } from '../outcome/refusal.js';
import { isFormThere } from '../outcome/steps.js';
import { isLoginCovered } from '../page-view.js';
import { type ChoiceFinding, isProven, type PageKind, type RuleId } from '../verdict.js';
import {
  agreesByOption,
  asks,
  asksAboutAddress,
  asksForNameOnly,
  asksNothing,
  asksToStay,
  type Findings,
  headed,
  isChooser,
  isFirstFork,
  isFork,
  isForVisitors,
  isInForm,
  isNewlySent,
  isOffered,
  isOwnCode,
  isOwnSetting,
  isPasskeyOnly,
  isPasskeyStep,
  isPicked,
  isProbablyIn,
  isQuestion,
  isRefused,
  isScanLogin,
  isSureFork,
  leadsBack,
  noProof,
  noSignOut,
  realMethods,
  saysSignIn,
  sent,
  SURE_QUESTIONS,
  told,
} from './kind-facts.js';

export interface KindRule {
  readonly id: RuleId;
  readonly kind: PageKind;
  readonly test: (found: Findings) => boolean;
  /** What the page offers, where it is not what every page of the kind does. */
  readonly offers?: (found: Findings) => readonly ChoiceFinding[];
}

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
