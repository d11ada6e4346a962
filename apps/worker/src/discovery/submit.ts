import { isUsable } from './evidence.js';
import type { JudgedForm } from './forms/forms.js';
import type { Meant } from './forms/meanings.js';
import { SUBMIT_RULES, type SubmitContext } from './rules/submit-rules.js';
import type { Handle, PageSnapshot } from './snapshot.js';
import type { RuleId } from './verdict.js';

/** Below this a button is less likely than Enter in the last box. */
const LEAST = 3;

/** So many controls further on a button still belongs to the box. */
const BEHIND = 2;
const isBehind = (distance: number): boolean => distance > 0 && distance <= BEHIND;

export interface SubmitFinding {
  readonly button: Meant;
  readonly points: number;
  readonly rules: readonly RuleId[];
}

const isShown = ({ control }: Meant): boolean => isUsable(control) || (control.visible && control.disabled);
/** A notice that lies over a button goes again, and keeps no press from it. */
const isUnderNotice = ({ control }: Meant): boolean => control.visible && control.unreachable === 'covered';

/**
 * The control that sends a form: looked for among its own buttons, then among those outside any form of the same frame (also where a notice
 * with a button of its own lies over them), and then among its own that something lies over.
 */
export function findSubmit(
  snapshot: PageSnapshot,
  judged: JudgedForm,
  all: readonly JudgedForm[],
  fields: readonly Handle[],
): SubmitFinding | null {
  const own = best(snapshot, judged, judged.segment.buttons.filter(isShown), fields);
  if (own) return own;
  const loose = all.filter(
    ({ segment }) => segment.frame === judged.segment.frame && segment.form?.element !== true && segment !== judged.segment,
  );
  const others = loose.flatMap(({ segment }) => segment.buttons).filter((button) => isShown(button) || isUnderNotice(button));
  return best(snapshot, judged, others, fields) ?? best(snapshot, judged, judged.segment.buttons.filter(isUnderNotice), fields);
}

function best(
  snapshot: PageSnapshot,
  { kind, segment }: JudgedForm,
  buttons: readonly Meant[],
  fields: readonly Handle[],
): SubmitFinding | null {
  const order = new Map(snapshot.controls.map(({ handle }, place) => [handle, place]));
  const places = fields.map((handle) => order.get(handle) ?? 0);
  const shared = {
    kind: kind ?? 'other',
    hasPassword: segment.boxes.some(({ control }) => control.type === 'password'),
    firstBox: Math.min(...places),
    lastBox: Math.max(...places),
  };
  const isForm = segment.form?.element === true;
  const placeOf = ({ control }: Meant): number => order.get(control.handle) ?? 0;
  // Without a form around it, what stands right behind the last box goes with it.
  const near = buttons.filter((button) => button.control.tag !== 'a' && (isForm || isBehind(placeOf(button) - shared.lastBox)));
  const only = near.length === 1 ? near[0] : undefined;
  const found = buttons
    .map((button): SubmitFinding =>
      judge(button, { ...shared, only: button === only && segment.buttons.includes(button), at: placeOf(button) }),
    )
    .filter(({ points }) => points >= LEAST);
  return found.reduce<SubmitFinding | null>((top, one) => (top === null || one.points > top.points ? one : top), null);
}

function judge(button: Meant, context: SubmitContext): SubmitFinding {
  const hits = SUBMIT_RULES.filter(({ test }) => test(button, context));
  const said = hits.some(({ elsewhere }) => elsewhere) ? hits.filter(({ place }) => place !== true) : hits;
  return { button, points: said.reduce((sum, { weight }) => sum + weight, 0), rules: said.map(({ id }) => id) };
}
