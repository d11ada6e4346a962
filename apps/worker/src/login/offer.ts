import { nameAll, type Names, type Offer, type OfferedChoice, type OfferedField } from '@berth/login-flow';
import type { ChoiceFinding, FieldFinding, Verdict } from '../discovery/verdict.js';

/** Masks secrets in text taken from the page (D45). */
export type Masking = (text: string) => string;

/** What makes a choice the same one again, within a flow and at a re-login. */
export const choiceKey = ({ type, mfaType, maskedDestination, provider, label }: ChoiceFinding): string =>
  [
    type,
    mfaType ?? '',
    provider ?? '',
    maskedDestination ?? '',
    mfaType !== null && mfaType !== 'other' && maskedDestination !== null ? '' : label,
  ].join('|');

/** A page's findings under the ids of the flow. `fieldIds` and `choiceIds` are in the order of the verdict. */
export interface NamedPage {
  readonly names: Names;
  readonly fieldIds: readonly string[];
  readonly choiceIds: readonly string[];
}

export function namePage(names: Names, { fields, choices }: Verdict): NamedPage {
  return nameAll(
    names,
    fields,
    choices.map((choice) => ({ type: choice.type, key: choiceKey(choice), selector: choice.selector })),
  );
}

/**
 * Fields of these places of the verdict, and all its choices, as they are offered; texts masked. What sending the fields agrees to is told
 * with the last of them.
 */
export function offerOf(
  verdict: Verdict,
  page: NamedPage,
  places: readonly number[],
  rejected: readonly string[],
  masking: Masking,
): Offer {
  return {
    fields: places.map((place, at) => {
      const field = verdict.fields[place] as FieldFinding;
      const agreed = at === places.length - 1 ? (verdict.agreement?.said ?? '') : '';
      const hint = [field.hint ?? '', agreed].filter((text) => text !== '').join(' ') || null;
      return offeredField({ ...field, hint }, page.fieldIds[place] as string, rejected, masking);
    }),
    choices: verdict.choices.map((choice, place) => offeredChoice(choice, page.choiceIds[place] as string, masking)),
  };
}

function offeredField(field: FieldFinding, id: string, rejected: readonly string[], masking: Masking): OfferedField {
  return {
    id,
    ref: field.ref,
    type: field.type,
    reason: rejected.includes(field.ref) ? 'rejected' : 'missing',
    label: masking(field.label),
    ...(field.hint !== null && { hint: masking(field.hint) }),
    input_mode: field.inputMode,
    required: field.required,
    observed_selector: field.selector,
    ...(field.type === 'totp_code' && { observed: { linkedMfaType: 'totp' as const } }),
  };
}

function offeredChoice(choice: ChoiceFinding, id: string, masking: Masking): OfferedChoice {
  return {
    id,
    type: choice.type,
    label: masking(choice.label),
    observed_selector: choice.selector,
    ...(choice.description !== null && { description: masking(choice.description) }),
    ...(choice.maskedDestination !== null && { masked_destination: choice.maskedDestination }),
    ...(choice.mfaType !== null && { mfa_type: choice.mfaType }),
    ...(choice.type === 'sso_provider' && { xpath: choice.xpath, provider: choice.provider ?? choice.label }),
  };
}
