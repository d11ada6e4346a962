import { type SubmitLogin, submissionKinds } from '@berth/schema';
import { z } from 'zod';
import { isActionable } from './interaction.js';
import type { FlowState, OfferedChoice } from './state.js';
import { isPause } from './transitions.js';
import { isSignInOption, olderMfaType } from './view.js';

/** An answer in the engine's own terms: values by field id, or the choice taken. Sealed wherever it rests (D45). */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fields'), values: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('choice'), choiceId: z.string() }),
]);
export type Answer = z.infer<typeof Answer>;

export type Submission =
  | { readonly kind: 'accepted'; readonly answer: Answer }
  /** `allowed` lists the ids that could have been given; never a value. */
  | {
      readonly kind: 'refused';
      readonly code: 'no_active_flow' | 'stale_interaction' | 'invalid_submission';
      readonly message: string;
      readonly allowed: readonly string[];
    };

const accepted = (answer: Answer): Submission => ({ kind: 'accepted', answer });
const stale = (message: string): Submission => ({ kind: 'refused', code: 'stale_interaction', message, allowed: [] });
const invalid = (message: string, allowed: readonly string[]): Submission => ({
  kind: 'refused',
  code: 'invalid_submission',
  allowed,
  message: allowed.length > 0 ? `${message} Allowed: ${allowed.join(', ')}.` : `${message} None is offered right now.`,
});

/** `nameOf` gives the names under which a field may be answered; the id always is one. */
function answerFields(given: Readonly<Record<string, string>>, { fields }: FlowState, takesRef: boolean): Submission {
  const allowed = fields.map((field) => field.id);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = fields.find(({ id }) => id === name) ?? (takesRef ? fields.find(({ ref }) => ref === name) : undefined);
    if (field === undefined) return invalid('A value was given for a field that is not asked for.', allowed);
    values[field.id] = value;
  }
  const missing = fields.filter(({ id, required }) => required !== false && (values[id] ?? '') === '');
  if (missing.length > 0) return invalid(`A required value is missing or empty: ${missing.map(({ id }) => id).join(', ')}.`, allowed);
  return fields.length === 0 ? invalid('No field is asked for.', allowed) : accepted({ kind: 'fields', values });
}

function choose(
  candidates: readonly OfferedChoice[],
  matches: (choice: OfferedChoice) => boolean,
  nameOf: (choice: OfferedChoice) => string | undefined,
): Submission {
  const found = candidates.filter(matches);
  const allowed = [...new Set(candidates.flatMap((choice) => nameOf(choice) ?? []))];
  const [only] = found;
  if (only === undefined) return invalid('The choice is not offered.', allowed);
  if (found.length > 1)
    return invalid(
      'More than one choice goes by that name; use selected_choice_id.',
      candidates.map(({ id }) => id),
    );
  return accepted({ kind: 'choice', choiceId: only.id });
}

type Given = { [K in (typeof submissionKinds)[number]]: NonNullable<SubmitLogin[K]> };
const isSso = (choice: OfferedChoice): boolean => choice.type === 'sso_provider';
const sameWord = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** One reader a kind of answer: the two canonical ones and the five older names (D41, D59). */
const readers: { readonly [K in keyof Given]: (given: Given[K], state: FlowState) => Submission } = {
  field_values: (given, state) => answerFields(given, state, false),
  fields: (given, state) => answerFields(given, state, true),
  selected_choice_id: (given, { choices }) =>
    choose(
      choices,
      ({ id }) => id === given,
      ({ id }) => id,
    ),
  mfa_option_id: (given, { choices }) =>
    choose(
      choices.filter((choice) => olderMfaType(choice) !== undefined),
      (choice) => olderMfaType(choice) === given,
      olderMfaType,
    ),
  sso_button_selector: (given, { choices }) =>
    choose(
      choices.filter(isSso),
      ({ xpath }) => xpath === given,
      ({ xpath }) => xpath,
    ),
  sso_provider: (given, { choices }) =>
    choose(
      choices.filter(isSso),
      ({ provider, label }) => sameWord(provider ?? label, given),
      ({ provider, label }) => provider ?? label,
    ),
  sign_in_option_id: (given, { choices }) =>
    choose(
      choices.filter(isSignInOption),
      ({ id }) => id === given,
      ({ id }) => id,
    ),
};
const canonical = new Set<string>(['field_values', 'selected_choice_id']);

function read<K extends keyof Given>(kind: K, body: SubmitLogin, state: FlowState): Submission {
  return readers[kind](body[kind] as Given[K], state);
}

/**
 * What a submit means for the stored state, in the order of D41: no running flow; missing or stale `interaction_id`, or nothing asked; then
 * the ids and required values. The body has been parsed, so it has exactly one kind of answer. Pure.
 */
export function readSubmission(body: SubmitLogin, state: FlowState | null): Submission {
  if (state === null || state.status !== 'IN_PROGRESS')
    return {
      kind: 'refused',
      code: 'no_active_flow',
      message: 'No login flow is running for this connection; start one with login.',
      allowed: [],
    };
  const kind = submissionKinds.find((candidate) => body[candidate] !== undefined);
  if (kind === undefined) throw new TypeError('a submit without an answer must have been refused by its schema');
  if (!isPause(state.step) || !isActionable(state)) return stale('Nothing is asked right now.');
  if (body.interaction_id === undefined && canonical.has(kind)) return stale('interaction_id is missing; take it from the newest state.');
  if (body.interaction_id !== undefined && body.interaction_id !== state.interactionId)
    return stale('Something else is asked by now; take interaction_id from the newest state.');
  return read(kind, body, state);
}
