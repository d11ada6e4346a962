import { z } from 'zod';
import { ErrorBody } from './errors.js';
import { Timestamp } from './primitives.js';

export const FlowStatus = z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED']);
export const FlowStep = z.enum(['DISCOVERING', 'AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'SUBMITTING', 'COMPLETED']);
export const FlowType = z.enum(['LOGIN', 'REAUTH']);

/** Why a flow ended FAILED (D42). */
export const FlowErrorCode = z.enum([
  'login_form_not_found',
  'navigation_confused',
  'domain_not_allowed',
  'stuck_in_loop',
  'max_attempts_reached',
  'website_error',
  'network_error',
  'element_not_found',
  'credentials_invalid',
  'mfa_required',
  'external_action_required',
  'unsupported_auth_method',
  'bot_detected',
  'captcha_blocked',
  'session_expired',
  'no_active_flow',
  'flow_failed',
  'awaiting_input_timeout',
  'external_action_timeout',
  'max_steps_exceeded',
  'browser_error',
  'internal_error',
]);

export const ChoiceType = z.enum(['mfa_method', 'sso_provider', 'sign_in_method', 'auth_method', 'identifier_method', 'account', 'other']);
export const CanonicalMfaMethod = z.enum(['sms', 'call', 'email', 'totp', 'push', 'password', 'passkey', 'switch', 'other']);
export const MfaType = z.enum(['sms', 'call', 'email', 'totp', 'push', 'password', 'switch']);
export const FieldType = z.enum(['identifier', 'password', 'code', 'totp_code', 'totp_secret', 'text']);

export const LoginChoice = z
  .strictObject({
    id: z.string(),
    type: ChoiceType,
    label: z.string(),
    context: z.string().nullable().optional(),
    description: z.string().nullable().optional(),
    display_text: z.string().nullable().optional(),
    masked_destination: z.string().nullable().optional(),
    mfa_type: CanonicalMfaMethod.nullable().optional(),
    observed_selector: z.string().nullable().optional(),
  })
  .meta({ id: 'ManagedAuthChoice' });

export const LoginField = z
  .strictObject({
    id: z.string(),
    ref: z.string(),
    type: FieldType,
    reason: z.enum(['missing', 'rejected']),
    label: z.string().optional(),
    hint: z.string().optional(),
    input_mode: z.enum(['text', 'email', 'tel', 'numeric']).optional(),
    required: z.boolean().optional(),
    observed_selector: z.string().nullable().optional(),
  })
  .meta({ id: 'ManagedAuthField' });

export const DiscoveredField = z
  .strictObject({
    name: z.string(),
    type: z.enum(['text', 'email', 'password', 'tel', 'number', 'url', 'code', 'totp']),
    label: z.string(),
    selector: z.string(),
    placeholder: z.string().optional(),
    hint: z.string().optional(),
    required: z.boolean().optional(),
    linked_mfa_type: MfaType.nullable().optional(),
  })
  .meta({ id: 'DiscoveredField' });

export const MfaOption = z
  .strictObject({
    type: MfaType,
    label: z.string(),
    description: z.string().nullable().optional(),
    target: z.string().nullable().optional(),
  })
  .meta({ id: 'MFAOption' });

export const SsoButton = z.strictObject({ selector: z.string(), provider: z.string(), label: z.string() }).meta({ id: 'SSOButton' });

export const SignInOption = z
  .strictObject({ id: z.string(), label: z.string(), description: z.string().nullable().optional() })
  .meta({ id: 'SignInOption' });

/** The whole state of a login flow, as every stream event carries it (service.md "managed_auth_state", D58). */
export const LoginStateEvent = z
  .strictObject({
    event: z.literal('managed_auth_state'),
    timestamp: Timestamp,
    flow_status: FlowStatus,
    flow_step: FlowStep,
    flow_type: FlowType.optional(),
    interaction_id: z.string().optional(),
    choices: z.array(LoginChoice).min(1).optional(),
    fields: z.array(LoginField).min(1).optional(),
    discovered_fields: z.array(DiscoveredField).min(1).optional(),
    mfa_options: z.array(MfaOption).min(1).optional(),
    pending_sso_buttons: z.array(SsoButton).min(1).optional(),
    sign_in_options: z.array(SignInOption).min(1).optional(),
    external_action_message: z.string().optional(),
    error_code: FlowErrorCode.optional(),
    error_message: z.string().optional(),
    website_error: z.string().max(500).optional(),
    hosted_url: z.string().optional(),
    live_view_url: z.string().optional(),
    post_login_url: z.string().optional(),
  })
  .meta({ id: 'ManagedAuthStateEvent' });

export const ErrorEvent = z.strictObject({ event: z.literal('error'), timestamp: Timestamp, error: ErrorBody }).meta({ id: 'ErrorEvent' });
export const HeartbeatEvent = z.strictObject({ event: z.literal('sse_heartbeat'), timestamp: Timestamp }).meta({ id: 'HeartbeatEvent' });
export const ConnectionEvent = z.discriminatedUnion('event', [LoginStateEvent, ErrorEvent, HeartbeatEvent]).meta({ id: 'ConnectionEvent' });

export type FlowStatus = z.infer<typeof FlowStatus>;
export type FlowStep = z.infer<typeof FlowStep>;
export type FlowType = z.infer<typeof FlowType>;
export type FlowErrorCode = z.infer<typeof FlowErrorCode>;
export type ChoiceType = z.infer<typeof ChoiceType>;
export type CanonicalMfaMethod = z.infer<typeof CanonicalMfaMethod>;
export type MfaType = z.infer<typeof MfaType>;
export type FieldType = z.infer<typeof FieldType>;
export type LoginChoice = z.infer<typeof LoginChoice>;
export type LoginField = z.infer<typeof LoginField>;
export type DiscoveredField = z.infer<typeof DiscoveredField>;
export type MfaOption = z.infer<typeof MfaOption>;
export type SsoButton = z.infer<typeof SsoButton>;
export type SignInOption = z.infer<typeof SignInOption>;
export type LoginStateEvent = z.infer<typeof LoginStateEvent>;
export type ErrorEvent = z.infer<typeof ErrorEvent>;
export type HeartbeatEvent = z.infer<typeof HeartbeatEvent>;
export type ConnectionEvent = z.infer<typeof ConnectionEvent>;
