import { methodOf } from '../choices/methods.js';
import { rowOffer } from '../choices/offers.js';
import { isInEdge, isUsable } from '../evidence.js';
import type { JudgedForm } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { says, words } from '../lexicon/words.js';
import type { PageSnapshot } from '../snapshot.js';

export type RadioGroup = readonly [Meant, ...Meant[]];

const MOST = 12;
/** How the page is to be shown. */
const PREFERENCES = /lang|locale|theme|colou?r|currency/i;

/**
 * Radio buttons that stand beside what a form asks for, each group of one name: where none is set the website wants one of them ("Is this
 * computer public or private?"). Ways to have a code sent are a choice of their own, and what has a button of its own is sent by itself.
 */
export function radioGroups({ segment }: JudgedForm, { controls }: PageSnapshot): readonly RadioGroup[] {
  const groups = new Map<string, [Meant, ...Meant[]]>();
  for (const tick of segment.ticks) {
    const { type, name } = tick.control;
    if (type !== 'radio' || name === '' || PREFERENCES.test(name)) continue;
    const group = groups.get(name);
    groups.set(name, group === undefined ? [tick] : [...group, tick]);
  }
  const places = new Map(controls.map(({ handle }, place) => [handle, place]));
  const placesOf = (some: readonly Meant[]): readonly number[] => some.map(({ control }) => places.get(control.handle) ?? 0);
  const senders = placesOf(segment.buttons.filter(({ control }) => control.tag !== 'a' && isUsable(control)));
  const boxes = placesOf(segment.boxes.filter(({ control }) => isUsable(control)));
  const isSentWith = (group: readonly Meant[]): boolean => {
    const [from, to] = [Math.min(...placesOf(group)), Math.max(...placesOf(group))];
    return boxes.some((box) => !senders.some((sender) => (sender > to && sender < box) || (sender > box && sender < from)));
  };
  return [...groups.values()].filter((group) => isQuestion(group) && isSentWith(group));
}

export const isOpenGroup = (group: readonly Meant[]): boolean => group.every(({ control }) => !control.checked);

const isQuestion = (group: readonly Meant[]): boolean =>
  group.length >= 2 &&
  group.length <= MOST &&
  group.every(({ control }) => isUsable(control) && !control.disabled && control.label !== '' && !isInEdge(control)) &&
  new Set(group.map(({ control }) => control.label)).size === group.length &&
  (group.some(({ control }) => control.required) ||
    !(['remember', 'staySignedIn'] as const).some((concept) => says(concept, words(group[0]?.control.legend ?? '')))) &&
  group.every((tick) => methodOf(rowOffer(tick)) === null);
