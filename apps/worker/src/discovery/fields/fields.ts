import { isDated, isNamed, isUsable, sourcesSaying } from '../evidence.js';
import type { JudgedForm } from '../forms/forms.js';
import { isTenant, type Meant } from '../forms/meanings.js';
import { type Concept, isJust, says, words } from '../lexicon/words.js';
import { sentencesOf } from '../outcome/sentences.js';
import { type PageView, usableBoxes, withoutButtons } from '../page-view.js';
import { NAMES } from '../rules/field-rules.js';
import { type Accepts, type ControlLabel, type FieldFinding, type FieldType, type InputMode, isMarked } from '../verdict.js';
import { characterRuns, isCharacter } from './characters.js';
import { exampleIn, isExample } from './examples.js';
import { askableBoxes, isAskableList, isOpenList, promptOf, realOptions } from './lists.js';
import { maskedDestination } from './masked.js';
import { isOpenGroup, type RadioGroup, radioGroups } from './radio-groups.js';
import { groupedCodeRuns, splitCodeRuns } from './split-codes.js';

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
/** What a field is called that the page has no words for, or whose box the page calls after something else. */
export const FALLBACK_LABEL: Readonly<Record<FieldType, string>> = {
  identifier: 'Username',
  password: 'Password',
  code: 'Code',
  totp_code: 'Code',
  totp_secret: 'Secret key',
  text: 'Text',
};

/** Of a name that only its box tells the kind of. */
const NAMELESS: Readonly<Partial<Record<InputMode, string>>> = { email: 'Email', tel: 'Phone' };

/** Of a code that the website says it has sent, so that no other will do. */
export const DELIVERED = 'code/delivered';
/** Of an empty box that takes no keys as it stands: the page has keys of its own for it, or lets go of it once it is used. */
export const READ_ONLY = 'field/read_only';

/** What a form asks for, in the order of the page: split boxes joined, optional and decoy boxes left out. */
export function findFields(view: PageView, form: JudgedForm): FieldFinding[] {
  const fields = inOrder(view, withGroups(view, form, fieldsIn(view, form)));
  // A question that marks nothing as needed needs all that it asks for, and so does the number of an account in several boxes.
  const areMarked = !(form.kind === 'question' || form.rules.includes('form/login/bank_account')) || isAnyMarked(form);
  return areMarked ? fields : fields.map((field) => ({ ...field, required: true }));
}

/** With what is to be chosen among radio buttons, where a form that asks for something else has them. */
function withGroups(view: PageView, form: JudgedForm, fields: readonly FieldFinding[]): readonly FieldFinding[] {
  if (fields.length === 0) return fields;
  const refs = new Set(fields.map(({ ref }) => ref));
  const groups = radioGroups(form, view.snapshot);
  const heading = groups.length === 1 && !isOfPage(view, lastHeading(form)) ? lastHeading(form) : '';
  const chosen = groups.map((group) => ({ group, field: groupField(view, group, heading, refs) }));
  const isAsked = (group: readonly Meant[], { ref }: FieldFinding): boolean =>
    isOpenGroup(group) || view.context.before?.asked.includes(ref) === true;
  return [...fields, ...chosen.flatMap(({ group, field }) => (isAsked(group, field) ? [field] : []))];
}

function groupField(view: PageView, group: RadioGroup, heading: string, refs: Set<string>): FieldFinding {
  const [{ control: first }, ...others] = group;
  const names = group.map(({ control }) => control.label);
  const label = (first.legend || heading || names.join(' / ')).slice(0, 120);
  const ref = unique(slug(label), refs);
  return {
    type: 'text',
    ref,
    label,
    hint: `One of: ${names.join(', ')}`.slice(0, MOST_NAMED),
    inputMode: 'text',
    // Where nothing marks it as needed, it is once it has been asked for and the form is back.
    required: group.some(({ control }) => control.required) || view.context.before?.asked.includes(ref) === true,
    handles: [first.handle, ...others.map(({ control }) => control.handle)],
    selector: first.selector,
    frameUrl: view.frameUrl(first.frame),
    editable: true,
    filled: group.some(({ control }) => control.checked),
    accepts: { kind: 'option', options: names.map((text) => ({ text, value: text })) },
    rules: ['text/radio_group'],
  };
}

/** As they stand on the page. */
function inOrder({ snapshot }: PageView, fields: readonly FieldFinding[]): FieldFinding[] {
  const places = new Map(snapshot.controls.map(({ handle }, place) => [handle, place]));
  const placeOf = ({ handles: [first] }: FieldFinding): number => places.get(first) ?? 0;
  return [...fields].sort((a, b) => placeOf(a) - placeOf(b));
}

const isAnyMarked = ({ segment }: JudgedForm): boolean => askableBoxes({ segment }).some(({ control }) => control.required);

function fieldsIn(view: PageView, form: JudgedForm): FieldFinding[] {
  const asked = form.segment.boxes.filter((box) => isAskableList(box) || askableBoxes(form).includes(box));
  const codes = form.segment.boxes.filter(({ rules }) => rules.includes('code/split'));
  const runs = [...splitCodeRuns(form.segment.boxes), ...groupedCodeRuns(codes), ...characterRuns(asked)];
  const later = new Set(runs.flatMap((run) => run.slice(1)));
  const refs = new Set<string>();
  return asked.flatMap((box): FieldFinding[] => {
    if (later.has(box)) return [];
    const type = typeOf(view, form, box);
    if (!type) return [];
    const run = runs.find(([first]) => first === box) ?? [box];
    const field = finding(view, form, box, run, type, refs);
    // A list that was asked for keeps what was chosen, and may have been answered wrongly all the same.
    const wasAsked = view.context.before?.asked.includes(field.ref) === true;
    return box.control.tag !== 'select' || isOpenList(box) || isSetList(form, box) || wasAsked ? [field] : [];
  });
}

/** A list beside a name or a password that stands at an option: it may be another, as for who is of another company. */
const isSetList = ({ kind }: JudgedForm, box: Meant): boolean =>
  kind === 'login' &&
  isAskableList(box) &&
  !isOpenList(box) &&
  box.control.options.filter(({ text, disabled }) => text !== '' && !disabled).length > 1;

const isTyped = ({ control }: Meant): boolean => control.tag !== 'select' && control.tag !== 'textarea' && !isDated(control);

function typeOf(view: PageView, form: JudgedForm, box: Meant): FieldType | null {
  const type = isTyped(box) ? (TYPE_OF[view.labels.get(box.control.handle)?.label ?? 'decoy'] ?? null) : 'text';
  if (type === 'code') return isAuthenticatorCode(view, box) ? 'totp_code' : 'code';
  if (type !== 'text' || isComment(view, form, box)) return type === 'text' ? null : type;
  return isAsked(form, box) && (isOpen(form, box) || isSetList(form, box)) ? 'text' : null;
}

/** Something to write a message in, behind the button of a login. */
function isComment({ snapshot: { controls } }: PageView, { kind, segment }: JudgedForm, { control }: Meant): boolean {
  if (kind !== 'login' || control.tag !== 'textarea') return false;
  const before = controls.slice(0, controls.indexOf(control)).map(({ handle }) => handle);
  return segment.buttons.some((button) => button.control.tag !== 'a' && before.includes(button.control.handle));
}

const NO_PART: ReadonlySet<string> = new Set(['search', 'captcha', 'payment']);

/** Beside what a login is made of, a box is asked for when it has words of its own, with no need to answer; a list, where it stands open. */
function isAsked({ kind }: JudgedForm, { meaning, control }: Meant): boolean {
  if (meaning === 'question' || kind === 'question') return true;
  const words = control.label || control.placeholder || control.aria || control.neighbour;
  return kind === 'login' && (control.tag === 'select' || (words !== '' && !NO_PART.has(meaning ?? '')));
}

/** Where all hold something already, it is what was answered before. */
const isOpen = (form: JudgedForm, { control }: Meant): boolean =>
  !control.filled || (form.kind === 'question' && usableBoxes(form).every((other) => other.control.filled));

const SENT: readonly Concept[] = ['emailCode', 'sms'];

/**
 * D60: only with evidence of an authenticator app; a page that says where it sent a code is asking for that one. What it says of a refused
 * code may stand where it spoke of the app.
 */
function isAuthenticatorCode(view: PageView, box: Meant): boolean {
  if (box.rules.some((rule) => rule.startsWith('authenticator_code/'))) return true;
  // Of two on one page each says where it comes from.
  if (SENT.some((concept) => says(concept, box.evidence.label))) return false;
  const { before, sent } = view.context;
  const isBack = sent.includes('totp_code') && before?.form === 'code' && isMarked(box.control, before.boxes);
  return (isBack || says('authenticator', view.told)) && !isDelivered(view);
}

/** The page says that it sent a code, or where to. */
const isDelivered = (view: PageView): boolean => says('codeSent', view.told) || maskedDestination(view.snapshot.text) !== null;

function finding(view: PageView, form: JudgedForm, box: Meant, run: readonly Meant[], type: FieldType, refs: Set<string>): FieldFinding {
  const { control } = box;
  const called = run.length > 1 ? labelOfRun(view, form, run) : labelOf(box, view) || (type === 'text' ? toldAbove(form, box) : '');
  const own = (type === 'text' ? questionFor(view, called) : null) ?? called;
  const inputMode = inputModeOf(view, box, type);
  const label = own || (type === 'identifier' ? NAMELESS[inputMode] : undefined) || FALLBACK_LABEL[type];
  const handles = run.map((one) => one.control.handle);
  const accepts = acceptsOf(run);
  return {
    type,
    ref: unique(isAnotherName(view, form, box, type) ? slug(label) : (REF_OF[type] ?? slug(label)), refs),
    label,
    hint: hintOf(view, run, type),
    inputMode,
    required: !isOptional(box) && !isSetList(form, box) && (type !== 'text' || isRequired(form, box)),
    handles: [control.handle, ...handles.slice(1)],
    selector: control.selector,
    frameUrl: view.frameUrl(control.frame),
    // An empty read-only box is a trick against autofill that is lifted on focus.
    editable: !(control.readOnly && control.filled),
    filled: control.filled,
    ...(accepts !== null && { accepts }),
    rules: [
      ...(view.labels.get(control.handle)?.rules ?? box.rules),
      ...(type === 'code' && isDelivered(view) ? [DELIVERED] : []),
      ...(control.readOnly && !control.filled ? [READ_ONLY] : []),
    ],
  };
}

const kindOfName = (name: string): (typeof NAMES)[number] =>
  name.includes('@') ? 'email' : /^\+?[\d\s()-]{6,}$/.test(name) ? 'phone' : 'username';
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** "Enter your phone number or username", once an address was taken on the way to the password: not what was given, and kept apart from it. */
function isAnotherName(view: PageView, form: JudgedForm, { control, evidence }: Meant, type: FieldType): boolean {
  const { before, name } = view.context;
  if (type !== 'identifier' || before === null || name === undefined) return false;
  // The box that took the name, back with a refusal or not; and one that the website has filled with it.
  const isBack = isMarked(control, before.boxes);
  if (isBack ? before.asked.includes('username') : control.filled) return false;
  const isAlone = form.segment.boxes.every(({ control: { type: other } }) => other !== 'password');
  const wanted = NAMES.filter((kind) => isNamed(evidence, kind));
  return isAlone && hostOf(before.url) === hostOf(view.snapshot.url) && wanted.length > 0 && !wanted.includes(kindOfName(name));
}

/** The website says that it may stay empty. */
const isOptional = ({ control, evidence }: Meant): boolean => !control.required && sourcesSaying(evidence, 'optional').length > 0;

/** What is no box to type into, or names a company, and stands open beside boxes none of which is marked is needed as they are. */
const isRequired = (form: JudgedForm, box: Meant): boolean =>
  box.control.required || isCharacter(box) || ((!isTyped(box) || isTenant(box.evidence)) && !isAnyMarked(form));

function acceptsOf(run: readonly Meant[]): Accepts | null {
  const [box] = run;
  if (box === undefined) return null;
  const { control } = box;
  if (isCharacter(box)) return { kind: 'characters', count: run.length };
  if (isDated(control)) return { kind: control.type === 'month' ? 'month' : 'date' };
  return control.tag === 'select'
    ? { kind: 'option', options: realOptions(control).map(({ option: { text, value } }) => ({ text, value })) }
    : null;
}

/** A heading that names the whole page, and what a link says, name no box. */
const isOfPage = ({ snapshot: { headings }, pressables }: PageView, text: string): boolean => {
  const isAbout = headings.includes(text) && (says('signIn', words(text)) || says('greeting', words(text)));
  return isAbout || (text !== '' && pressables.some(({ control }) => control.text === text));
};

export function labelOf({ control }: Meant, view: PageView): string {
  const candidates = [
    control.label,
    control.aria,
    isExample(control.placeholder) ? '' : control.placeholder,
    control.tag === 'select' ? promptOf(control) : '',
    control.neighbour.length <= 60 && !isOfPage(view, control.neighbour) ? control.neighbour : '',
    control.title,
  ];
  return (candidates.find((text) => /[\p{L}]/u.test(text) && !isKey(text)) ?? '')
    .replace(/\s*[*:：]+\s*$/u, '')
    .replace(/^\s*[*]\s*/, '')
    .trim()
    .slice(0, 120);
}

/** The key of an authenticator that is set up, above the box for its first code: a secret, and no name for it. */
const isKey = (text: string): boolean => /^(?=(?:\s?[A-Z2-7]){16,}=*$)(?=.*\d|\S{4}(?:\s\S{4})+$|\S{16,})[A-Z2-7\s]+=*$/i.test(text.trim());

const LONGEST_ANSWER = 30;

/** "Answer" is what a box is for; the question that it answers is the one that the page asks. Null where there is none, or more. */
function questionFor({ snapshot }: PageView, called: string): string | null {
  if (called.length > LONGEST_ANSWER || /[?？؟]/u.test(called) || !says('question', words(called))) return null;
  const blocks = snapshot.alerts.filter(({ source }) => source === 'plain').map(({ text }) => text);
  const asked = [...new Set(blocks)].filter((text) => /[?？؟]\s*$/u.test(text));
  return asked.length === 1 ? (asked[0] ?? '').slice(0, 120) : null;
}

/** A question that stands above its box is no label of it, and may be long. */
function toldAbove(form: JudgedForm, { control }: Meant): string {
  return (control.neighbour || lastHeading(form)).slice(0, 120);
}

const lastHeading = ({ segment }: JudgedForm): string => segment.form?.heading.split(' · ').at(-1) ?? '';

/** "Digit 1" names one box; the legend or heading names them all, or a sentence about which of them are asked for. */
function labelOfRun(view: PageView, form: JudgedForm, run: readonly Meant[]): string {
  const heading = lastHeading(form);
  if (!run.some(isCharacter)) {
    const captions = [heading, run[0]?.control.neighbour ?? ''];
    return (captions.find((caption) => says('code', words(caption)) && maskedDestination(caption) === null) ?? '').slice(0, 120);
  }
  const told = view.snapshot.alerts.find(
    ({ source, text }) => source === 'plain' && ABOUT_CHARACTERS.some((concept) => says(concept, words(text))),
  );
  return (told?.text ?? (isOfPage(view, heading) ? '' : heading)).slice(0, 120);
}

const ABOUT_CHARACTERS: readonly Concept[] = ['password', 'pin', 'question', 'lettered'];

function hintOf(view: PageView, run: readonly Meant[], type: FieldType): string | null {
  const [box] = run;
  if (box === undefined) return null;
  const { control } = box;
  const described = control.description && !isJust('show', words(control.description)) ? control.description.slice(0, 200) : '';
  const told = [described, toBeGiven(run)].filter((text) => text !== '').join(' ');
  const example = type === 'password' ? '' : exampleIn(control.placeholder);
  if (told !== '' || type !== 'code') return told || example || null;
  const blocks = view.snapshot.alerts.filter(({ source }) => source === 'plain').map(({ text }) => text);
  const sentences = [
    ...blocks.flatMap((text) => sentencesOf(text, view.snapshot)),
    ...sentencesOf(withoutButtons(view.snapshot), view.snapshot),
  ];
  return sentences.find((sentence) => maskedDestination(sentence) !== null)?.slice(0, 200) ?? (example || null);
}

const MOST_NAMED = 300;

/** What a field that takes no free text is to be answered with, in the website's words where it has some. */
function toBeGiven(run: readonly Meant[]): string {
  const accepts = acceptsOf(run);
  switch (accepts?.kind) {
    case 'option': {
      const names = accepts.options.map(({ text }) => text).join(', ');
      return `One of: ${names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED)}…` : names}${standing(run)}`;
    }
    case 'date':
      return 'YYYY-MM-DD';
    case 'month':
      return 'YYYY-MM';
    case 'characters': {
      const places = run.map(({ control }) => control.label || control.aria || control.placeholder || control.neighbour);
      return places.includes('') ? '' : places.join(', ');
    }
    case undefined:
      return '';
  }
}

/** At which option a list stays that nobody chooses from. */
function standing(run: readonly Meant[]): string {
  const at = run.flatMap((list) => (isOpenList(list) ? [] : list.control.options)).find(({ selected }) => selected);
  return at === undefined ? '' : `. Without an answer: ${at.text}`;
}

/** Longer codes, those kept for an emergency, and those that a page calls so have letters. */
const isLettered = (view: PageView, { control, evidence: { label } }: Meant): boolean =>
  (control.maxLength ?? 0) > 8 || says('backupCode', label) || (says('lettered', view.told) && !asksForPassword(view));

/** What is told of letters beside a password is told of the password. */
const asksForPassword = ({ snapshot }: PageView): boolean =>
  snapshot.controls.some((control) => control.type === 'password' && isUsable(control));

function inputModeOf(view: PageView, box: Meant, type: FieldType): InputMode {
  const { control, meaning, scores } = box;
  if (type === 'code' && control.inputMode === '' && isLettered(view, box)) return 'text';
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
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40)
      .toWellFormed() || 'text'
  );
}

function unique(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}
