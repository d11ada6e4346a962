import { FlowErrorCode, FlowStatus, FlowStep, LoginChoice, LoginField } from '@berth/schema';
import { z } from 'zod';

/**
 * The canonical state of a flow as it is stored in `login_flows.state`: what the website asks and says now. Events, the connection's record and the
 * older arrays are views of it. Holds no submitted value.
 */
export const FlowState = z.object({
  status: FlowStatus,
  step: FlowStep,
  fields: z.array(LoginField),
  choices: z.array(LoginChoice.extend({ sso_xpath: z.string().optional(), sso_provider: z.string().optional() })),
  /** Input type and placeholder as observed, by field id, for the older `discovered_fields` (D59). */
  observed: z.record(z.string(), z.object({ type: z.string(), placeholder: z.string().optional(), linked_mfa_type: z.string().optional() })),
  interactionId: z.string().optional(),
  externalActionMessage: z.string().optional(),
  websiteError: z.string().optional(),
  errorCode: FlowErrorCode.optional(),
  errorMessage: z.string().optional(),
  postLoginUrl: z.string().optional(),
});
export type FlowState = z.infer<typeof FlowState>;
