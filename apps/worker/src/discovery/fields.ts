import { isUsable } from './evidence.js';
import type { JudgedForm } from './forms.js';
import { isJust, says, words } from './lexicon/words.js';
import { maskedDestination } from './masked.js';
import type { Meant } from './meanings.js';
import { usableBoxes, type PageView } from './page-view.js';
import { splitCodeRuns } from './split-codes.js';
import type { ControlLabel, FieldFinding, FieldType, InputMode } from './verdict.js';

const TYPE_OF: Readonly<Partial<Record<ControlLabel, FieldType>>> = {
  identifier: 'identifier',
  password: 'password',
  new_password: 'password',
  code: 'code',
  totp_secret: 'totp_secret',
  other: 'text',
};
const REF_OF: Readonly<Partial<Record<FieldType, string>>> = {
  identifier: 'username',
  password: 'password',
  code: 'code',
  totp_code: 'code',
  totp_secret: 'totp_secret',
};
const FALLBACK_LABEL: Readonly<Record<FieldType, string>> = {
  identifier: 'Username',
  password: 'Password',
  code: 'Code',
  totp_code: 'Code',
  totp_secret: 'Secret key',
  text: 'Text',
};

/** What a form asks for, in the order of the page: split boxes joined, optional and decoy boxes left out. */
export function findFields(view: PageView, form: JudgedForm): FieldFinding[] {
  const runs = splitCodeRuns(form.segment.boxes);
  const later = new Set(runs.flatMap((run) => run.slice(1)));
  const refs = new Set<string>();
  return usableBoxes(form).flatMap((box): FieldFinding[] => {
    if (later.has(box)) return [];
    const type = typeOf(view, form, box);
    if (!type) return [];
    const run = runs.find(([first]) => first === box) ?? [box];
    return [finding(view, form, box, run, type, refs)];
  });
}

function typeOf(view: PageView, form: JudgedForm, box: Meant): FieldType | null {
  const type = TYPE_OF[view.labels.get(box.control.handle)?.label ?? 'decoy'] ?? null;
  if (type === 'code') return isAuthenticatorCode(view, box) ? 'totp_code' : 'code';
  if (type !== 'text') return type;
  // A box without meaning is asked only when the site insists on it, or asks in words.
  const isAsked =
    box.meaning === 'question' ||
    (form.kind === 'login' &&
      (box.control.required || box.meaning === 'person') &&
      (box.control.label || box.control.placeholder || box.control.aria || box.control.neighbour) !== '');
  return isAsked && !box.control.filled ? 'text' : null;
}

/** D60: only with evidence of an authenticator app; a page that says where it sent a code is asking for that one. */
function isAuthenticatorCode(view: PageView, box: Meant): boolean {
  if (box.rules.some((rule) => rule.startsWith('authenticator_code/'))) return true;
  return says('authenticator', view.told) && !says('codeSent', view.told) && maskedDestination(view.snapshot.text) === null;
}

function finding(view: PageView, form: JudgedForm, box: Meant, run: readonly Meant[], type: FieldType, refs: Set<string>): FieldFinding {
  const { control } = box;
  const label = run.length > 1 ? splitLabel(form) || FALLBACK_LABEL[type] : labelOf(box) || FALLBACK_LABEL[type];
  const handles = run.map((one) => one.control.handle);
  return {
    type,
    ref: unique(REF_OF[type] ?? slug(label), refs),
    label,
    hint: hintOf(view, box, type),
    inputMode: inputModeOf(box, type),
    required: type !== 'text' || control.required,
    handles: [control.handle, ...handles.slice(1)],
    selector: control.selector,
    frameUrl: view.frameUrl(control.frame),
    // An empty read-only box is a trick against autofill that is lifted on focus.
    editable: !(control.readOnly && control.filled),
    filled: control.filled,
    rules: view.labels.get(control.handle)?.rules ?? box.rules,
  };
}

export function labelOf({ control }: Meant): string {
  const candidates = [
    control.label,
    control.aria,
    control.placeholder,
    control.neighbour.length <= 60 ? control.neighbour : '',
    control.title,
  ];
  return (candidates.find((text) => /[\p{L}]/u.test(text)) ?? '')
    .replace(/\s*[*:：]+\s*$/u, '')
    .replace(/^\s*[*]\s*/, '')
    .trim()
    .slice(0, 120);
}

/** "Digit 1" names one box; the legend or heading names them all. */
function splitLabel(form: JudgedForm): string {
  const heading = form.segment.form?.heading.split(' · ').at(-1) ?? '';
  return says('code', words(heading)) ? heading.slice(0, 120) : '';
}

function hintOf(view: PageView, { control }: Meant, type: FieldType): string | null {
  if (control.description && !isJust('show', words(control.description))) return control.description.slice(0, 200);
  if (type !== 'code') return null;
  const sentences = view.snapshot.text.split(/(?<=[.!?。！？])\s+|\n/u);
  const told = sentences.find((sentence) => maskedDestination(sentence) !== null && sentence.length <= 300);
  return told?.trim().slice(0, 200) ?? null;
}

function inputModeOf({ control, meaning, scores }: Meant, type: FieldType): InputMode {
  if (type === 'code' || type === 'totp_code') return control.inputMode === 'text' ? 'text' : 'numeric';
  if (control.type === 'email' || control.inputMode === 'email') return 'email';
  if (control.type === 'tel' || control.inputMode === 'tel') return 'tel';
  if (control.type === 'number' || control.inputMode === 'numeric') return 'numeric';
  return type === 'identifier' && meaning === 'email' && !scores.username && !scores.phone ? 'email' : 'text';
}

function slug(label: string): string {
  return (
    label
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/gu, '')
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'text'
  );
}

function unique(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}

export function isAsked(form: JudgedForm | null): form is JudgedForm {
  return form !== null && usableBoxes(form).some(({ control }) => isUsable(control));
}
