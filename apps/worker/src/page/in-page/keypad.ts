/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { attribute, cleanText, elementAt, isDisabled, parentOf } from './dom.js';
import { clickLikeAPerson, nextFrame } from './fill.js';

/** What a key says: a digit and nothing else, as text or, where it is a picture, by its name. */
export function digitOf(element: Element): string {
  const said = cleanText(element.textContent, 2) || attribute(element, 'value', 2) || attribute(element, 'aria-label', 2);
  return /^\d$/.test(said) ? said : '';
}

/** The keys of a part of the page by their digits, the innermost of what says the same; null where one is missing or there twice. */
export function keysIn(part: Element): HTMLElement[] | null {
  const said = [...part.querySelectorAll<HTMLElement>('button, a, input[type=button], td, li, div, span')].filter(
    (element) => digitOf(element) !== '' && element.getClientRects().length > 0 && !isDisabled(element),
  );
  const keys = said.filter((element) => !said.some((other) => other !== element && element.contains(other)));
  const byDigit = [...'0123456789'].map((digit) => keys.filter((key) => digitOf(key) === digit));
  return byDigit.every(({ length }) => length === 1) ? byDigit.flat() : null;
}

/** The keypad that stands nearest around a box. */
export function keypadOf(box: Element): HTMLElement[] | null {
  for (let part = parentOf(box); part; part = parentOf(part)) {
    const keys = keysIn(part);
    if (keys !== null) return keys;
  }
  return null;
}

/**
 * Enters digits by the keys that the page has drawn, or draws once the box is used, for a box that takes none from outside. They may lie
 * anew after each.
 * @returns false, with no key pressed, where there is no such box, value or keypad
 */
export async function pressKeys({ path, value }: { path: string; value: string }): Promise<boolean> {
  const box = elementAt(path);
  if (!(box instanceof HTMLInputElement) || !box.readOnly || !/^\d+$/.test(value)) return false;
  if (keypadOf(box) === null) clickLikeAPerson(box);
  await nextFrame();
  if (keypadOf(box) === null) return false;
  for (const digit of value) {
    const key = keypadOf(elementAt(path) ?? box)?.[Number(digit)];
    if (key === undefined) break;
    clickLikeAPerson(key);
    await nextFrame();
  }
  return true;
}
