/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { elementAt } from './dom.js';
import { labelText } from './naming.js';

/** The radio buttons at these places; empty if they are none. */
export function radiosAt(paths: readonly string[]): HTMLInputElement[] {
  const found = paths.map((path) => elementAt(path));
  return found.filter((element): element is HTMLInputElement => element instanceof HTMLInputElement && element.type === 'radio');
}

/** The one of this name that can be set. */
export function radioNamed(radios: readonly HTMLInputElement[], name: string): HTMLInputElement | null {
  return radios.find((radio) => labelText(radio) === name && !radio.disabled) ?? null;
}

/** Sets the one of this name. @returns false when there is none. */
export function chooseRadio(radios: readonly HTMLInputElement[], name: string): boolean {
  const wanted = radioNamed(radios, name);
  if (wanted && !wanted.checked) wanted.click();
  return wanted !== null;
}

/** Whether the one of this name is set. */
export function isRadioSet(radios: readonly HTMLInputElement[], name: string): boolean {
  return radios.some((radio) => radio.checked && labelText(radio) === name);
}
