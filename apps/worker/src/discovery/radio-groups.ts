import { methodOf } from './choices.js';
import { isInEdge, isUsable } from './evidence.js';
import type { JudgedForm } from './forms.js';
import { rowOffer } from './offers.js';
import type { Meant } from './meanings.js';

const MOST = 12;

/**
 * Radio buttons that stand beside what a form asks for, each group of one name: where none is set the website wants one of them ("Is this
 * computer public or private?"). Ways to have a code sent are a choice of their own.
 */
export function radioGroups({ segment }: JudgedForm): readonly (readonly Meant[])[] {
  const groups = new Map<string, Meant[]>();
  for (const tick of segment.ticks) {
    const { type, name } = tick.control;
    if (type !== 'radio' || name === '') continue;
    groups.set(name, [...(groups.get(name) ?? []), tick]);
  }
  return [...groups.values()].filter(isQuestion);
}

export const isOpenGroup = (group: readonly Meant[]): boolean => group.every(({ control }) => !control.checked);

const isQuestion = (group: readonly Meant[]): boolean =>
  group.length >= 2 &&
  group.length <= MOST &&
  group.every(({ control }) => isUsable(control) && !control.disabled && control.label !== '' && !isInEdge(control)) &&
  new Set(group.map(({ control }) => control.label)).size === group.length &&
  group.every((tick) => methodOf(rowOffer(tick)) === null);
