import { ChoiceType, FlowErrorCode, FlowStatus, FlowStep, LoginChoice, LoginField, MfaType } from '@berth/schema';
import { z } from 'zod';

/** A field as it is offered, with what only the older `discovered_fields` show of it (D59). */
export const OfferedField = LoginField.extend({
  observed: z.object({ placeholder: z.string().optional(), linkedMfaType: MfaType.optional() }).optional(),
});
export type OfferedField = z.infer<typeof OfferedField>;

/** A choice as it is offered, with what only the older `pending_sso_buttons` show of it (D59). */
export const OfferedChoice = LoginChoice.extend({ xpath: z.string().optional(), provider: z.string().optional() });
export type OfferedChoice = z.infer<typeof OfferedChoice>;

/** What the website asks for right now, under ids that are stable within the flow. */
export interface Offer {
  readonly fields: readonly OfferedField[];
  readonly choices: readonly OfferedChoice[];
}

/**
 * The canonical state of a flow as it is stored in `login_flows.state`: what the website asks and says now. Events, the connection's record
 * and the older arrays are views of it. Holds no submitted value.
 */
export const FlowState = z.object({
  status: FlowStatus,
  step: FlowStep,
  fields: z.array(OfferedField),
  choices: z.array(OfferedChoice),
  interactionId: z.string().optional(),
  externalActionMessage: z.string().optional(),
  websiteError: z.string().optional(),
  errorCode: FlowErrorCode.optional(),
  errorMessage: z.string().optional(),
  postLoginUrl: z.string().optional(),
});
export type FlowState = z.infer<typeof FlowState>;

export const firstState: FlowState = { status: 'IN_PROGRESS', step: 'DISCOVERING', fields: [], choices: [] };

/** What the timeline and the logs may know of a state: kinds, never labels or text of the page. */
export const StateSummary = z.object({
  fields: z.array(LoginField.shape.type).optional(),
  choices: z.array(ChoiceType).optional(),
  errorCode: FlowErrorCode.optional(),
});
export type StateSummary = z.infer<typeof StateSummary>;

export function summaryOf(state: FlowState): StateSummary {
  return {
    ...(state.fields.length > 0 && { fields: state.fields.map((field) => field.type) }),
    ...(state.choices.length > 0 && { choices: state.choices.map((choice) => choice.type) }),
    ...(state.errorCode && { errorCode: state.errorCode }),
  };
}
