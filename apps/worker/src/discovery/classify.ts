import { accountChoices } from './choices/accounts.js';
import { agreementOf } from './choices/agreements.js';
import { choice, distinct, isAfterProof } from './choices/choice.js';
import { consentChoices } from './choices/consent.js';
import { firstWays, forkChoices, overlayChoices, waysToAskAgain, waysToHaveSent, waysToPutOff } from './choices/forks.js';
import { methodChoices } from './choices/methods.js';
import { isOnlyOffered, rowOffer } from './choices/offers.js';
import { identifierChoices, signInChoices, waysBesideProviders } from './choices/sign-in-ways.js';
import { ssoChoices } from './choices/sso.js';
import { demandsBlanks, findDismiss, findEntry, findRetry, findYes, hasNo, rivalEntries } from './choices/ways-in.js';
import { findFields } from './fields/fields.js';
import { destinationIn } from './fields/masked.js';
import { stageOf } from './fields/requested-codes.js';
import type { JudgedForm } from './forms/forms.js';
import { says, words } from './lexicon/words.js';
import { isOwnFailure, NEW_MENUS } from './outcome/application.js';
import { findCaptcha } from './outcome/captcha.js';
import { findExternalAction, findToldAction } from './outcome/external-action.js';
import { LOGIN_REFUSED, turnedAway } from './outcome/headed-error.js';
import { type ErrorFinding, isErrorAnswer, isLeftOver, isLockedOut, saysWrong } from './outcome/refusal.js';
import { isSlight, successEvidence } from './outcome/success.js';
import { demandOf, findError } from './outcome/website-error.js';
import { anySays, asksForText, bestForm, type PageView, pressTarget, viewOf } from './page-view.js';
import type { Findings } from './rules/kind-facts.js';
import { KIND_RULES } from './rules/kind-rules.js';
import { isUnfinished } from './rules/unfinished.js';
import type { PageSnapshot } from './snapshot.js';
import { findSubmit } from './submit.js';
import type { ChoiceFinding, FieldFinding, PageContext, PageKind, PressTarget, Verdict } from './verdict.js';

/** What a page is and what it asks for. Pure: the same snapshot and context give the same verdict. */
export function classifyPage(snapshot: PageSnapshot, context: PageContext): Verdict {
  const view = viewOf(snapshot, context);
  const found = findingsOf(view);
  const rule = KIND_RULES.find(({ test }) => test(found));
  const read = rule?.kind ?? 'unknown';
  const form = formOf(read, found);
  const all = fieldsOf(read, found);
  const stage = form === null ? null : stageOf(view, form, all, found.error);
  const { kind, fields } = stage ?? { kind: read, fields: all };
  const error = found.error ?? (kind === 'password_change' && context.before !== null ? demandOf(view) : null);
  const offered = rule?.offers?.(found) ?? choicesOf(kind, found);
  const submit = stage?.submit ?? submitOf(read, found, form, fields, offered);
  return {
    kind,
    rules: [
      ...(rule ? [rule.id] : []),
      ...(stage ? [stage.id] : []),
      ...(form?.rules ?? []),
      ...(kind === 'captcha' ? (found.captcha?.rules ?? []) : []),
    ],
    fields: fields.map((field) => (repeats(view, found.error, field.hint) ? { ...field, hint: null } : field)),
    // What sends the fields is no way beside them, whatever it says.
    choices: offered.filter(({ action }) => action.kind !== 'press' || action.handle !== submit?.handle),
    submit,
    agreement: form !== null && fields.length > 0 ? agreementOf(view, form) : null,
    error: error?.text ?? null,
    errorIsNew: error?.isNew ?? false,
    lockedOut: error !== null && isLockedOut(error.text),
    refusal: error !== null && (snapshot.httpStatus ?? 0) < 500 && saysWrong(error.text),
    expired: error !== null && says('expired', words(error.text)) && !says('wrong', words(error.text)) && !says('code', words(error.text)),
    outage: error !== null && says('outage', words(error.text)) && !says('wrong', words(error.text)),
    externalAction: kind === 'external_wait' ? (found.external ?? found.toldAction) : null,
    entry: found.entry,
    retry: kind === 'error' && view.context.before !== null ? findRetry(view) : null,
    dismiss: found.dismiss,
    captcha: found.captcha !== null,
    success: found.success,
    slight: isSlight(view, found.success, found.forks.length > 0 || found.toldAction !== null),
    labels: [...view.labels.values()],
  };
}

/** Some websites describe a box by what they refuse about it, or by the heading above it; where a code has gone is no heading only. */
function repeats({ snapshot: { headings } }: PageView, error: ErrorFinding | null, hint: string | null): boolean {
  if (hint === null || destinationIn(hint) !== null) return false;
  const said = [...headings, ...(error === null ? [] : [error.text])];
  return error?.text.startsWith(hint) === true || said.reduce((rest, text) => rest.replace(text, ''), hint).trim() === '';
}

function findingsOf(view: PageView): Findings {
  const [login, code, question] = [bestForm(view, 'login'), bestForm(view, 'code'), bestForm(view, 'question')];
  const loginFields = login ? findFields(view, login) : [];
  const codeFields = code ? findFields(view, code) : [];
  const text = asksForText(view);
  const questionFields = question ? findFields(view, question) : [];
  const entry = findEntry(view);
  const forks = forkChoices(view);
  // A form of something else may stand beside the login.
  const asked = loginFields.length + codeFields.length > 0 ? [...loginFields, ...codeFields] : questionFields;
  const told = findError(view, asked) ?? (entry !== null && forks.length === 0 ? turnedAway(view) : null);
  const error = told !== null && (isOwnFailure(view, told) || isLeftOver(view, told, asked) || isOnlyOffered(view, told)) ? null : told;
  const dismiss = findDismiss(view, error);
  const found: Omit<Findings, 'success'> = {
    view,
    login,
    loginFields,
    code,
    codeFields,
    question,
    questionFields,
    change: bestForm(view, 'change'),
    signup: bestForm(view, 'signup'),
    reset: bestForm(view, 'reset'),
    asksForText: text,
    captcha: findCaptcha(view, text),
    external: findExternalAction(view),
    toldAction: view.context.before === null ? null : findToldAction(view),
    accounts: accountChoices(view),
    consent: consentChoices(view),
    methods: methodChoices(view, !text && anySays(view, 'chooseMethod')),
    sso: ssoChoices(view),
    ways: signInChoices(view, loginFields),
    identifiers: identifierChoices(view),
    forks,
    firstWays: firstWays(view),
    dismiss,
    overlay: dismiss === null ? overlayChoices(view) : [],
    yes: findYes(view),
    hasNo: hasNo(view),
    entry,
    rivals: rivalEntries(view).map((button) => choice(view, rowOffer(button), 'sign_in_method', ['entry/one_of_several'])),
    error,
  };
  const isRefused = error?.rules.includes(LOGIN_REFUSED) === true;
  const success = (isRefused ? [] : successEvidence(view, error)).filter((rule) => rule === 'success/sign_out' || !demandsBlanks(view));
  return { ...found, success: isUnfinished(found) ? success.filter((rule) => rule === NEW_MENUS) : success };
}

const LOGIN_KINDS: readonly PageKind[] = ['identifier', 'password', 'credentials'];

function formOf(kind: PageKind, { login, code, question, change, signup, reset }: Findings): JudgedForm | null {
  if (LOGIN_KINDS.includes(kind)) return login;
  const forms: Partial<Record<PageKind, JudgedForm | null>> = {
    code,
    question: question ?? login,
    totp_setup: code ?? login,
    password_change: change,
    sign_up: signup,
    password_reset: reset ?? change,
  };
  return forms[kind] ?? null;
}

function fieldsOf(kind: PageKind, { loginFields, codeFields, questionFields }: Findings): readonly FieldFinding[] {
  if (LOGIN_KINDS.includes(kind)) return loginFields;
  if (kind === 'question') return questionFields.length > 0 ? questionFields : loginFields;
  if (kind === 'totp_setup') return codeFields.length > 0 ? codeFields : loginFields;
  return kind === 'code' ? codeFields : [];
}

function choicesOf(kind: PageKind, found: Findings): readonly ChoiceFinding[] {
  const { accounts, consent, forks, identifiers, methods, sso, ways } = found;
  const isSwitch = ({ mfaType }: ChoiceFinding): boolean => mfaType === 'switch';
  switch (kind) {
    case 'identifier':
    case 'credentials':
      return [...sso, ...ways];
    case 'question':
      return [...sso, ...ways, ...waysToPutOff(found.view)];
    case 'password':
      return ways;
    case 'code':
    case 'totp_setup':
    case 'external_wait':
      return [
        ...(kind === 'external_wait'
          ? forks.filter(({ rules, label }) => rules.includes('fork/puts_off') || says('next', words(label)))
          : []),
        ...(found.loginFields.length === 0 ? waysToHaveSent(found.view) : []),
        ...methods,
        ...ways.filter((way) => isSwitch(way) && !methods.some(({ label }) => label === way.label)),
      ];
    case 'method_choice':
      if (identifiers.length > 0) return [...sso, ...identifiers];
      return methods.some((method) => !isSwitch(method)) && (sso.length === 0 || isAfterProof(found.view))
        ? [...methods, ...waysToPutOff(found.view)]
        : [...sso, ...ways, ...waysBesideProviders(found.view, [...sso, ...ways])];
    case 'account_picker':
      return accounts;
    case 'consent':
      return consent;
    case 'fork':
      return forks;
    case 'error':
      return waysOnFromError(found);
    case 'passkey':
      return waysAroundPasskey(found);
    case 'password_change':
      return waysToPutOff(found.view);
    case 'captcha':
    case 'stay_signed_in':
    case 'http_auth':
    case 'sign_up':
    case 'password_reset':
    case 'landing':
    case 'logged_in':
    case 'unknown':
      return [];
  }
}

/** Other ways to sign in; a page that offers to set a passkey up, once something has been sent, can be put off. */
function waysAroundPasskey({ view, ways, forks }: Findings): readonly ChoiceFinding[] {
  const others = ways.filter(({ mfaType }) => mfaType !== 'passkey');
  if (others.length > 0 || view.context.before === null) return others;
  const later = forks.filter(({ rules }) => rules.includes('fork/puts_off'));
  return later.length > 0 ? later : forks.filter(({ label }) => !says('passkey', words(label)) && !says('securityKey', words(label)));
}

/** A page that bars the way for now may offer one around; one that only tells of a failure must say that what it offers helps. */
function waysOnFromError({ view, forks, error, asksForText: asks }: Findings): readonly ChoiceFinding[] {
  if (asks || view.context.before === null || isErrorAnswer(view)) return [];
  if (error?.rules.includes('error/refused')) return distinct([...waysToAskAgain(view), ...forks]);
  return anySays(view, 'barred') ? forks : forks.filter(({ rules }) => rules.includes('fork/helps') || rules.includes('choice/agrees'));
}

/** Of these a choice may be one that only marks what is meant. */
const CHOOSERS: readonly PageKind[] = ['method_choice', 'account_picker', 'fork', 'error'];

function submitOf(
  kind: PageKind,
  { view, yes }: Findings,
  form: JudgedForm | null,
  fields: readonly FieldFinding[],
  offered: readonly ChoiceFinding[],
): PressTarget | null {
  if (kind === 'stay_signed_in') return yes;
  if (CHOOSERS.includes(kind)) return confirmOf(view, offered);
  if (!form || fields.length === 0) return null;
  const submit = findSubmit(
    view.snapshot,
    form,
    view.forms,
    fields.flatMap(({ handles }) => handles),
  );
  return submit ? pressTarget(view, submit.button.control, submit.rules) : null;
}

/** Radio buttons and lists are sent by a button of their own form. */
function confirmOf(view: PageView, offered: readonly ChoiceFinding[]): PressTarget | null {
  const marked = new Set(offered.flatMap(({ action }) => (action.kind === 'press' ? [] : [action.handle])));
  // Several buttons answer what the list beside them is set to.
  if (marked.size === 0 && offered.length > 1) return null;
  const lists = [...view.ticks.filter(({ control }) => control.type === 'radio' || control.role === 'radio'), ...view.selects];
  const options = view.pressables.filter(({ control }) => marked.has(control.handle));
  const list = [...lists, ...options].find(({ control }) => marked.has(control.handle)) ?? lists[0];
  const form = list
    ? view.forms.find(({ segment }) => [segment.ticks, segment.boxes, segment.buttons].some((of) => of.includes(list)))
    : undefined;
  if (!list || !form) return null;
  const submit = findSubmit(view.snapshot, form, view.forms, [list.control.handle]);
  return submit ? pressTarget(view, submit.button.control, submit.rules) : null;
}
