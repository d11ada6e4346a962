import { findCaptcha } from './captcha.js';
import { accountChoices, consentChoices, identifierChoices, methodChoices, signInChoices, ssoChoices } from './choices.js';
import { findFields } from './fields.js';
import type { JudgedForm } from './forms.js';
import { findError, findExternalAction, successEvidence } from './outcome.js';
import { anySays, asksForText, bestForm, pressTarget, viewOf, type PageView } from './page-view.js';
import { KIND_RULES, type Findings } from './rules/kind-rules.js';
import type { PageSnapshot } from './snapshot.js';
import { findSubmit } from './submit.js';
import type { ChoiceFinding, FieldFinding, PageContext, PageKind, PressTarget, Verdict } from './verdict.js';
import { findDismiss, findEntry, findYes, hasNo } from './ways-in.js';

/** What a page is and what it asks for. Pure: the same snapshot and context give the same verdict. */
export function classifyPage(snapshot: PageSnapshot, context: PageContext): Verdict {
  const view = viewOf(snapshot, context);
  const found = findingsOf(view);
  const rule = KIND_RULES.find(({ test }) => test(found));
  const kind = rule?.kind ?? 'unknown';
  const form = formOf(kind, found);
  const fields = fieldsOf(kind, found);
  return {
    kind,
    rules: [...(rule ? [rule.id] : []), ...(form?.rules ?? []), ...(kind === 'captcha' ? (found.captcha?.rules ?? []) : [])],
    fields,
    choices: choicesOf(kind, found),
    submit: submitOf(kind, found, form, fields),
    error: found.error?.text ?? null,
    errorIsNew: found.error?.isNew ?? false,
    externalAction: kind === 'external_wait' ? found.external : null,
    entry: found.entry,
    dismiss: findDismiss(view, found.error),
    captcha: found.captcha !== null,
    success: found.success,
    labels: [...view.labels.values()],
  };
}

function findingsOf(view: PageView): Findings {
  const [login, code] = [bestForm(view, 'login'), bestForm(view, 'code')];
  const loginFields = login ? findFields(view, login) : [];
  const text = asksForText(view);
  const error = findError(view);
  return {
    view,
    login,
    loginFields,
    code,
    codeFields: code ? findFields(view, code) : [],
    change: bestForm(view, 'change'),
    signup: bestForm(view, 'signup'),
    reset: bestForm(view, 'reset'),
    asksForText: text,
    captcha: findCaptcha(view, text),
    external: findExternalAction(view),
    accounts: accountChoices(view),
    consent: consentChoices(view),
    methods: methodChoices(view, !text && anySays(view, 'chooseMethod')),
    sso: ssoChoices(view),
    ways: signInChoices(
      view,
      loginFields.some(({ type }) => type === 'identifier'),
    ),
    identifiers: identifierChoices(view),
    yes: findYes(view),
    hasNo: hasNo(view),
    entry: findEntry(view),
    error,
    success: successEvidence(view, error),
  };
}

const LOGIN_KINDS: readonly PageKind[] = ['identifier', 'password', 'credentials', 'question'];

function formOf(kind: PageKind, { login, code, change, signup, reset }: Findings): JudgedForm | null {
  if (LOGIN_KINDS.includes(kind)) return login;
  const forms: Partial<Record<PageKind, JudgedForm | null>> = {
    code,
    totp_setup: code ?? login,
    password_change: change,
    sign_up: signup,
    password_reset: reset ?? change,
  };
  return forms[kind] ?? null;
}

function fieldsOf(kind: PageKind, { loginFields, codeFields }: Findings): readonly FieldFinding[] {
  if (LOGIN_KINDS.includes(kind)) return loginFields;
  if (kind === 'totp_setup') return codeFields.length > 0 ? codeFields : loginFields;
  return kind === 'code' ? codeFields : [];
}

function choicesOf(kind: PageKind, { accounts, consent, identifiers, methods, sso, ways }: Findings): readonly ChoiceFinding[] {
  const isSwitch = ({ mfaType }: ChoiceFinding): boolean => mfaType === 'switch';
  switch (kind) {
    case 'identifier':
    case 'credentials':
    case 'question':
      return [...sso, ...ways];
    case 'password':
      return ways;
    case 'code':
    case 'totp_setup':
    case 'external_wait':
      return [...methods, ...ways.filter((way) => isSwitch(way) && !methods.some(({ label }) => label === way.label))];
    case 'method_choice':
      if (identifiers.length > 0) return [...sso, ...identifiers];
      return methods.some((method) => !isSwitch(method)) && sso.length === 0 ? methods : [...sso, ...ways];
    case 'account_picker':
      return accounts;
    case 'consent':
      return consent;
    case 'passkey':
      return ways.filter(({ mfaType }) => mfaType !== 'passkey');
    case 'captcha':
    case 'stay_signed_in':
    case 'password_change':
    case 'sign_up':
    case 'password_reset':
    case 'landing':
    case 'logged_in':
    case 'error':
    case 'unknown':
      return [];
  }
}

function submitOf(kind: PageKind, { view, yes }: Findings, form: JudgedForm | null, fields: readonly FieldFinding[]): PressTarget | null {
  if (kind === 'stay_signed_in') return yes;
  if (kind === 'method_choice' || kind === 'account_picker') return confirmOf(view);
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
function confirmOf(view: PageView): PressTarget | null {
  const list = [...view.ticks.filter(({ control }) => control.type === 'radio' || control.role === 'radio'), ...view.selects][0];
  const form = list ? view.forms.find(({ segment }) => segment.ticks.includes(list) || segment.boxes.includes(list)) : undefined;
  if (!list || !form) return null;
  const submit = findSubmit(view.snapshot, form, view.forms, [list.control.handle]);
  return submit ? pressTarget(view, submit.button.control, submit.rules) : null;
}
