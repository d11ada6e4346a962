import type { LoginFlowRow } from '@berth/database';
import {
  type AuthConnection,
  type DiscoveredField,
  FlowErrorCode,
  type LoginStateEvent,
  MfaType,
  type MfaOption,
  type SignInOption,
  type SsoButton,
  type TimelineEvent,
} from '@berth/schema';
import type { Sealer } from '@berth/secrets';
import { hostedUrl, openHostedToken } from './hosted-link.js';
import { FlowState, type OfferedChoice, type OfferedField } from './state.js';
import { isPause } from './transitions.js';

/** What a view needs besides the row: the key that opens the hosted link, and where callers reach the API. */
export interface ViewContext {
  readonly sealer: Sealer;
  readonly publicUrl: string;
}

/** The part that event and record share, with the presence rules of D58. */
type SharedView = Pick<
  LoginStateEvent,
  | 'interaction_id'
  | 'fields'
  | 'choices'
  | 'discovered_fields'
  | 'mfa_options'
  | 'pending_sso_buttons'
  | 'sign_in_options'
  | 'external_action_message'
  | 'error_code'
  | 'error_message'
  | 'website_error'
  | 'hosted_url'
  | 'post_login_url'
>;

const fieldTypes: Readonly<Record<OfferedField['type'], DiscoveredField['type']>> = {
  identifier: 'text',
  password: 'password',
  code: 'code',
  totp_code: 'totp',
  totp_secret: 'text',
  text: 'text',
};
const identifierTypes: Readonly<Record<NonNullable<OfferedField['input_mode']>, DiscoveredField['type']>> = {
  text: 'text',
  email: 'email',
  tel: 'tel',
  numeric: 'number',
};
const signInTypes = new Set<OfferedChoice['type']>(['account', 'identifier_method', 'sign_in_method', 'other']);
const mfaTypes = new Set<OfferedChoice['type']>(['mfa_method', 'auth_method']);

function discoveredField(field: OfferedField): DiscoveredField {
  const { observed, required, hint } = field;
  return {
    name: field.ref,
    type: field.type === 'identifier' ? identifierTypes[field.input_mode ?? 'text'] : fieldTypes[field.type],
    label: field.label ?? field.ref,
    selector: field.observed_selector ?? '',
    ...(observed?.placeholder !== undefined && { placeholder: observed.placeholder }),
    ...(hint !== undefined && { hint }),
    ...(required !== undefined && { required }),
    ...(observed?.linkedMfaType !== undefined && { linked_mfa_type: observed.linkedMfaType }),
  };
}

/** The older entry's type, or undefined where the older shape cannot say it (D59). */
export function olderMfaType({ type, mfa_type }: OfferedChoice): MfaType | undefined {
  return mfaTypes.has(type) ? MfaType.safeParse(mfa_type).data : undefined;
}

/** Whether a choice is mirrored in `sign_in_options` (D59). */
export const isSignInOption = ({ type }: OfferedChoice): boolean => signInTypes.has(type);

function mfaOption(choice: OfferedChoice): MfaOption[] {
  const type = olderMfaType(choice);
  if (type === undefined) return [];
  const { description, masked_destination: target } = choice;
  return [{ type, label: choice.label, ...(description !== undefined && { description }), ...(target !== undefined && { target }) }];
}

const ssoButton = ({ type, label, xpath, provider }: OfferedChoice): SsoButton[] =>
  type === 'sso_provider' && xpath !== undefined ? [{ selector: xpath, provider: provider ?? label, label }] : [];

const signInOption = (choice: OfferedChoice): SignInOption[] =>
  isSignInOption(choice)
    ? [{ id: choice.id, label: choice.label, ...(choice.description !== undefined && { description: choice.description }) }]
    : [];

/** Empty arrays are absent (D58). */
const when = <K extends string, T>(key: K, list: T[]): { [P in K]?: T[] } =>
  list.length > 0 ? ({ [key]: list } as { [P in K]?: T[] }) : {};

function pauseView(state: FlowState): SharedView {
  return {
    ...(state.interactionId !== undefined && { interaction_id: state.interactionId }),
    ...when(
      'fields',
      state.fields.map(({ observed: _observed, ...field }) => field),
    ),
    ...when(
      'choices',
      state.choices.map(({ xpath: _xpath, provider: _provider, ...choice }) => choice),
    ),
    ...when('discovered_fields', state.fields.map(discoveredField)),
    ...when('mfa_options', state.choices.flatMap(mfaOption)),
    ...when('pending_sso_buttons', state.choices.flatMap(ssoButton)),
    ...when('sign_in_options', state.choices.flatMap(signInOption)),
    ...(state.step === 'AWAITING_EXTERNAL_ACTION' &&
      state.externalActionMessage !== undefined && { external_action_message: state.externalActionMessage }),
  };
}

/** What `state` shows, `hosted_url` apart. Pure. */
export function stateView(state: FlowState): Omit<SharedView, 'hosted_url'> {
  const running = state.status === 'IN_PROGRESS';
  return {
    ...(running && isPause(state.step) && pauseView(state)),
    ...(state.status === 'FAILED' && {
      error_code: state.errorCode ?? 'internal_error',
      error_message: state.errorMessage ?? 'The login could not be completed.',
    }),
    ...(state.status !== 'SUCCESS' && state.websiteError !== undefined && { website_error: state.websiteError }),
    ...(state.status === 'SUCCESS' && state.postLoginUrl !== undefined && { post_login_url: state.postLoginUrl }),
  };
}

function sharedView(flow: Pick<LoginFlowRow, 'sealedHostedToken'>, state: FlowState, { sealer, publicUrl }: ViewContext): SharedView {
  const running = state.status === 'IN_PROGRESS';
  return { ...stateView(state), ...(running && { hosted_url: hostedUrl(publicUrl, openHostedToken(sealer, flow)) }) };
}

/** The stored state; throws when the row holds something else. */
export const stateOf = (flow: Pick<LoginFlowRow, 'state'>): FlowState => FlowState.parse(flow.state);

/** The whole state of a flow as every stream event carries it (service.md "managed_auth_state", D58–D60). */
export function eventOf(
  flow: Pick<LoginFlowRow, 'type' | 'state' | 'updatedAt' | 'sealedHostedToken'>,
  context: ViewContext,
): LoginStateEvent {
  const state = stateOf(flow);
  return {
    event: 'managed_auth_state',
    timestamp: flow.updatedAt.toISOString(),
    flow_status: state.status,
    flow_step: state.step,
    flow_type: flow.type,
    ...sharedView(flow, state, context),
  };
}

/** When a running flow ends by itself: the nearer of the pause's and the whole flow's deadline (D39). */
export function flowDeadline(flow: Pick<LoginFlowRow, 'expiresAt' | 'pauseExpiresAt'>): Date {
  return flow.pauseExpiresAt !== null && flow.pauseExpiresAt < flow.expiresAt ? flow.pauseExpiresAt : flow.expiresAt;
}

type FlowPart = Pick<AuthConnection, 'flow_status' | 'flow_step' | 'flow_type' | 'flow_expires_at' | 'browser_session_id'> & SharedView;

/** The part of the connection's record that tells its newest flow; all null before the first (D32, D37). */
export function recordPartOf(flow: LoginFlowRow | null, context: ViewContext): FlowPart {
  if (flow === null) return { flow_status: null, flow_step: null, flow_type: null, flow_expires_at: null };
  const state = stateOf(flow);
  const running = state.status === 'IN_PROGRESS';
  return {
    flow_status: state.status,
    flow_step: state.step,
    flow_type: flow.type,
    flow_expires_at: running ? flowDeadline(flow).toISOString() : null,
    ...(running && { browser_session_id: flow.browserSessionId }),
    ...sharedView(flow, state, context),
  };
}

const timeouts: Partial<Record<FlowState['step'], FlowErrorCode>> = {
  AWAITING_INPUT: 'awaiting_input_timeout',
  AWAITING_EXTERNAL_ACTION: 'external_action_timeout',
};

/** A flow as an entry of its connection's timeline; a pause that ran out is told by its `*_timeout` code here alone (D39). */
export function timelineEntryOf(flow: LoginFlowRow): TimelineEvent {
  const state = stateOf(flow);
  const errorCode = state.status === 'EXPIRED' ? timeouts[state.step] : state.errorCode;
  return {
    id: flow.id,
    type: flow.type === 'REAUTH' ? 'reauth' : 'login',
    status: state.status,
    timestamp: flow.createdAt.toISOString(),
    updated_at: flow.updatedAt.toISOString(),
    step: state.step,
    ...(flow.browserSessionId !== null && { browser_session_id: flow.browserSessionId }),
    ...(errorCode !== undefined && { error_code: errorCode }),
    ...(state.errorMessage !== undefined && { error_message: state.errorMessage }),
    ...(state.websiteError !== undefined && { website_error: state.websiteError }),
  };
}
