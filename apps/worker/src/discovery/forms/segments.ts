import { type Evidence, isBox, isFillable, isPressable, isTextBox, isTick, isUsable } from '../evidence.js';
import { askForCharacters } from '../fields/characters.js';
import { joinSplitCodes } from '../fields/split-codes.js';
import { type Concept, isJust, lengthOf, says, type Words, words } from '../lexicon/words.js';
import type { FormSnapshot, PageSnapshot } from '../snapshot.js';
import type { PageContext } from '../verdict.js';
import { meaningOf, type Meant } from './meanings.js';
import { afterName, afterPassword, alonePassword, besidePassword, codeAfterName } from './second-step.js';

/**
 * One form as a person sees it. A `<form>` may hold several (whole-page forms of older frameworks), and boxes outside any form
 * make one too.
 */
export interface Segment {
  readonly key: string;
  readonly frame: string;
  readonly form: FormSnapshot | null;
  /** Boxes to type or choose in, in document order. */
  readonly boxes: readonly Meant[];
  /** All that takes a value from the person now: boxes, and what is none, as a date or a file. */
  readonly blanks: readonly Meant[];
  readonly ticks: readonly Meant[];
  readonly buttons: readonly Meant[];
  /** Heading and legend of the form. */
  readonly heading: Words;
  /** id, name, class and action: how its author calls it. */
  readonly code: string;
}

const STEP_WORDS: readonly Concept[] = [
  'signIn',
  'enter',
  'signUp',
  'next',
  'submit',
  'search',
  'subscribe',
  'verify',
  'resetPassword',
  'changePassword',
];
const ASIDE_WORDS: readonly Concept[] = ['show', 'forgot', 'resend', 'back', 'help'];

/** A button that ends a form, as against one that shows the password or asks for help. */
export function endsForm({ control, text }: Evidence): boolean {
  if (!isPressable(control) || control.tag === 'a' || !control.visible) return false;
  if (lengthOf(text) === 0) return control.tag === 'input' && /^(submit|image)$/.test(control.type);
  if (lengthOf(text) > 40 || ASIDE_WORDS.some((concept) => isJust(concept, text))) return false;
  return STEP_WORDS.some((concept) => says(concept, text)) || (control.tag === 'input' && control.type === 'submit');
}

const CODES: readonly Concept[] = ['code', 'codeSent', 'oneTimeCode'];

export function segmentsOf(snapshot: PageSnapshot, context: PageContext): Segment[] {
  const headings = words(snapshot.headings.join(' '));
  const isAboutCode = CODES.some((concept) => says(concept, headings));
  const joined = joinSplitCodes(askForCharacters(snapshot.controls.map(meaningOf)), isAboutCode);
  const single = alonePassword(codeAfterName(joined, context), snapshot, context);
  const meant = afterName(afterPassword(besidePassword(single), snapshot, context), snapshot, context);
  const groups = new Map<string, Meant[]>();
  for (const one of meant) groups.set(one.control.form, [...(groups.get(one.control.form) ?? []), one]);
  return joinHalves([...groups].map(([key, members]) => ({ key, members }))).flatMap(({ key, members }) => {
    const form = snapshot.forms.find((candidate) => candidate.key === key) ?? null;
    return split(members).map((part, place) => segment(`${key} #${place}`, form, part));
  });
}

interface Group {
  readonly key: string;
  readonly members: readonly Meant[];
}

/** Name and password are one login even in a form each, where nothing between them sends the name by itself. */
function joinHalves(groups: readonly Group[]): Group[] {
  const only = ({ members }: Group): Meant | undefined => {
    const typed = members.filter(({ control }) => isTextBox(control) && isUsable(control));
    return typed.length === 1 ? typed[0] : undefined;
  };
  return groups.reduce<Group[]>((joined, group) => {
    const before = joined.at(-1);
    const [name, password] = [before && only(before), only(group)];
    const areHalves =
      before !== undefined &&
      name !== undefined &&
      password !== undefined &&
      name.control.frame === password.control.frame &&
      isIdentifierLike(name) &&
      isPassword(password) &&
      password.meaning !== 'new_password' &&
      !before.members.some(({ evidence }) => endsForm(evidence));
    return areHalves ? [...joined.slice(0, -1), { key: group.key, members: [...before.members, ...group.members] }] : [...joined, group];
  }, []);
}

function segment(key: string, form: FormSnapshot | null, members: readonly Meant[]): Segment {
  return {
    key,
    form,
    frame: members[0]?.control.frame ?? '',
    boxes: members.filter(({ control }) => isBox(control)),
    blanks: members.filter(({ control }) => isFillable(control) && isUsable(control) && !control.disabled),
    ticks: members.filter(({ control }) => isTick(control)),
    buttons: members.filter(({ control }) => isPressable(control)),
    heading: words(`${form?.heading ?? ''} ${form?.aria ?? ''}`),
    code: form ? `${form.id} ${form.name} ${form.classes} ${form.action}`.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase() : '',
  };
}

const isIdentifierLike = ({ meaning }: Meant): boolean => meaning === 'username' || meaning === 'email' || meaning === 'phone';
/** Above all boxes it shows others of them, and ends nothing. */
const isTab = ({ control: { role, classes } }: Meant): boolean => role === 'tab' || /(^|[\s_-])tabs?([\s_-]|$)/i.test(classes);
const isPassword = ({ control }: Meant): boolean => control.type === 'password';

/** A name box followed by a password box that does not confirm one before it: a login of its own. */
function startsLogin(boxes: readonly Meant[], one: Meant): boolean {
  const next = boxes[boxes.indexOf(one) + 1];
  return isIdentifierLike(one) && next !== undefined && isPassword(next) && next.meaning !== 'new_password';
}

/** "Send code", between a number and the box for what is sent there. */
const asksForNext = (boxes: readonly Meant[], seen: readonly Meant[], { evidence: { text } }: Meant): boolean => {
  const last = seen.at(-1);
  const next = last === undefined ? undefined : boxes[boxes.indexOf(last) + 1];
  return last !== undefined && isIdentifierLike(last) && next?.meaning === 'code' && isJust('sendCode', text);
};

/**
 * Cuts a group after each button that ends a form and before a second login, then joins a password to the identifier it was
 * cut from.
 */
function split(members: readonly Meant[]): Meant[][] {
  const parts: Meant[][] = [[]];
  const boxes = members.filter(({ control }) => isTextBox(control) && isUsable(control));
  let ended = false;
  let seen: Meant[] = [];
  for (const one of members) {
    const isBox = boxes.includes(one);
    if (isBox && seen.length > 0 && (ended || (seen.some(isPassword) && startsLogin(boxes, one)))) {
      parts.push([]);
      ended = false;
      seen = [];
    }
    if (isBox) seen.push(one);
    if (endsForm(one.evidence) && !(seen.length === 0 && isTab(one)) && !asksForNext(boxes, seen, one)) ended = true;
    parts.at(-1)?.push(one);
  }
  return parts.reduce<Meant[][]>((joined, part) => {
    const before = joined.at(-1);
    const lacksIdentifier = part.some(isPassword) && !part.some(isIdentifierLike);
    if (before && lacksIdentifier && before.some(isIdentifierLike) && !before.some(isPassword)) before.push(...part);
    else joined.push(part);
    return joined;
  }, []);
}
