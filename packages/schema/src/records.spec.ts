import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import {
  BrowserSession,
  ChoiceType,
  CanonicalMfaMethod,
  ConnectionEvent,
  DiscoveredField,
  ErrorBody,
  ErrorDetail,
  ErrorEvent,
  errorCatalogue,
  FieldType,
  FlowStatus,
  FlowStep,
  FlowType,
  HeartbeatEvent,
  LoginChoice,
  LoginField,
  LoginStateEvent,
  MfaOption,
  MfaType,
  OrganizationLimits,
  Project,
  ProjectLimits,
  ProjectStatus,
  SignInOption,
  SsoButton,
  Telemetry,
  telemetryCategories,
} from './index.js';

/** Names of an object's fields, those that must be there marked with `!`, in alphabetical order. */
function fieldsOf(schema: z.ZodType): string[] {
  let inner: unknown = schema;
  while (inner instanceof Object && 'unwrap' in inner) inner = (inner.unwrap as () => unknown)();
  const shape = (inner as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>;
  return Object.entries(shape)
    .map(([name, field]) => `${name}${field.safeParse(undefined).success ? '' : '!'}`)
    .sort();
}
const part = (schema: z.ZodType, ...path: readonly string[]): z.ZodType =>
  path.reduce<z.ZodType>((at, name) => {
    let inner: unknown = at;
    while (inner instanceof Object && 'unwrap' in inner) inner = (inner.unwrap as () => unknown)();
    return (inner as z.ZodObject).shape[name] as z.ZodType;
  }, schema);
const sorted = (text: string): string[] => text.trim().split(/\s+/).sort();

describe('records', () => {
  it('Resources 1–3, D14, D22: a project and both limits have exactly their fields, all of them always', () => {
    expect(fieldsOf(Project)).toEqual(sorted('id! name! status! created_at! updated_at!'));
    expect(ProjectStatus.options).toEqual(['active', 'archived']);
    expect(fieldsOf(OrganizationLimits)).toEqual(
      sorted('max_concurrent_sessions! default_project_max_concurrent_sessions! concurrent_sessions_used! concurrent_sessions_available!'),
    );
    expect(fieldsOf(ProjectLimits)).toEqual(
      sorted('max_concurrent_sessions! max_concurrent_invocations! concurrent_sessions_used! concurrent_sessions_available!'),
    );
  });

  it('Errors 1, D8: an error has a code and a message, and may have details and an inner error; nothing else', () => {
    expect([fieldsOf(ErrorBody), fieldsOf(ErrorDetail)]).toEqual([sorted('code! message! details inner_error'), sorted('code message')]);
    const statuses = Object.fromEntries(Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]));
    expect(statuses).toEqual({
      bad_request: 400,
      cannot_delete_current_key: 400,
      resource_in_use: 400,
      unauthorized: 401,
      forbidden: 403,
      not_found: 404,
      project_not_found: 404,
      projects_disabled: 404,
      conflict: 409,
      project_not_empty: 409,
      last_active_project: 409,
      flow_in_progress: 409,
      stale_interaction: 409,
      no_active_flow: 409,
      idempotency_key_reused: 409,
      payload_too_large: 413,
      invalid_submission: 422,
      concurrency_limit_exceeded: 429,
      internal_error: 500,
      usage_unavailable: 503,
      service_unavailable: 503,
      capacity_exhausted: 529,
    });
  });

  it('Resources 4, D31, D32: a browser session has every field that the service shows, and no other', () => {
    expect(fieldsOf(BrowserSession)).toEqual(
      sorted(`
      session_id! created_at! deleted_at name region headless! stealth! gpu kiosk_mode memory video_memory timeout_seconds! start_url cdp_ws_url! webdriver_ws_url! browser_live_view_url base_url
      chrome_policy tags proxy_id proxy profile profile_save_changes pool vaults viewport usage usage_status network telemetry`),
    );
    expect(fieldsOf(part(BrowserSession, 'proxy'))).toEqual(sorted('mode id name'));
    expect(fieldsOf(part(BrowserSession, 'profile'))).toEqual(sorted('id! name created_at! last_used_at updated_at'));
    expect(fieldsOf(part(BrowserSession, 'pool'))).toEqual(sorted('id! name'));
    expect(fieldsOf(part(BrowserSession, 'viewport'))).toEqual(sorted('width! height! refresh_rate'));
    expect(fieldsOf(part(BrowserSession, 'usage'))).toEqual(sorted('uptime_ms!'));
    expect(fieldsOf(part(BrowserSession, 'network'))).toEqual(sorted('allowed_hosts private_hosts proxy_routes'));
  });

  it('Resources 5, D32: the telemetry object has ten categories, the excluded methods of one, an export and a storage switch', () => {
    expect([...telemetryCategories]).toEqual(
      'captcha connection console control interaction network page platform screenshot system'.split(' '),
    );
    expect(fieldsOf(part(Telemetry, 'browser'))).toEqual([...telemetryCategories].sort());
    for (const category of telemetryCategories)
      expect(fieldsOf(part(Telemetry, 'browser', category))).toEqual(category === 'control' ? ['cdp', 'enabled'] : ['enabled']);
    expect(fieldsOf(part(Telemetry, 'browser', 'control', 'cdp'))).toEqual(['excluded_methods']);
    expect([fieldsOf(part(Telemetry, 'export', 'otlp')), fieldsOf(part(Telemetry, 'storage'))]).toEqual([
      ['destination', 'enabled'],
      ['enabled'],
    ]);
  });

  it('States 5–7, Events 4, D40, D58: a state event has every field that the service shows, and its enumerations', () => {
    expect(fieldsOf(LoginStateEvent)).toEqual(
      sorted(`
      event! timestamp! flow_status! flow_step! flow_type interaction_id choices fields discovered_fields mfa_options pending_sso_buttons sign_in_options external_action_message error_code error_message
      website_error hosted_url live_view_url post_login_url`),
    );
    expect(FlowStatus.options).toEqual(['IN_PROGRESS', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED']);
    expect(FlowStep.options).toEqual(['DISCOVERING', 'AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'SUBMITTING', 'COMPLETED']);
    expect(FlowType.options).toEqual(['LOGIN', 'REAUTH']);
  });

  it('Events 1–3, D46, D58: `event` tells the three kinds apart; a heartbeat and an error have exactly their fields', () => {
    expect(ConnectionEvent.options.map((kind) => kind.shape.event.value)).toEqual(['managed_auth_state', 'error', 'sse_heartbeat']);
    expect([fieldsOf(HeartbeatEvent), fieldsOf(ErrorEvent)]).toEqual([sorted('event! timestamp!'), sorted('event! timestamp! error!')]);
  });

  it('Events 5–10, D58, D59: what a state event offers has exactly the fields that the service shows', () => {
    expect(fieldsOf(LoginChoice)).toEqual(
      sorted('id! type! label! context description display_text masked_destination mfa_type observed_selector'),
    );
    expect(fieldsOf(LoginField)).toEqual(sorted('id! ref! type! reason! label hint input_mode required observed_selector'));
    expect(fieldsOf(DiscoveredField)).toEqual(sorted('name! type! label! selector! placeholder hint required linked_mfa_type'));
    expect(fieldsOf(MfaOption)).toEqual(sorted('type! label! description target'));
    expect(fieldsOf(SsoButton)).toEqual(sorted('selector! provider! label!'));
    expect(fieldsOf(SignInOption)).toEqual(sorted('id! label! description'));
    expect(ChoiceType.options).toEqual('mfa_method sso_provider sign_in_method auth_method identifier_method account other'.split(' '));
    expect(CanonicalMfaMethod.options).toEqual('sms call email totp push password passkey switch other'.split(' '));
    expect(MfaType.options).toEqual('sms call email totp push password switch'.split(' '));
    expect(FieldType.options).toEqual('identifier password code totp_code totp_secret text'.split(' '));
  });
});
