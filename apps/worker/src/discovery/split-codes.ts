import { isCharacter } from './characters.js';
import { isTextBox, isUsable } from './evidence.js';
import { says } from './lexicon/words.js';
import type { Meant } from './meanings.js';

/** Codes have at least four digits. */
const FEWEST = 4;
const MOST = 10;

function isOneCharacter(box: Meant): boolean {
  const { control, evidence } = box;
  if (isCharacter(box) || !isTextBox(control) || !isUsable(control) || control.type === 'email' || control.type === 'search') return false;
  if (control.maxLength === 1) return true;
  const narrow = control.box.width > 0 && control.box.width <= 90;
  return (
    control.maxLength === null &&
    (narrow || says('code', evidence.aria)) &&
    (says('code', evidence.aria) || says('code', evidence.name) || control.inputMode === 'numeric' || control.pattern === '[0-9]')
  );
}

/** Runs of boxes for one character each, in order. */
export function splitCodeRuns(members: readonly Meant[]): Meant[][] {
  const boxes = members.filter(({ control }) => isTextBox(control) && isUsable(control));
  const runs: Meant[][] = [];
  let run: Meant[] = [];
  for (const box of [...boxes, null]) {
    const continues = box !== null && isOneCharacter(box) && (run.length === 0 || run[0]?.control.form === box.control.form);
    if (!continues) {
      if (run.length >= FEWEST && run.length <= MOST) runs.push(run);
      run = [];
    }
    if (box && isOneCharacter(box)) run.push(box);
  }
  return runs;
}

/** Makes every box of such a run a code, whatever its own words say. */
export function joinSplitCodes(members: readonly Meant[]): Meant[] {
  const split = new Set(splitCodeRuns(members).flat());
  return members.map((one) =>
    split.has(one) ? { ...one, meaning: 'code', points: Math.max(one.points, 10), rules: [...one.rules, 'code/split'] } : one,
  );
}
