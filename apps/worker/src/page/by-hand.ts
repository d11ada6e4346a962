import type { Frame, Locator } from 'playwright-core';
import { locate, partsOf } from './frames.js';
import { inOneLine, isFilled, openerOf, takenBy } from './in-page/fill.js';
import { pressKeys } from './in-page/keypad.js';
import { inFrame } from './in-page/script.js';
import type { ActOutcome, Fill } from './page-port.js';

/** A real key or click is taken within this, on a slow machine too, or not at all. */
export const KEY_MS = 5_000;

const PAGE = { isFilled: inFrame(isFilled), openerOf: inFrame(openerOf), pressKeys: inFrame(pressKeys), takenBy: inFrame(takenBy) };

/**
 * Enters a value with real keys, by the keypad of the page, or with a real mouse where a list is opened for it: for boxes that take it from no
 * script.
 */
export async function enterByHand(frame: Frame, fill: Fill): Promise<ActOutcome> {
  const { path } = partsOf(fill.handles[0]);
  const opener = await PAGE.openerOf(frame, { path }).catch(() => null);
  if (opener !== null) return pickFromList(frame, fill, opener);
  // A page that is gone has gone on with what was complete.
  const isKeyed = await PAGE.pressKeys(frame, { path, value: inOneLine(fill.value) }).catch(() => true);
  return isKeyed ? heldBy(frame, fill) : typeKeys(frame, fill);
}

async function heldBy(frame: Frame, { handles }: Fill): Promise<ActOutcome> {
  const paths = handles.map((handle) => partsOf(handle).path);
  const isHeld = await PAGE.isFilled(frame, { paths }).catch(() => true);
  return isHeld ? { kind: 'done' } : { kind: 'not_accepted', handle: handles[0] };
}

/**
 * One box after another; boxes that move the focus on by themselves get the whole value. All are emptied first: a code of old and new
 * characters may send itself.
 */
export async function typeKeys(frame: Frame, { handles, value: given }: Fill): Promise<ActOutcome> {
  const paths = handles.map((handle) => partsOf(handle).path);
  try {
    const value = await PAGE.takenBy(frame, { path: partsOf(handles[0]).path, value: given });
    for (const path of [...paths].reverse()) {
      const box = locate(frame, path);
      await box.focus({ timeout: KEY_MS });
      await box.press('ControlOrMeta+a', { timeout: KEY_MS });
      await box.press('Delete', { timeout: KEY_MS });
    }
    for (const [place, path] of paths.entries()) {
      const box = locate(frame, path);
      await box.focus({ timeout: KEY_MS });
      await typeLines(box, paths.length > 1 ? ([...value][place] ?? '') : value);
    }
    if (await PAGE.isFilled(frame, { paths })) return { kind: 'done' };
  } catch {
    // As if it had not taken them.
  }
  return { kind: 'not_accepted', handle: handles[0] };
}

/** A line break is pasted: its key is what many a box of several lines is sent by. */
async function typeLines(box: Locator, value: string): Promise<void> {
  for (const [place, line] of value.split('\n').entries()) {
    if (place > 0) await box.page().keyboard.insertText('\n');
    await box.pressSequentially(line, { timeout: KEY_MS + line.length * 20 });
  }
}

/** Opens the list of a box and takes the option of that name; where it has none, what it has is told. */
async function pickFromList(frame: Frame, { handles: [handle], value }: Fill, opener: string): Promise<ActOutcome> {
  try {
    const box = locate(frame, opener);
    const options = frame.getByRole('option').filter({ visible: true });
    await box.click({ timeout: KEY_MS });
    await options.first().waitFor({ timeout: KEY_MS });
    const names = (await options.allInnerTexts()).map((name) => name.replace(/\s+/g, ' ').trim());
    const place = names.findIndex((name) => name.toLowerCase() === value.trim().toLowerCase());
    if (place === -1) {
      await box.press('Escape', { timeout: KEY_MS });
      return { kind: 'invalid', handle, message: `There is no such option. Give one of: ${names.join(', ')}`.slice(0, 200) };
    }
    await options.nth(place).click({ timeout: KEY_MS });
    return { kind: 'done' };
  } catch {
    return { kind: 'not_accepted', handle };
  }
}
