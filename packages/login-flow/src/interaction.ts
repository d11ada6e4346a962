import { isPause } from './transitions.js';
import type { FlowState, Offer } from './state.js';

/** A pause that a submit can answer; a pure wait is none (D58). */
export const isActionable = ({ fields, choices }: Offer): boolean => fields.length + choices.length > 0;

/** What a submit answers: ids, types and reasons. Labels and hints may change without making an answer stale (D60). */
function askedIn({ fields, choices }: Offer): string {
  return JSON.stringify([fields.map(({ id, type, reason }) => [id, type, reason]), choices.map(({ id, type }) => [id, type])]);
}

/**
 * The `interaction_id` of `next`, entered from `previous`: none unless it is an actionable pause; the same while the same is asked in the
 * same step; else what `mint` gives (D60).
 */
export function interactionIdFor(previous: FlowState, next: FlowState, mint: () => string): string | undefined {
  if (!isPause(next.step) || !isActionable(next)) return undefined;
  const goesOn = previous.step === next.step && previous.interactionId !== undefined && askedIn(previous) === askedIn(next);
  return goesOn ? previous.interactionId : mint();
}
