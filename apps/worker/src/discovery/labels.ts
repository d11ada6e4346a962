import { isNamed, isTextBox, isUsable } from './evidence.js';
import type { JudgedForm } from './forms/forms.js';
import type { Meant } from './forms/meanings.js';
import type { Meaning } from './rules/field-rules.js';
import type { FormKind } from './rules/forms/form-rule.js';
import type { ControlLabel, LabelledControl, PageContext } from './verdict.js';

function nameIn(kind: FormKind | null): ControlLabel {
  if (kind === 'login') return 'identifier';
  return kind === 'question' ? 'other' : 'contact';
}

/** What a meaning comes to in a form of each kind. */
const IN_FORM: Readonly<Record<Meaning, (kind: FormKind | null) => ControlLabel>> = {
  username: nameIn,
  email: nameIn,
  phone: nameIn,
  password: (kind) => (kind === 'signup' ? 'new_password' : 'password'),
  new_password: (kind) => (kind === 'login' ? 'password' : 'new_password'),
  code: () => 'code',
  authenticator_code: () => 'code',
  totp_secret: () => 'totp_secret',
  question: () => 'other',
  person: () => 'other',
  address: () => 'other',
  payment: () => 'other',
  search: () => 'search',
  captcha: () => 'captcha',
};

/** Labels of all boxes of a form. In a login form the box before the password is the name, whatever it says. */
export function labelForm({ segment, kind, rules }: JudgedForm, { sent, before }: PageContext): LabelledControl[] {
  // Boxes may have other names at every visit.
  const isBack = rules.includes('form/login/back') || before?.asked.includes('password') === true;
  const wasNamed = isBack && before?.asked.includes('username') === true;
  const labels = new Map<Meant, LabelledControl>();
  const typed = segment.boxes.filter(({ control }) => isTextBox(control));
  for (const box of typed)
    labels.set(box, { handle: box.control.handle, label: box.meaning ? IN_FORM[box.meaning](kind) : 'other', rules: box.rules });
  if (kind === 'login') completeLogin(typed, labels, sent.includes('password') && !wasNamed);
  if (kind === 'change') oldPasswordFirst(typed, labels);
  return [...labels.values()];
}

const MAY_BE_NAMES: ReadonlySet<Meaning> = new Set(['person', 'code', 'payment']);

/** `isStep`: a password was taken already, so that a code beside another one is a code. */
function completeLogin(boxes: readonly Meant[], labels: Map<Meant, LabelledControl>, isStep: boolean): void {
  const set = (box: Meant, label: ControlLabel, rule: string): void =>
    void labels.set(box, { handle: box.control.handle, label, rules: [...box.rules, rule] });
  const has = (label: ControlLabel, boxesIn: readonly Meant[]): boolean =>
    boxesIn.some((box) => labels.get(box)?.label === label && isUsable(box.control));
  const password = boxes.findIndex((box) => labels.get(box)?.label === 'password' && isUsable(box.control));
  const before = (password < 0 ? boxes : boxes.slice(0, password)).filter(({ control }) => control.visible && control.type !== 'password');
  if (!has('identifier', boxes)) {
    const isCode = ({ meaning, control }: Meant): boolean => meaning === 'code' && (isStep || control.autocomplete === 'one-time-code');
    const nearest = before.findLast((box) => (box.meaning === null || MAY_BE_NAMES.has(box.meaning)) && !isCode(box));
    if (nearest) set(nearest, 'identifier', 'identifier/before_password');
    return;
  }
  // A code before the name is none that anybody has been sent: whose company it is, or which shop.
  const name = boxes.find((box) => labels.get(box)?.label === 'identifier' && isUsable(box.control));
  const isFirst = (box: Meant): boolean => name !== undefined && boxes.indexOf(box) < boxes.indexOf(name);
  const isSent = ({ control, evidence }: Meant): boolean => control.autocomplete === 'one-time-code' || isNamed(evidence, 'oneTimeCode');
  for (const box of boxes)
    if (password >= 0 && !isStep && labels.get(box)?.label === 'code' && isFirst(box) && !isSent(box))
      set(box, 'other', 'other/before_name');
  // Two names in one login (customer number and user): both are asked; but a name that only a weak word makes one yields to a strong one.
  const named = boxes.filter((box) => labels.get(box)?.label === 'identifier' && isUsable(box.control));
  const strongest = Math.max(...named.map(({ points }) => points));
  for (const box of named) if (named.length > 1 && box.points <= 3 && strongest >= 8) set(box, 'other', 'identifier/weaker');
}

/** Of several password boxes the first that is not said to be new is the one in force. */
function oldPasswordFirst(boxes: readonly Meant[], labels: Map<Meant, LabelledControl>): void {
  const secret = boxes.filter(({ control }) => control.type === 'password');
  const current = secret.filter((box) => labels.get(box)?.label === 'password');
  const keep = secret.length >= 2 && current[0] === secret[0] ? secret[0] : undefined;
  for (const box of current)
    if (box !== keep)
      labels.set(box, { handle: box.control.handle, label: 'new_password', rules: [...box.rules, 'new_password/after_current'] });
}
