import { z } from 'zod';
import { boundedText, wholeNumber } from './faults.js';
import {
  DiscoveredField,
  FlowErrorCode,
  FlowStatus,
  FlowStep,
  FlowType,
  LoginChoice,
  LoginField,
  MfaOption,
  SignInOption,
  SsoButton,
} from './login-state.js';
import { Id, paging, ResourceName, Timestamp, Url } from './primitives.js';
import { Telemetry, TelemetryRequest } from './telemetry.js';

export const AuthStatus = z.enum(['AUTHENTICATED', 'NEEDS_AUTH']);

export const CanReauthReason = z.enum([
  'external_credential',
  'cua_has_credential',
  'has_credential',
  'viable_plans_found',
  'no_requirements_recorded',
  'requirements_satisfiable',
  'no_prior_successful_login',
  'no_credential',
  'no_viable_plans',
  'viable_plans_require_external_action',
  'requires_external_action',
  'requires_totp_without_secret',
  'requires_sms_code',
  'requires_email_code',
]);

const CredentialReference = z.strictObject({
  name: z.string().optional(),
  provider: z.string().optional(),
  path: z.string().optional(),
  auto: z.boolean().optional(),
});

export const AuthConnection = z
  .strictObject({
    id: Id,
    domain: z.string(),
    profile_name: z.string(),
    record_session: z.boolean(),
    save_credentials: z.boolean(),
    status: AuthStatus,
    allowed_domains: z.array(z.string()).optional(),
    auto_reauth: z.boolean().optional(),
    browser_session_id: Id.nullable().optional(),
    browser_telemetry: Telemetry.nullable().optional(),
    can_reauth: z.boolean().optional(),
    can_reauth_reason: CanReauthReason.optional(),
    credential: CredentialReference.optional(),
    flow_status: FlowStatus.nullable(),
    flow_step: FlowStep.nullable(),
    flow_type: FlowType.nullable(),
    flow_expires_at: Timestamp.nullable(),
    interaction_id: z.string().optional(),
    fields: z.array(LoginField).optional(),
    choices: z.array(LoginChoice).optional(),
    discovered_fields: z.array(DiscoveredField).optional(),
    mfa_options: z.array(MfaOption).optional(),
    pending_sso_buttons: z.array(SsoButton).optional(),
    sign_in_options: z.array(SignInOption).optional(),
    external_action_message: z.string().optional(),
    error_code: FlowErrorCode.optional(),
    error_message: z.string().optional(),
    website_error: z.string().optional(),
    hosted_url: z.string().optional(),
    live_view_url: z.string().optional(),
    post_login_url: z.string().optional(),
    health_checks: z.boolean().optional(),
    health_check_interval: z.int().nullable().optional(),
    last_auth_at: Timestamp.optional(),
    last_auth_check_at: Timestamp.optional(),
    login_url: z.string().optional(),
    proxy_id: z.string().optional(),
    sso_provider: z.string().optional(),
  })
  .meta({ id: 'ManagedAuth' });

const hostName =
  /^(?:\[[0-9a-f:.]+\]|(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?)(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*)(?::[0-9]{1,5})?$/u;

const isPort = (digits: string | undefined): boolean => digits === undefined || (Number(digits) >= 1 && Number(digits) <= 65_535);

/**
 * A host name, optionally with a port: `example.com`, `shop.example.com:8443`, `127.0.0.1`, `[::1]`, `localhost` (D61). Not a pattern of the
 * document: readers of JSON Schema do not agree on classes of letters, and blanks and case are mended before it is asked.
 */
export const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (name) => hostName.test(name) && isPort(/:([0-9]+)$/.exec(name)?.[1]),
    'must be a host name such as "example.com", without scheme or path',
  )
  .max(260)
  .meta({ description: 'Host name, with a port where it is not the usual one.' });

/** Told in records and events, where a password has no place. */
const LoginUrl = Url.refine(
  (url) => !/^https?:\/\/[^/?#]*@/i.test(url),
  'must not have a name or password in it; keep them as a credential',
);

const choices = {
  allowed_domains: z.array(HostName).max(100).optional().meta({ description: 'Where else a flow may read and type, subdomains included.' }),
  auto_reauth: z.boolean().optional().meta({ description: 'Log in again without a person when the session has ended.' }),
  browser_telemetry: TelemetryRequest.nullable().optional().meta({ description: 'Not offered: only with everything switched off.' }),
  credential: CredentialReference.optional().meta({ description: 'A stored credential to type from, by its name.' }),
  health_check_interval: wholeNumber(300, 86_400).optional().meta({ description: 'Seconds between health checks, default 3600.' }),
  health_checks: z.boolean().optional().meta({ description: 'Look from time to time whether the session is still logged in.' }),
  login_url: LoginUrl.optional().meta({ description: 'Where the login begins; default: the start page of the domain.' }),
  proxy: z.strictObject({ id: z.string().optional(), name: z.string().optional() }).optional().meta({ description: 'Not offered.' }),
  record_session: z.boolean().optional().meta({ description: 'Not offered: only `false`.' }),
  save_credentials: z.boolean().optional().meta({ description: 'Keep the submitted values, one-time codes excepted; default true.' }),
};

export const CreateAuthConnection = z
  .strictObject({ domain: HostName, profile_name: ResourceName, ...choices })
  .meta({ id: 'CreateAuthConnection' });

export const UpdateAuthConnection = z.strictObject(choices).meta({ id: 'UpdateAuthConnection' });

export const StartLogin = z
  .strictObject({ browser_telemetry: choices.browser_telemetry, proxy: choices.proxy, record_session: choices.record_session })
  .meta({ id: 'StartLogin' });

export const LoginStarted = z
  .strictObject({ id: Id, flow_type: FlowType, flow_expires_at: Timestamp, hosted_url: z.string(), live_view_url: z.string().optional() })
  .meta({ id: 'LoginStarted' });

const SubmittedValues = z
  .record(boundedText(1, 200), boundedText(0, 4096))
  .refine((values) => Object.keys(values).length <= 50, 'must have at most 50 values');

/** The kinds of answer to a pause; exactly one kind per submit (D41). The last five are older names for the same acts. */
export const submissionKinds = [
  'field_values',
  'selected_choice_id',
  'fields',
  'mfa_option_id',
  'sso_button_selector',
  'sso_provider',
  'sign_in_option_id',
] as const;

export const SubmitLogin = z
  .strictObject({
    interaction_id: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'From the state being answered; required for field_values and selected_choice_id.' }),
    field_values: SubmittedValues.optional().meta({ description: 'Values by the `id` of their fields.' }),
    selected_choice_id: z.string().max(200).optional().meta({ description: '`id` of one of `choices`.' }),
    fields: SubmittedValues.optional().meta({ description: 'Older: values by the `name` of their `discovered_fields`.' }),
    mfa_option_id: z.string().max(200).optional().meta({ description: 'Older: `type` of one of `mfa_options`.' }),
    sso_button_selector: z.string().max(2000).optional().meta({ description: 'Older: `selector` of one of `pending_sso_buttons`.' }),
    sso_provider: z.string().max(200).optional().meta({ description: 'Older: `provider` of one of `pending_sso_buttons`.' }),
    sign_in_option_id: z.string().max(200).optional().meta({ description: 'Older: `id` of one of `sign_in_options`.' }),
  })
  .refine((body) => submissionKinds.filter((kind) => body[kind] !== undefined).length === 1, {
    message: `needs exactly one of ${submissionKinds.join(', ')}`,
  })
  .meta({ id: 'SubmitLogin' });

export const SubmitAccepted = z.strictObject({ accepted: z.literal(true) }).meta({ id: 'SubmitAccepted' });

export const ListAuthConnectionsQuery = z.object({
  ...paging,
  domain: z.string().optional().meta({ description: 'Exact domain, in any case.' }),
  profile_name: z.string().optional().meta({ description: 'Exact name of the profile.' }),
  query: z.string().optional().meta({ description: 'Part of the domain or of the name of the profile, in any case, or the whole id.' }),
});

export const TimelineEvent = z
  .strictObject({
    id: Id,
    type: z.enum(['login', 'reauth', 'health_check']),
    status: z.enum([...FlowStatus.options, ...AuthStatus.options]),
    timestamp: Timestamp,
    updated_at: Timestamp.optional(),
    browser_session_id: Id.optional(),
    error_code: FlowErrorCode.optional(),
    error_message: z.string().optional(),
    previous_status: AuthStatus.optional(),
    step: FlowStep.optional(),
    website_error: z.string().optional(),
  })
  .meta({ id: 'TimelineEvent' });

export const TimelineQuery = z.object({
  ...paging,
  type: z.enum(['login', 'reauth', 'health_check']).optional().meta({ description: 'What happened.' }),
});

export type AuthConnection = z.infer<typeof AuthConnection>;
export type AuthStatus = z.infer<typeof AuthStatus>;
export type CanReauthReason = z.infer<typeof CanReauthReason>;
export type CreateAuthConnection = z.infer<typeof CreateAuthConnection>;
export type UpdateAuthConnection = z.infer<typeof UpdateAuthConnection>;
export type StartLogin = z.infer<typeof StartLogin>;
export type LoginStarted = z.infer<typeof LoginStarted>;
export type SubmitLogin = z.infer<typeof SubmitLogin>;
export type SubmitAccepted = z.infer<typeof SubmitAccepted>;
export type ListAuthConnectionsQuery = z.infer<typeof ListAuthConnectionsQuery>;
export type TimelineEvent = z.infer<typeof TimelineEvent>;
export type TimelineQuery = z.infer<typeof TimelineQuery>;
