import type { JudgedForm } from '../forms.js';
import type { CaptchaFinding } from '../captcha.js';
import { says, words, type Concept } from '../lexicon/words.js';
import { isErrorAnswer, type ErrorFinding } from '../outcome.js';
import { anySays, type PageView } from '../page-view.js';
import type { ChoiceFinding, ExternalAction, FieldFinding, PageKind, PressTarget, RuleId } from '../verdict.js';

/** What was found on the page, before it is decided what the page is. */
export interface Findings {
  readonly view: PageView;
  readonly login: JudgedForm | null;
  readonly loginFields: readonly FieldFinding[];
  readonly code: JudgedForm | null;
  readonly codeFields: readonly FieldFinding[];
  readonly change: JudgedForm | null;
  readonly signup: JudgedForm | null;
  readonly reset: JudgedForm | null;
  readonly asksForText: boolean;
  readonly captcha: CaptchaFinding | null;
  readonly external: ExternalAction | null;
  readonly accounts: readonly ChoiceFinding[];
  readonly consent: readonly ChoiceFinding[];
  readonly methods: readonly ChoiceFinding[];
  readonly sso: readonly ChoiceFinding[];
  readonly ways: readonly ChoiceFinding[];
  readonly identifiers: readonly ChoiceFinding[];
  readonly yes: PressTarget | null;
  readonly hasNo: boolean;
  readonly entry: PressTarget | null;
  readonly error: ErrorFinding | null;
  readonly success: readonly RuleId[];
}

export interface KindRule {
  readonly id: RuleId;
  readonly kind: PageKind;
  readonly test: (found: Findings) => boolean;
}

const asks = (fields: readonly FieldFinding[], type: FieldFinding['type']): boolean =>
  fields.some((field) => field.type === type && field.editable);
const told = ({ view }: Findings, ...concepts: readonly Concept[]): boolean => anySays(view, ...concepts);
const headed = ({ view }: Findings, ...concepts: readonly Concept[]): boolean => concepts.some((concept) => says(concept, view.headings));
const sent = ({ view }: Findings, ...kinds: readonly string[]): boolean => view.context.sent.some((kind) => kinds.includes(kind));
const noSignOut = ({ success }: Findings): boolean => !success.includes('success/sign_out');
const isChooser = (found: Findings): boolean => told(found, 'chooseMethod') || sent(found, 'password');
const realMethods = ({ methods }: Findings): readonly ChoiceFinding[] => methods.filter(({ mfaType }) => mfaType !== 'switch');

/** Methods that no page offers but one that asks for a proof: settings that list them come with a way to sign out. */
const isOffered = (found: Findings): boolean => {
  const types = new Set(realMethods(found).map(({ mfaType }) => mfaType));
  return (
    types.size >= 2 &&
    (types.has('totp') || types.has('passkey') || realMethods(found).some(({ rules }) => rules.includes('method/backup_code'))) &&
    noSignOut(found)
  );
};

const noProof = ({ view }: Findings): boolean => !anySays(view, 'passkey', 'securityKey', 'authenticator', 'mustChange', 'chooseMethod');

/** Shops show codes to scan for their app; a code that signs in says so, and one for an authenticator app is set up, not waited for. */
const isScanLogin = (found: Findings): boolean =>
  found.entry === null &&
  !told(found, 'authenticator') &&
  (sent(found, 'identifier', 'password') || headed(found, 'signIn', 'scanCode') || says('signIn', words(found.view.snapshot.title)));

/** Read from the top: the first rule that holds names the page. What blocks everything else comes first, what is least certain last. */
export const KIND_RULES: readonly KindRule[] = [
  { id: 'kind/captcha_blocks', kind: 'captcha', test: ({ captcha }) => captcha?.blocks === true },
  {
    id: 'kind/totp_setup',
    kind: 'totp_setup',
    test: (f) => (f.codeFields.length > 0 || asks(f.loginFields, 'totp_secret')) && told(f, 'setupKey'),
  },
  {
    id: 'kind/password_change_told',
    kind: 'password_change',
    test: (f) => f.change !== null && f.login === null && (told(f, 'mustChange') || sent(f, 'password')),
  },
  {
    id: 'kind/credentials',
    kind: 'credentials',
    test: ({ loginFields }) => asks(loginFields, 'identifier') && asks(loginFields, 'password'),
  },
  { id: 'kind/password', kind: 'password', test: ({ loginFields }) => asks(loginFields, 'password') },
  { id: 'kind/code', kind: 'code', test: ({ codeFields }) => codeFields.length > 0 },
  {
    id: 'kind/account_picker_headed',
    kind: 'account_picker',
    test: (f) => f.accounts.length > 0 && !f.asksForText && headed(f, 'chooseAccount', 'chooseOrganization'),
  },
  {
    id: 'kind/stay_signed_in',
    kind: 'stay_signed_in',
    test: (f) => f.yes !== null && !f.asksForText && (f.hasNo || headed(f, 'staySignedIn')) && told(f, 'staySignedIn'),
  },
  {
    id: 'kind/consent',
    kind: 'consent',
    test: (f) => f.consent.length > 0 && !f.asksForText && told(f, 'consent') && (f.consent.length > 1 || headed(f, 'consent')),
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
    test: (f) => f.external !== null && !f.asksForText && noSignOut(f) && (f.external.kind !== 'qr' || isScanLogin(f)),
  },
  {
    id: 'kind/account_picker',
    kind: 'account_picker',
    test: (f) =>
      f.accounts.length > 0 && !f.asksForText && noSignOut(f) && (told(f, 'chooseAccount', 'chooseOrganization') || f.accounts.length >= 2),
  },
  { id: 'kind/signed_in', kind: 'logged_in', test: (f) => f.success.includes('success/sign_out') },
  {
    id: 'kind/method_choice',
    kind: 'method_choice',
    test: (f) => !f.asksForText && (isChooser(f) || isOffered(f)) && realMethods(f).length >= 2,
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
    test: (f) => !f.asksForText && told(f, 'passkey', 'securityKey') && (f.ways.length > 0 || headed(f, 'passkey', 'securityKey')),
  },
  { id: 'kind/question', kind: 'question', test: ({ loginFields }) => asks(loginFields, 'text') },
  { id: 'kind/error_answer', kind: 'error', test: (f) => f.error !== null && !f.asksForText && isErrorAnswer(f.view) },
  { id: 'kind/sign_up', kind: 'sign_up', test: ({ signup, entry }) => signup !== null && entry === null },
  {
    id: 'kind/password_reset',
    kind: 'password_reset',
    test: ({ reset, change, entry }) => (reset !== null || change !== null) && entry === null,
  },
  { id: 'kind/landing', kind: 'landing', test: ({ entry }) => entry !== null },
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
      sent(f, 'password', 'code', 'totp_code', 'sso', 'external', 'choice') &&
      !f.asksForText &&
      f.error === null &&
      f.success.length > 0 &&
      f.view.snapshot.text.length > 0,
  },
  // An application may open with a form of its own.
  {
    id: 'kind/login_gone',
    kind: 'logged_in',
    test: (f) =>
      f.error === null &&
      f.success.includes('success/login_gone') &&
      f.login === null &&
      f.change === null &&
      f.signup === null &&
      f.reset === null,
  },
  { id: 'kind/error', kind: 'error', test: ({ error }) => error !== null },
];
