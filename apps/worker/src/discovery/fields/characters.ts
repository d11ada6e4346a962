import { isTextBox, isUsable } from '../evidence.js';
import type { Meant } from '../forms/meanings.js';

/** Of a box for a single character of a secret. */
export const CHARACTER = 'question/character';
export const isCharacter = ({ rules }: Pick<Meant, 'rules'>): boolean => rules.includes(CHARACTER);

const MOST = 20;
/** Characters that a code has at least. */
export const FEWEST_OF_CODE = 4;

const isOneCharacter = ({ control }: Meant): boolean => isTextBox(control) && isUsable(control) && control.maxLength === 1;

/**
 * The first of the boxes of a code that has as many characters as this one holds, so that a code which is pasted or filled in by the system
 * goes into it whole.
 */
export const takesWhole = ({ control }: Meant, following: readonly Meant[]): boolean => {
  const rest = following.slice(0, (control.maxLength ?? 0) - 1);
  return (
    control.maxLength === rest.length + 1 &&
    control.maxLength >= FEWEST_OF_CODE &&
    rest.every((box) => isOneCharacter(box) && box.control.form === control.form) &&
    !following.slice(rest.length, rest.length + 1).some(isOneCharacter)
  );
};

const isGiven = ({ control }: Meant): boolean => !control.disabled && !(control.readOnly && control.filled);

/** Neighbouring boxes for one character each; those that cannot be filled stand for the characters which are not asked for. */
function runsOf(members: readonly Meant[]): Meant[][] {
  const boxes = members.filter(({ control }) => isTextBox(control) && isUsable(control));
  const isOne = (box: Meant | undefined, place: number): boolean =>
    box !== undefined && (isOneCharacter(box) || takesWhole(box, boxes.slice(place + 1)));
  return boxes.reduce<Meant[][]>((runs, box, place) => {
    if (!isOne(box, place)) return runs;
    const before = boxes[place - 1];
    const continues = before !== undefined && isOne(before, place - 1) && before.control.form === box.control.form;
    return continues ? [...runs.slice(0, -1), [...(runs.at(-1) ?? []), box]] : [...runs, [box]];
  }, []);
}

/** "2nd", "Character 5": where in a secret a box says that it is. */
const placeOf = ({ control }: Meant): number =>
  Number(/\d{1,2}/.exec(control.label || control.aria || control.placeholder || control.neighbour)?.[0] ?? NaN);

/** Places that leave some out: whoever asks for a whole code begins at the first and goes through. */
const leavesOut = (run: readonly Meant[]): boolean => {
  const places = run.map(placeOf);
  return places.every((place, at) => place > (places[at - 1] ?? 0)) && (places.at(-1) ?? 0) > run.length;
};

/** Some characters of a secret, not all: boxes that are shut among them, places left out, or too few hidden ones for a code. */
function isOfSecret(run: readonly Meant[]): boolean {
  const given = run.filter(isGiven);
  if (given.length === 0 || run.length > MOST) return false;
  const isHidden = given.every(({ control }) => control.type === 'password');
  return (run.length > 1 && given.length < run.length) || leavesOut(given) || (isHidden && given.length > 1 && given.length < 4);
}

/** Makes each box for a character of a secret a question of its own kind: it is no one-time code, and no password to be kept. */
export function askForCharacters(members: readonly Meant[]): Meant[] {
  const asked = new Set(runsOf(members).filter(isOfSecret).flat());
  return members.map((one) =>
    asked.has(one) ? { ...one, meaning: 'question', points: Math.max(one.points, 10), rules: [CHARACTER], scores: {} } : one,
  );
}

/** Of these boxes those for one secret each, in order. */
export const characterRuns = (boxes: readonly Meant[]): Meant[][] => {
  const runs = runsOf(boxes.filter(isCharacter)).map((run) => run.filter(isGiven));
  return runs.filter((run) => run.length > 1);
};
