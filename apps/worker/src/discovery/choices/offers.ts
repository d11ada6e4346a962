import { isTick } from '../evidence.js';
import { realOptions } from '../fields/lists.js';
import { maskedDestination } from '../fields/masked.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, type Words, words } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import { type ControlSnapshot, shapeOf } from '../snapshot.js';
import type { ChoiceAction } from '../verdict.js';
import { providerPictured } from './providers.js';

/** Something a person could pick: a button, a link, a radio button or an option of a list. */
export interface Offer {
  readonly of: Meant;
  /** The option's name, never its "Select" button (D60). */
  readonly label: string;
  readonly description: string | null;
  readonly words: Words;
  /** Label and description together. */
  readonly all: Words;
  readonly text: string;
  readonly action: ChoiceAction;
}

const BARE: readonly Concept[] = ['select', 'next', 'submit', 'yes', 'verify', 'allow'];

/** Every sort of choice looks through the same ones. */
const known = new WeakMap<PageView, readonly Offer[]>();

export function offersOf(view: PageView): readonly Offer[] {
  const offers = known.get(view) ?? findOffers(view);
  known.set(view, offers);
  return offers;
}

function findOffers(view: PageView): readonly Offer[] {
  const others = new Set(view.pressables.flatMap(({ control }) => (control.lines || control.text).split('\n')));
  return [
    ...view.pressables
      .filter((of) => of.control.landmark !== 'footer' && !isWrapper(view, of.control) && !isOfNotice(view, of))
      .map((of) => offer(of, waitsForMark(view, of) ? checkOf(of) : pressOf(of), others)),
    ...view.ticks
      .filter(({ control }) => control.type === 'radio' || control.role === 'radio')
      .map((of) => offer(of, isTick(of.control) ? checkOf(of) : pressOf(of))),
    ...view.selects.flatMap(optionsOf),
  ].filter(({ label }) => label !== '');
}

/** Says what several others say, each a line of it: what lies around them. */
function isWrapper({ pressables }: PageView, { lines }: ControlSnapshot): boolean {
  const own = lines.split('\n').filter(Boolean);
  return own.length >= 2 && own.every((line) => pressables.some(({ control }) => control.text === line));
}

/** Says nothing itself, in the box of something that is told: what closes it. */
const isOfNotice = ({ snapshot: { alerts } }: PageView, of: Meant): boolean => {
  const [line = ''] = (of.control.row || of.control.neighbour).split('\n');
  return saidBy(of) === '' && line !== '' && alerts.some(({ source, text }) => source !== 'plain' && text.includes(line));
};

/** What a button says by itself. */
export const pressOffer = (of: Meant): Offer => named(of, ownText(of), pressOf(of), '');

/** What a button offers, named by its row where it only says "Select". */
export const rowOffer = (of: Meant): Offer => offer(of, pressOf(of));

const pressOf = ({ control }: Meant): ChoiceAction => ({ kind: 'press', handle: control.handle });
const checkOf = ({ control }: Meant): ChoiceAction => ({ kind: 'check', handle: control.handle });

const SENDS: readonly Concept[] = ['next', 'submit', 'verify', 'select', 'accept', 'signIn'];

/** One of several that is marked only, where nothing is to be typed: the button that goes on with it is locked until one is. */
function waitsForMark({ forms, pressables }: PageView, { control }: Meant): boolean {
  const form = forms.find(({ segment }) => segment.buttons.some((button) => button.control.handle === control.handle));
  if (form === undefined || control.tag === 'a') return false;
  const isAlike = (other: Meant): boolean => other.control.handle !== control.handle && shapeOf(other.control) === shapeOf(control);
  const isListed = control.role === 'option' || (form.segment.blanks.length === 0 && pressables.some(isAlike));
  const isLocked = (button: Meant): boolean => button.control.visible && button.control.disabled;
  return (
    isListed && form.segment.buttons.some((button) => isLocked(button) && SENDS.some((concept) => isJust(concept, button.evidence.text)))
  );
}

const saidBy = ({ control }: Meant): string => {
  const names = [control.lines, control.text, control.label, control.aria, providerPictured(control) ?? ''];
  return names.find((name) => /[\p{L}\p{N}]/u.test(name)) ?? '';
};
const ownText = (of: Meant): string => saidBy(of) || of.control.neighbour;

/** `others`: what else can be pressed says so, which describes nothing but itself. */
function offer(of: Meant, action: ChoiceAction, others: ReadonlySet<string> = new Set()): Offer {
  const { control } = of;
  const said = saidBy(of);
  const row = control.row
    .split('\n')
    .filter((line) => !others.has(line))
    .join('\n');
  // A picture is named by what stands with it.
  const isRows = said === '' || BARE.some((concept) => isJust(concept, words(said)));
  return named(of, isRows && row ? row : said || control.neighbour, action, isRows ? '' : row);
}

/** "Sign in with", above the name of whom. */
const UNFINISHED = /(?<!\p{L})(with|using|via|mit|über|avec|con|com|met|przez|через)\n/giu;

function named(of: Meant, text: string, action: ChoiceAction, beside: string): Offer {
  const lines = text
    .replace(UNFINISHED, '$1 ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}@]/u.test(line));
  // One-letter avatars stand before the name in account lists.
  const start = lines.length > 1 && (lines[0]?.length ?? 0) <= 2 ? 1 : 0;
  const label = (lines[start] ?? '').slice(0, 120);
  // The row of a radio button holds its label once more.
  const rest = [...lines.slice(start + 1), ...(beside.length <= 120 ? beside.split('\n') : [])].filter(
    (line) => line !== '' && line !== label,
  );
  return {
    of,
    label,
    description: rest.length ? rest.join(' ').slice(0, 200) : null,
    words: words(label),
    all: words(`${label} ${rest.join(' ')}`),
    text: `${label} ${rest.join(' ')}`.trim(),
    action,
  };
}

export const optionsOf = (of: Meant): Offer[] =>
  realOptions(of.control).map(({ option, place }) =>
    named(of, `${nameAndDetail(option.text)}\n${option.group}`, { kind: 'select', handle: of.control.handle, option: place }, ''),
  );

/** An option has one line for its name and its detail, where a list of rows has two: `Email (send a code to m***@mail.example)`. */
function nameAndDetail(text: string): string {
  const [, name, detail = ''] =
    /^(.{2,80}?)\s*(?:[(（]([^()（）]{2,160})[)）]|\s[–—-]\s(.{2,160}))$/u.exec(text)?.filter((part) => part !== undefined) ?? [];
  return name !== undefined && (maskedDestination(detail) !== null || detail.split(/\s+/).length >= 3) ? `${name}\n${detail}` : text;
}

/** A text that is made of nothing but what can be chosen: the answers to a question, however much they sound like a refusal. */
export function isOnlyOffered({ ticks }: PageView, { text }: { readonly text: string }): boolean {
  const names = ticks.map(({ control }) => control.label).filter((label) => label !== '');
  const rest = [...names].sort((a, b) => b.length - a.length).reduce((left, name) => left.replaceAll(name, ' '), text);
  return names.length > 0 && !/[\p{L}\p{N}]/u.test(rest);
}
