/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { drawnFor } from './controls.js';
import { cleanText, elementAt, isDisabled, pathOf } from './dom.js';
import { optionName } from './naming.js';
import { chooseRadio, isRadioSet, radiosAt } from './radios.js';
import { beginPress, pressSoon } from './heed.js';
import { watchChanges } from './watch.js';

export interface FillRequest {
  /** `oneTime`: a code, which a page may watch for until it is complete. */
  readonly fills: readonly { readonly paths: readonly string[]; readonly value: string; readonly oneTime: boolean }[];
}

export interface PressRequest {
  /** Null: send the form of `field`. */
  readonly path: string | null;
  readonly field: string | null;
  /** Longest wait in milliseconds for the control to become enabled. */
  readonly enableMs: number;
  /** The same for a check of the browser that fills in its own answer. */
  readonly checkMs: number;
}

/** `path` is the element at fault. Values never appear here. */
export type StepReport =
  | { readonly kind: 'done'; readonly changes: number }
  | { readonly kind: 'needs_enter' }
  | { readonly kind: 'not_found' | 'not_accepted' | 'disabled'; readonly path: string }
  | { readonly kind: 'invalid'; readonly path: string; readonly message: string };

/** Sets a value the way frameworks notice: through the prototype's setter (React overrides the instance's). */
export function writeValue(element: HTMLInputElement | HTMLTextAreaElement, value: string, inputType: string): void {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  element.dispatchEvent(new InputEvent('input', { data: value, inputType, bubbles: true, composed: true }));
}

/**
 * Sets a value with the events of typing around it. `Event` is the browser's own, also where a library has taken its name (see realm.ts); a
 * `UIEvent` in its place would have a `detail`, by which components know events that they have made themselves.
 */
export function enterValue(element: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const key = { key: value[value.length - 1] ?? '', bubbles: true, composed: true, cancelable: true };
  element.focus();
  element.dispatchEvent(new KeyboardEvent('keydown', key));
  writeValue(element, value, 'insertText');
  element.dispatchEvent(new KeyboardEvent('keyup', key));
  element.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
}

/** A mask may add its own separators, but must not lose a letter or digit. */
export function holdsValue(element: Element, value: string): boolean {
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].some((option) => optionName(option) === value);
  const held = (element as HTMLInputElement).value ?? '';
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
  return held === value || (bare(value) !== '' && bare(held) === bare(value) && held.length > value.length);
}

export async function nextTask(): Promise<void> {
  const channel = new MessageChannel();
  return new Promise((resolve) => {
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/** Until the page has been drawn anew, as between two keys of a person; a page that is not drawn at all has 50 ms. */
export async function nextFrame(): Promise<void> {
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, 50);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve, 0);
    });
  });
}

/** As a browser pastes it: a box of one line takes no line breaks, and a key for one would send its form. */
export function inOneLine(value: string): string {
  return value.replace(/[\r\n]+/g, '');
}

/** What a box takes of a value; one of several lines counts every line break as one, as it will hold it. */
export function takenBy({ path, value }: { path: string; value: string }): string {
  return elementAt(path) instanceof HTMLTextAreaElement ? value.replace(/\r\n?/g, '\n') : inOneLine(value);
}

/** What goes into each box of a fill: one character each, or as many as each takes, the separators between them left out. */
export function charactersOf({ paths, value: given }: FillRequest['fills'][number]): string[] {
  const value = takenBy({ path: paths[0] ?? '', value: given });
  if (paths.length <= 1) return [value];
  const room = (elementAt(paths[0] ?? '') as HTMLInputElement | null)?.maxLength ?? 1;
  if (room <= 1) return [...value];
  const bare = [...value.replace(/[^\p{L}\p{N}]/gu, '')];
  return paths.map((_path, place) => bare.slice(place * room, (place + 1) * room).join(''));
}

/** @returns -1 when the list has none of this name that can be chosen */
export function placeOfOption(list: HTMLSelectElement, name: string): number {
  return [...list.options].findIndex((option) => optionName(option) === name && !option.disabled);
}

/** Sets a list to the option of this name. @returns false when it has none */
export function chooseOption(list: HTMLSelectElement, name: string): boolean {
  const place = placeOfOption(list, name);
  if (place >= 0) takeOption(list, place);
  return place >= 0;
}

export function takeOption(list: HTMLSelectElement, place: number): void {
  list.focus();
  list.selectedIndex = place;
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
}

/**
 * Deletes what a box of a split code holds, by the key that does it: a component that has an answer of its own to the key holds the
 * browser's back, and would take a change of its box for one more character of the code.
 */
export function deleteCharacter(element: HTMLInputElement): void {
  const key = { key: 'Backspace', code: 'Backspace', keyCode: 8, bubbles: true, composed: true, cancelable: true };
  element.focus();
  if (element.dispatchEvent(new KeyboardEvent('keydown', key))) writeValue(element, '', 'deleteContentBackward');
  element.dispatchEvent(new KeyboardEvent('keyup', key));
}

/**
 * What is left in the boxes of a code, the last first as one deletes it: a page that takes a code once every box is full would take a mixture
 * of both at every box that is typed over, and one that takes it once it is complete none that was complete before. The page has its say
 * after each.
 */
export async function emptyBoxes({ paths, oneTime }: FillRequest['fills'][number]): Promise<void> {
  if (paths.length <= 1 && !oneTime) return;
  for (let place = paths.length - 1; place >= 0; place -= 1) {
    const path = paths[place] ?? '';
    const element = elementAt(path);
    if (!(element instanceof HTMLInputElement) || element.value === '' || element.readOnly || element.disabled) continue;
    deleteCharacter(element);
    await nextFrame();
    const left = elementAt(path);
    if (left instanceof HTMLInputElement && left.value !== '') writeValue(left, '', 'deleteContentBackward');
  }
}

/** Fills every field of this frame, then looks whether the page kept what was entered. */
export async function fillFields({ fills }: FillRequest): Promise<StepReport> {
  for (const fill of fills) {
    const radios = radiosAt(fill.paths);
    if (radios.length > 0) {
      if (!chooseRadio(radios, fill.value)) return { kind: 'not_accepted', path: fill.paths[0] ?? '' };
      continue;
    }
    await emptyBoxes(fill);
    for (let place = 0; place < fill.paths.length; place += 1) {
      const path = fill.paths[place] ?? '';
      const element = elementAt(path);
      if (!element) return { kind: 'not_found', path };
      // Some sites lift `readonly` on focus, to keep the browser's own autofill away.
      (element as HTMLElement).focus();
      if (element instanceof HTMLSelectElement) {
        if (element.disabled || !chooseOption(element, fill.value)) return { kind: 'not_accepted', path };
        continue;
      }
      if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) || element.readOnly || element.disabled)
        return { kind: 'not_accepted', path };
      enterValue(element, charactersOf(fill)[place] ?? '');
      // The boxes of a split code share their page's state, which knows of one only once it has been told of the one before.
      if (fill.paths.length > 1) await nextFrame();
    }
  }
  await nextTask();
  return checkFields({ fills });
}

/** Whether every field holds its value. Boxes that are gone belong to a page that went on with a complete code. */
export function checkFields({ fills }: FillRequest): StepReport {
  for (const fill of fills) {
    const radios = radiosAt(fill.paths);
    if (radios.length > 0 && !isRadioSet(radios, fill.value)) return { kind: 'not_accepted', path: fill.paths[0] ?? '' };
    if (radios.length > 0) continue;
    for (let place = 0; place < fill.paths.length; place += 1) {
      const path = fill.paths[place] ?? '';
      const element = elementAt(path);
      if (element && !holdsValue(element, charactersOf(fill)[place] ?? '')) return { kind: 'not_accepted', path };
    }
  }
  return { kind: 'done', changes: watchChanges() };
}

/**
 * What is pressed to open the list in which a value is chosen: a box that takes no keys, or what is drawn for a list that is not seen. Null
 * for a box of any other kind.
 */
export function openerOf({ path }: { path: string }): string | null {
  const element = elementAt(path);
  const drawn = element === null ? null : drawnFor(element);
  if (drawn !== null) return pathOf(drawn);
  const isList = element?.getAttribute('role') === 'combobox' || element?.getAttribute('aria-haspopup') === 'listbox';
  return element instanceof HTMLInputElement && element.readOnly && isList ? path : null;
}

/** After real keys a mask has had its say: any value will do. */
export function isFilled({ paths }: { paths: readonly string[] }): boolean {
  return paths.every((path) => {
    const element = elementAt(path) as HTMLInputElement | null;
    return element === null || element.isContentEditable || (element.value ?? '') !== '';
  });
}

/** The first box the browser itself would refuse, which would keep a press from sending anything. */
export function firstInvalid(form: HTMLFormElement, button: Element | null): HTMLInputElement | null {
  const skips = form.noValidate || (button as HTMLButtonElement | null)?.formNoValidate === true;
  if (skips) return null;
  return ([...form.elements] as HTMLInputElement[]).find((element) => element.willValidate && !element.validity.valid) ?? null;
}

/** What the browser itself would say against sending a form, null for nothing. */
export function refusalOf(form: HTMLFormElement, button: Element | null): string | null {
  const invalid = firstInvalid(form, button);
  return invalid && cleanText(invalid.validationMessage, 200);
}

export function formOf(element: Element): HTMLFormElement | null {
  return (element as HTMLInputElement).form ?? element.closest('form');
}

export function isSubmit(element: Element): boolean {
  return /^(submit|image)$/.test((element as HTMLInputElement).type ?? '');
}

export function isChecked(element: Element): boolean {
  return (
    (element as HTMLInputElement).checked ||
    element.getAttribute('aria-checked') === 'true' ||
    element.getAttribute('aria-selected') === 'true'
  );
}

/** Menus and custom buttons listen to any of these; a person's click makes them all. */
export function clickLikeAPerson(element: HTMLElement): void {
  const box = element.getBoundingClientRect();
  const place = {
    bubbles: true,
    composed: true,
    cancelable: true,
    clientX: box.left + box.width / 2,
    clientY: box.top + box.height / 2,
    button: 0,
  };
  element.dispatchEvent(new PointerEvent('pointerdown', { ...place, buttons: 1, pointerId: 1, pointerType: 'mouse', isPrimary: true }));
  element.dispatchEvent(new MouseEvent('mousedown', { ...place, buttons: 1, detail: 1 }));
  element.focus();
  element.dispatchEvent(new PointerEvent('pointerup', { ...place, pointerId: 1, pointerType: 'mouse', isPrimary: true }));
  element.dispatchEvent(new MouseEvent('mouseup', { ...place, detail: 1 }));
  element.click();
}

/** A check that its page makes by itself has not answered yet: what is sent without its answer is refused. */
export function isChecking(): boolean {
  const answers = document.querySelectorAll<HTMLInputElement>(
    'input[name=cf-turnstile-response], input[name=frc-captcha-solution], input[name=altcha]',
  );
  return [...answers].some(({ value }) => value === '' || value.startsWith('.'));
}

/** Presses once. */
export async function pressControl({ path, field, enableMs, checkMs }: PressRequest): Promise<StepReport> {
  const named = path ?? field ?? '';
  for (const started = performance.now(); ;) {
    const element = elementAt(named);
    const waited = performance.now() - started;
    const isReady = element !== null && !(path !== null && isDisabled(element));
    if (isReady && !(isChecking() && waited < checkMs)) break;
    if (!isReady && waited >= Math.max(enableMs, isChecking() ? checkMs : 0))
      return { kind: element ? 'disabled' : 'not_found', path: named };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const element = elementAt(named) as HTMLElement;
  const form = formOf(element);
  if (form && (path === null || isSubmit(element))) {
    const message = refusalOf(form, path === null ? null : element);
    if (message !== null) return { kind: 'invalid', path: named, message };
  }
  if (path === null && !form) {
    beginPress();
    return { kind: 'needs_enter' };
  }
  const changes = watchChanges();
  pressSoon(element.getRootNode(), () => (path === null ? form?.requestSubmit() : clickLikeAPerson(element)));
  return { kind: 'done', changes };
}

export function checkControl({ path }: { path: string }): StepReport {
  const element = elementAt(path) as HTMLElement | null;
  if (!element) return { kind: 'not_found', path };
  if (!isChecked(element)) element.click();
  return { kind: 'done', changes: watchChanges() };
}

export function selectOption({ path, option }: { path: string; option: number }): StepReport {
  const element = elementAt(path);
  if (!(element instanceof HTMLSelectElement) || !element.options[option]) return { kind: 'not_found', path };
  takeOption(element, option);
  return { kind: 'done', changes: watchChanges() };
}
