import { isUsable } from './evidence.js';
import { isJust, lengthOf, says, words, type Concept } from './lexicon/words.js';
import { pathOf } from './forms.js';
import { anySays, asksForText, type PageView } from './page-view.js';
import type { ControlSnapshot, TextBlock } from './snapshot.js';
import type { ExternalAction, RuleId } from './verdict.js';

/** How much an announcement's form speaks for an error; its words decide the rest. */
const SOURCE_POINTS: Readonly<Record<TextBlock['source'], number>> = { invalid: 3, dialog: 2, alert: 2, status: 2, marked: 1, red: 1 };
const LEAST = 3;
const LONGEST = 500;

export interface ErrorFinding {
  readonly text: string;
  readonly isNew: boolean;
  readonly rules: readonly RuleId[];
}

/** Whether the server itself said that this page is a failure: any 5xx, and after something was sent a 4xx too. */
export function isErrorAnswer({ snapshot, context }: PageView): boolean {
  return snapshot.httpStatus !== null && snapshot.httpStatus >= (context.sent.length === 0 ? 500 : 400);
}

/** The website's own error text. Standing labels, hints and notices of success are none. */
export function findError(view: PageView): ErrorFinding | null {
  return announcedError(view) ?? headedError(view);
}

/** A page that asks for nothing and whose heading tells of a failure, or which the server answered as one. */
function headedError(view: PageView): ErrorFinding | null {
  const { snapshot, context, headings } = view;
  if (asksForText(view)) return null;
  const isAnswer = isErrorAnswer(view);
  const isTold = context.before !== null && (says('wrong', headings) || says('failure', headings));
  const text = (snapshot.headings.join(' ') || snapshot.text).slice(0, LONGEST).trim();
  if (text === '' || !(isAnswer || isTold)) return null;
  return { text, isNew: true, rules: [isAnswer ? 'error/http_status' : 'error/heading'] };
}

function announcedError(view: PageView): ErrorFinding | null {
  const { snapshot, context } = view;
  const { before } = context;
  const asks = asksForText(view);
  const isOld = ({ text }: TextBlock): boolean =>
    before !== null && before.documentId === snapshot.documentId && before.alerts.includes(text);
  const found = snapshot.alerts.flatMap((alert) => {
    const said = words(alert.text);
    const [wrong, failure] = [says('wrong', said), says('failure', said)];
    const points =
      SOURCE_POINTS[alert.source] +
      (wrong ? 3 : 0) +
      (failure ? 1 : 0) -
      (isNotice(said.spaced, alert) ? 4 : 0) -
      (lengthOf(said) > 250 ? 2 : 0);
    // After a submit an announcement needs no words known to us; a mere status does where a page only waits.
    const surprise =
      before !== null &&
      !isOld(alert) &&
      (alert.source === 'alert' || alert.source === 'marked' || (alert.source === 'status' && asks)) &&
      !isNotice(said.spaced, alert)
        ? 1
        : 0;
    if (points + surprise < LEAST) return [];
    const rules = [`error/${alert.source}`, ...(wrong ? ['error/wrong'] : []), ...(failure ? ['error/failure'] : [])];
    return [{ text: alert.text.slice(0, LONGEST), isNew: !isOld(alert), points: points + surprise, rules }];
  });
  const best = found.sort((a, b) => Number(b.isNew) - Number(a.isNew) || b.points - a.points || a.text.length - b.text.length)[0];
  return best ? { text: best.text, isNew: best.isNew, rules: best.rules } : null;
}

function isNotice(spaced: string, { text }: TextBlock): boolean {
  const said = words(text);
  if (says('wrong', said) || says('refused', said)) return false;
  // What goes on ("Waiting for you…") is no fault.
  return (
    spaced.trim().length < 4 ||
    /(…|\.\.\.)\s*$/.test(text) ||
    says('cookies', said) ||
    says('success', said) ||
    says('linkSent', said) ||
    says('codeSent', said) ||
    says('pushWait', said) ||
    says('newsletter', said) ||
    says('human', said)
  );
}

/** What the person must do elsewhere, when this page only waits for it. */
export function findExternalAction(view: PageView): ExternalAction | null {
  const kinds: readonly [ExternalAction['kind'], Concept][] = [
    ['magic_link', 'linkSent'],
    ['push', 'pushWait'],
    ['call', 'callWait'],
    ['qr', 'scanCode'],
  ];
  const kind = kinds.find(([, concept]) => says(concept, view.headings))?.[0] ?? kinds.find(([, concept]) => anySays(view, concept))?.[0];
  if (!kind) return null;
  const numbers = [...new Set(view.snapshot.numbers)];
  return { kind, message: instruction(view), number: kind === 'push' && numbers.length === 1 ? (numbers[0] ?? null) : null };
}

function instruction({ snapshot }: PageView): string {
  const body = snapshot.modalText || snapshot.text;
  const sentences = body.split(/(?<=[.!?。！？])\s*/u).filter((sentence) => sentence.length <= 300);
  const told = sentences.filter((sentence) =>
    (['linkSent', 'pushWait', 'callWait', 'scanCode'] as const).some((concept) => says(concept, words(sentence))),
  );
  return (told.join(' ') || snapshot.headings[0] || body).slice(0, 500).trim();
}

const LEAVES = /log_?out|sign_?out|log_?off|sign_?off|abmelden|deconnexion|cerrar_?sesion|uitloggen|wyloguj/;

/**
 * What speaks for a signed-in page; `success/sign_out` alone is proof. A way out that lies under the box that tells of a refusal is none: some applications show
 * their menus to everybody and ask who is there over them.
 */
export function successEvidence(view: PageView, error: ErrorFinding | null): RuleId[] {
  const { snapshot, context } = view;
  const buttons = view.forms.flatMap(({ segment }) => segment.buttons).filter(({ control }) => control.visible || control.href !== '');
  const isBelow = ({ unreachable }: ControlSnapshot): boolean => unreachable === 'covered' && error?.isNew === true;
  const signsOut = buttons.some(
    ({ control, evidence: { text, code } }) =>
      !isBelow(control) && ((lengthOf(text) <= 30 && says('signOut', text)) || LEAVES.test(pathOf(control.href)) || LEAVES.test(code)),
  );
  const account = buttons.some(({ control, evidence: { text } }) => isUsable(control) && isJust('account', text));
  const left =
    context.before !== null &&
    !isAtStep(view) &&
    (isAtWork(view) || !isQuestion(view)) &&
    pathOf(context.before.url) !== pathOf(snapshot.url);
  return [
    ...(signsOut ? ['success/sign_out'] : []),
    ...(snapshot.folded.some((offer) => isJust('signOut', words(offer.text)) || LEAVES.test(pathOf(offer.href)))
      ? ['success/folded_sign_out']
      : []),
    ...(says('greeting', view.headings) || snapshot.alerts.some(({ text }) => says('greeting', words(text))) ? ['success/greeting'] : []),
    ...(account ? ['success/account_links'] : []),
    ...(left ? ['success/left_login'] : []),
    ...(isLoginGone(view) ? ['success/login_gone'] : []),
  ];
}

/** Words of a step that still stands between a password and the website. */
const STEPS: readonly Concept[] = [
  'chooseMethod',
  'authenticator',
  'setupKey',
  'backupCode',
  'passkey',
  'securityKey',
  'pushWait',
  'linkSent',
  'callWait',
  'scanCode',
  'human',
  'mustChange',
  'consent',
  'chooseAccount',
  'chooseOrganization',
  'staySignedIn',
];
/** Addresses of such a step, in whatever language its page speaks. */
const STEP_PATH =
  /log_?in|sign_?in|log_?on|mfa|2fa|two_?(factor|step)|second_?factor|otp|challenge|verif|check_?point|step_?up|authenticat|sso|consent/;

const isAtStep = (view: PageView): boolean => STEP_PATH.test(pathOf(view.snapshot.url)) || STEPS.some((concept) => anySays(view, concept));

const PROOFS: ReadonlySet<string> = new Set(['password', 'code', 'totp_code', 'sso', 'external']);
const LOGIN_LABELS: ReadonlySet<string> = new Set(['identifier', 'password', 'new_password', 'code', 'totp_secret', 'captcha']);
const FEWEST_PLACES = 5;

/** After a proof nothing of a login is left, and what there is instead looks like an application at work. */
function isLoginGone(view: PageView): boolean {
  const { context, snapshot, labels } = view;
  if (context.before === null || !context.sent.some((kind) => PROOFS.has(kind)) || isErrorAnswer(view)) return false;
  if (snapshot.controls.some((control) => isUsable(control) && LOGIN_LABELS.has(labels.get(control.handle)?.label ?? ''))) return false;
  if (isAtStep(view) || (['signIn', 'wrong', 'failure', 'refused', 'verify'] as const).some((concept) => says(concept, view.headings)))
    return false;
  return isAtWork(view) || says('greeting', view.told);
}

/** A form of nothing but buttons asks something, whatever its words; a button in a header or a menu does not. */
function isQuestion({ forms }: PageView): boolean {
  return forms.some(
    ({ segment }) =>
      segment.form?.element === true &&
      segment.boxes.length === 0 &&
      segment.buttons.some(
        ({ control }) => control.tag !== 'a' && isUsable(control) && !/^(header|nav|aside|footer)$/.test(control.landmark),
      ),
  );
}

/** Many places to go to, and not all of them in one form: a step in words we do not know has its few buttons there, and a menu of languages leads to one page. */
function isAtWork({ pressables, snapshot }: PageView): boolean {
  const inside = pressables.filter(({ control }) => control.landmark !== 'footer');
  const places = new Set(inside.map(({ control }) => control.href || control.handle));
  places.delete(snapshot.url.replace(/[?#].*$/, ''));
  return places.size >= FEWEST_PLACES && new Set(inside.map(({ control }) => control.form)).size >= 2;
}
