import { isInEdge, isUsable } from '../evidence.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, lengthOf, plain, says, type Words, words } from '../lexicon/words.js';
import type { ControlSnapshot, OptionSnapshot } from '../snapshot.js';

/** An option that can be chosen, and its place among all of its list. */
export interface RealOption {
  readonly option: OptionSnapshot;
  readonly place: number;
}

/** Real options of a list: not the disabled or empty one that only says "choose". */
export function realOptions({ options }: Pick<ControlSnapshot, 'options'>): RealOption[] {
  return options.map((option, place) => ({ option, place })).filter(({ option, place }) => !isPlaceholder(option, place, options));
}

function isPlaceholder(option: OptionSnapshot, place: number, all: readonly OptionSnapshot[]): boolean {
  if (option.disabled || option.text === '') return true;
  return (
    place === 0 &&
    (/^(|null|undefined)$/.test(option.value) || isPrompt(option, all.slice(1)) || isOddAmongNumbers(option.text, all.slice(1)))
  );
}

const PROMPTS: readonly Concept[] = ['select', 'pick', 'chooseOrganization'];

/** "Please choose", "Choose your role", or a line of dashes; not "Use e-mail" above "Use a phone". */
function isPrompt({ text, value }: OptionSnapshot, others: readonly OptionSnapshot[]): boolean {
  const said = words(text);
  const isNothing = value === text || /^(0|-1|[^\p{L}\p{N}]*)$/u.test(value);
  const isAsking = (text_: Words): boolean => PROMPTS.some((concept) => says(concept, text_));
  const isAlone = !others.some((other) => isAsking(words(other.text)));
  return isJust('select', said) || (isNothing && isAlone && isAsking(said)) || /^[-–—\s.…]*$/.test(text) || /^[-–—]/.test(text.trim());
}

/** "Day" above 1 to 31. */
const isOddAmongNumbers = (text: string, others: readonly OptionSnapshot[]): boolean =>
  others.length > 1 && !/\d/.test(text) && others.every((other) => /^\d{1,4}$/.test(other.text));

/** What a list says while nothing is chosen in it; empty if it says nothing. */
export const promptOf = ({ options: [first, ...others] }: Pick<ControlSnapshot, 'options'>): string =>
  first !== undefined && isPlaceholder(first, 0, [first, ...others]) ? first.text.replace(/^[-–—\s]+|[-–—\s.…:]+$/gu, '') : '';

/** A list that could be part of a step: in reach, not about how the website is shown, with something to choose. */
export const isAskableList = (list: Meant): boolean =>
  list.control.tag === 'select' &&
  isUsable(list.control) &&
  !list.control.disabled &&
  !isInEdge(list.control) &&
  realOptions(list.control).length > 0 &&
  !isPreference(list);

/** A list that waits for a choice: it stands at no real option, or asks for a part of a birthday, or which question is answered. */
export function isOpenList(list: Meant): boolean {
  if (!isAskableList(list)) return false;
  const { control } = list;
  return isBlank(list) || /(^|\s)bday/.test(control.autocomplete) || isOfQuestions(realOptions(control));
}

/** An option without a value may still be one ("Local account"), unless it only says what the list is for. */
function isBlank({ control, evidence: { label, aria, neighbour } }: Meant): boolean {
  const at = control.options.find(({ selected }) => selected);
  if (at === undefined || at.text === '' || at.disabled) return true;
  if (realOptions(control).some(({ option }) => option === at)) return false;
  const said = words(at.text);
  const isName = [label, aria, neighbour].some(({ squeezed }) => squeezed !== '' && said.squeezed.includes(squeezed));
  return (
    control.required ||
    DATE_MARK.test(at.text) ||
    isPrompt(at, control.options.slice(1)) ||
    isOddAmongNumbers(at.text, control.options.slice(1)) ||
    isName ||
    says('person', said)
  );
}

/** Where a day, a month or a year goes: "MM". */
const DATE_MARK = /^(?:d{1,2}|m{1,2}|y{2,4}|t{1,2}|j{2,4}|a{2,4}|g{1,2}|r{4}|年|月|日)$/i;

const isOfQuestions = (real: readonly RealOption[]): boolean =>
  real.length > 1 && real.filter(({ option }) => /[?？]\s*$/.test(option.text)).length > real.length / 2;

const PREFERENCES =
  /lang|locale|translat|time_?zone|(^|[ _-])(tz|hl|lc)([ _-]|$)|currency|theme|style|skin|dial|calling|(country|area)_?code|remember|expir|duration|session_?(length|time)/;
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(
  'english deutsch francais espanol portugues italiano nederlands polski svenska dansk norsk suomi cestina magyar turkce romana русский українська 日本語 中文 简体中文 繁體中文 한국어 العربية עברית ไทย tieng bahasa hrvatski slovencina ελληνικα german french spanish portuguese italian dutch polish russian japanese chinese korean'
    .split(' ')
    .map(plain),
);

/** How the website is to be shown, for how long it is to remember, or the code before a phone number: nothing that a login asks. */
function isPreference({ control, evidence }: Meant): boolean {
  const real = realOptions(control);
  const speaks = ({ option }: RealOption): boolean =>
    words(option.text)
      .spaced.split(' ')
      .some((word) => LANGUAGE_NAMES.has(word));
  const isMostly = (test: (one: RealOption) => boolean): boolean => real.filter(test).length > real.length / 2;
  return (
    PREFERENCES.test(`${evidence.code} ${control.classes.toLowerCase()}`) ||
    [evidence.label, evidence.aria].some((said) => lengthOf(said) > 0 && says('remember', said)) ||
    isMostly(speaks) ||
    isMostly(({ option }) => /^\D*\+\d/.test(option.text))
  );
}

/** All that a form may ask for: boxes to type into, and what is none, as a date or a list that waits for a choice. */
export const askableBoxes = ({ segment }: { readonly segment: { readonly boxes: readonly Meant[] } }): Meant[] =>
  segment.boxes.filter((box) => (box.control.tag === 'select' ? isOpenList(box) : isUsable(box.control) && !box.control.disabled));
