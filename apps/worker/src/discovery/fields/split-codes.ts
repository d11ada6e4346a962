import { isTextBox, isUsable } from '../evidence.js';
import type { Meant } from '../forms/meanings.js';
import { says, words } from '../lexicon/words.js';
import { FEWEST_OF_CODE, isCharacter, takesWhole } from './characters.js';

const MOST = 10;

function isOneCharacter(box: Meant): boolean {
  const { control, evidence } = box;
  if (isCharacter(box) || !isTextBox(control) || !isUsable(control) || control.type === 'email' || control.type === 'search') return false;
  if (control.maxLength === 1) return true;
  // However wide it is drawn.
  if (control.maxLength === null && (control.autocomplete === 'one-time-code' || isNumbered(control))) return true;
  const narrow = control.box.width > 0 && control.box.width <= 90;
  return (
    control.maxLength === null &&
    (narrow || says('code', evidence.aria)) &&
    (says('code', evidence.aria) ||
      says('code', evidence.name) ||
      control.inputMode === 'numeric' ||
      control.pattern === '[0-9]' ||
      isBare(box))
  );
}

const QUESTIONS =
  /question|answer|frage|antwort|pregunta|respuesta|réponse|domanda|risposta|pergunta|resposta|vraag|antwoord|pytani|вопрос|質問|问题|질문/iu;

/** "Digit 1 of 6": which of how many. */
function isNumbered({ label, aria }: Meant['control']): boolean {
  const said = aria || label;
  const [place = 0, all = 0] = (/(?<!\d)(\d{1,2})\D{1,10}(\d{1,2})(?!\d)/.exec(said) ?? []).slice(1).map(Number);
  if (says('question', words(said)) || QUESTIONS.test(said)) return false;
  return place >= 1 && place <= all && all >= FEWEST_OF_CODE && all <= MOST;
}

/** Room for a character or two, and not a word about it. */
const isBare = ({ control: { box, name, label, aria, placeholder } }: Meant): boolean =>
  box.width <= 60 && `${name}${label}${aria}` === '' && placeholder.length <= 1;

/** Runs of boxes for one character each, in order. */
export function splitCodeRuns(members: readonly Meant[]): Meant[][] {
  const boxes = members.filter(({ control }) => isTextBox(control) && isUsable(control));
  const runs: Meant[][] = [];
  let run: Meant[] = [];
  for (const [place, box] of [...boxes, null].entries()) {
    const isOne = box !== null && (isOneCharacter(box) || takesWhole(box, boxes.slice(place + 1)));
    const continues = isOne && (run.length === 0 || run[0]?.control.form === box.control.form);
    if (!continues) {
      if (run.length >= FEWEST_OF_CODE && run.length <= MOST) runs.push(run);
      run = [];
    }
    if (isOne) run.push(box);
  }
  return runs;
}

/** Narrow, for a few characters, and called nothing but a code. */
const isGroup = ({ control, evidence: { label, placeholder } }: Meant): boolean =>
  isTextBox(control) &&
  isUsable(control) &&
  control.maxLength !== null &&
  control.maxLength >= 2 &&
  control.maxLength <= 5 &&
  control.box.width <= 120 &&
  (label.squeezed === '' || says('code', label)) &&
  placeholder.squeezed.length <= control.maxLength;

/** Two to four narrow boxes of one form, all for as many characters: the groups of a code. */
export function groupedCodeRuns(members: readonly Meant[]): Meant[][] {
  const groups = members.filter(isGroup);
  const [first] = groups;
  const isOne = groups.every(({ control }) => control.form === first?.control.form && control.maxLength === first?.control.maxLength);
  return isOne && groups.length >= 2 && groups.length <= 4 ? [groups] : [];
}

/** Makes every box of such a run a code, whatever its own words say; of groups, where the page speaks of a code. */
export function joinSplitCodes(members: readonly Meant[], isAboutCode: boolean): Meant[] {
  const split = new Set([...splitCodeRuns(members), ...(isAboutCode ? groupedCodeRuns(members) : [])].flat());
  return members.map((one) =>
    split.has(one) ? { ...one, meaning: 'code', points: Math.max(one.points, 10), rules: [...one.rules, 'code/split'] } : one,
  );
}
