import { isInEdge } from '../evidence.js';
import type { JudgedForm } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, says, type Words, words } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import type { Handle } from '../snapshot.js';
import type { Agreement, ChoiceFinding } from '../verdict.js';

const OFFERS: readonly Concept[] = ['remember', 'staySignedIn', 'newsletter', 'signOut'];

/** Boxes that must be ticked to go on: all that are demanded or speak of terms, else the only one there is, unless it offers something. */
export function agreementsOf({ ticks }: PageView): readonly Meant[] {
  const boxes = ticks.filter(({ control }) => isCheckbox(control) && !isInEdge(control));
  const demanded = boxes.filter((box) => isMarked(box) || (says('terms', said(box)) && !isOptional(box)));
  const only = boxes.filter((box) => boxes.length === 1 && !isOffer(box) && !isOptional(box));
  const alike = boxes.filter(
    (box) => !isOffer(box) && !isOptional(box) && demanded.some((other) => beginningOf(other) === beginningOf(box)),
  );
  return (demanded.length > 0 ? boxes.filter((box) => demanded.includes(box) || alike.includes(box)) : only).filter(
    ({ control }) => !control.checked,
  );
}

/** "I agree", of one thing and of the next. */
const beginningOf = (box: Meant): string => nameOf(box).trim().toLowerCase().split(/\s+/).slice(0, 2).join(' ');

/** Those of them that speak of terms. */
export const termsOf = (view: PageView): readonly Meant[] => agreementsOf(view).filter((box) => says('terms', said(box)));

const isCheckbox = ({ type, role }: Meant['control']): boolean => type === 'checkbox' || role === 'checkbox';
const nameOf = ({ control }: Meant): string => control.label || control.aria || control.neighbour;
const said = (box: Meant): Words => words(nameOf(box));
const isOffer = (box: Meant): boolean => OFFERS.some((concept) => says(concept, said(box)));
const isOptional = (box: Meant): boolean => says('optional', said(box));
/** By the browser, or in words as its website marks what must be filled. */
const isMarked = (box: Meant): boolean => box.control.required || (MARKS.test(nameOf(box)) && !isOffer(box));
const MARKS =
  /[*＊]\s*$|[([（［【]\s*(?:required|mandatory|pflicht\w*|erforderlich|obligatoire|requis|obligatori[oa]|obrigat[óo]ri[oa]|verplicht|wymagane|обязательно|必須|必填|필수)\s*[)\]）］】]/iu;
const saidBy = (boxes: readonly Meant[]): string => boxes.map(nameOf).join(' ').slice(0, 200).trim();
const handlesOf = (boxes: readonly Meant[]): readonly Handle[] => boxes.map(({ control }) => control.handle);

/** A login whose own buttons are locked: they may wait for what is typed, or for a box beside them. Beside a code it offers to keep the device. */
const isLocked = ({ kind, segment }: JudgedForm): boolean => {
  const buttons = segment.buttons.filter(({ control }) => control.visible && control.tag !== 'a' && !isInEdge(control));
  return kind === 'login' && buttons.length > 0 && buttons.every(({ control }) => control.disabled);
};

/** What a form demands to be agreed to before its fields are sent. Beside fields that can be sent a box that only may be meant so is left. */
export function agreementOf(view: PageView, form: JudgedForm): Agreement | null {
  const boxes = agreementsOf(view).filter((box) => form.segment.ticks.includes(box));
  const sure = boxes.filter((box) => isMarked(box) || (says('terms', said(box)) && !isOffer(box) && !isOptional(box)));
  if (sure.length > 0) return { said: saidBy(sure), handles: handlesOf(sure), ifLocked: false };
  // What is switched on is a setting.
  const likely = isLocked(form) ? boxes.filter(({ control }) => control.role !== 'switch') : [];
  return likely.length > 0 ? { said: saidBy(likely), handles: handlesOf(likely), ifLocked: true } : null;
}

/** A press that agrees: the boxes are ticked before it, and what they say is part of what is chosen. */
export function agreeing(choice: ChoiceFinding, boxes: readonly Meant[]): ChoiceFinding {
  if (boxes.length === 0 || choice.action.kind !== 'press') return choice;
  return {
    ...choice,
    description: choice.description ?? (saidBy(boxes) || null),
    action: { ...choice.action, agreeing: handlesOf(boxes) },
    rules: [...choice.rules, 'choice/agrees'],
  };
}
