import { type Concept, says, type Words, words } from './lexicon/words.js';
import type { ControlSnapshot } from './snapshot.js';

/** Where a word about a control was found, in falling reliability. */
export const SOURCES = [
  'autocomplete',
  'type',
  'label',
  'aria',
  'name',
  'placeholder',
  'title',
  'description',
  'neighbour',
  'shape',
] as const;
export type Source = (typeof SOURCES)[number];

/** How much one hit in a source counts. What the author declared for machines counts most, what merely stands near counts least. */
export const WEIGHT: Readonly<Record<Source, number>> = {
  autocomplete: 10,
  type: 7,
  label: 5,
  aria: 5,
  name: 4,
  placeholder: 4,
  title: 2,
  description: 1,
  neighbour: 3,
  shape: 1,
};

/** A control with its words made ready once. */
export interface Evidence {
  readonly control: ControlSnapshot;
  readonly label: Words;
  readonly aria: Words;
  readonly name: Words;
  readonly placeholder: Words;
  readonly title: Words;
  readonly description: Words;
  readonly neighbour: Words;
  /** `name` and `id` in lower case, for the patterns of identifiers in code. */
  readonly codes: readonly [name: string, id: string];
  /** Both as one string. */
  readonly code: string;
  /** What a pressable says. */
  readonly text: Words;
}

/** `loginUserName[0]` → `login User Name 0`. */
function split(identifier: string): string {
  return identifier.replace(/([a-z])([A-Z])/g, '$1 $2');
}

const ADDRESS = /^\s*\S+@\S+\.\p{L}{2,}\s*$/u;

const coded = (identifier: string): string => identifier.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

export function evidenceOf(control: ControlSnapshot): Evidence {
  const codes = [coded(control.name), coded(control.id)] as const;
  return {
    control,
    label: words(control.label),
    aria: words(control.aria),
    name: words(`${split(control.name)} ${split(control.id)}`),
    // "name@company.com" asks for an address.
    placeholder: words(ADDRESS.test(control.placeholder) ? 'email' : control.placeholder),
    title: words(control.title),
    description: words(control.description),
    // A label of its own makes what stands near it another box's.
    neighbour: words(control.label === '' ? control.neighbour : ''),
    codes,
    code: codes.join(' '),
    text: words(control.text),
  };
}

const WORD_SOURCES = ['label', 'aria', 'placeholder', 'title', 'description', 'neighbour'] as const;

/** The sources in which a control mentions a concept. */
export function sourcesSaying(evidence: Evidence, concept: Concept): Source[] {
  return WORD_SOURCES.filter((source) => says(concept, evidence[source]));
}

/** What names a box, as against what describes it. */
const NAMING: ReadonlySet<Source> = new Set(['label', 'aria', 'placeholder', 'neighbour']);

/** Whether a control's own name mentions a concept. */
export const isNamed = (evidence: Evidence, concept: Concept): boolean =>
  sourcesSaying(evidence, concept).some((source) => NAMING.has(source));

export function isTextBox(control: ControlSnapshot): boolean {
  // What calls itself a box and is none of HTML's shows a choice, or is the editor of an application.
  return control.tag === 'input' && /^(text|email|tel|number|url|search|password|)$/.test(control.type);
}

/** Takes a day or a month, in one form for all browsers whatever it shows. */
export const isDated = ({ tag, type }: ControlSnapshot): boolean => tag === 'input' && /^(date|month)$/.test(type);

/** To type or choose in. */
export const isBox = (control: ControlSnapshot): boolean =>
  isTextBox(control) || isDated(control) || control.tag === 'select' || control.tag === 'textarea';

export function isTick(control: ControlSnapshot): boolean {
  return control.type === 'checkbox' || control.type === 'radio' || control.role === 'radio' || control.role === 'checkbox';
}

export function isPressable(control: ControlSnapshot): boolean {
  if (control.tag === 'input') return /^(submit|button|image)$/.test(control.type);
  return control.tag === 'button'
    ? control.type !== 'reset' && !isTick(control)
    : (control.tag === 'a' || control.tag === 'other') && control.role !== 'textbox' && !isTick(control);
}

/** Takes a value of any kind: also what is no box to type into, as a list, a date or a file. */
export function isFillable(control: ControlSnapshot): boolean {
  if (control.tag === 'input') return !isTick(control) && !isPressable(control) && !/^(hidden|reset)$/.test(control.type);
  return control.tag === 'select' || control.tag === 'textarea' || isTextBox(control);
}

/** Whether a text of a page names somebody: the name stands there as a word of its own. */
export const isNamedIn = (text: string, name: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s()<>,]+/)
    .includes(name.toLowerCase());

/** Stands around what a page is about: its menus, head, foot and side. */
export const isInEdge = ({ landmark }: ControlSnapshot): boolean => /^(header|nav|aside|footer)$/.test(landmark);

/** Stands in its head or its menus. */
export const isInHead = ({ landmark }: ControlSnapshot): boolean => landmark === 'header' || landmark === 'nav';

export function isUsable(control: ControlSnapshot): boolean {
  return control.visible && control.unreachable === null;
}
