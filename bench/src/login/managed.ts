import { randomUUID } from 'node:crypto';
import type { AuthConnection, LoginStateEvent } from '@berth/schema';
import { readConnectionEvents } from '@berth/schema/event-stream';
import type { Account } from '@berth/testkit';
import { now } from './spans.js';

export interface Berth {
  readonly url: string;
  readonly key: string;
}

/** Milliseconds since the connection was asked for. */
export interface ManagedLogin {
  /** When that was: milliseconds since 1970. */
  readonly began: number;
  readonly added: number;
  readonly started: number;
  readonly asked: number;
  readonly submitted: number;
  readonly succeeded: number;
}

/** Adds a connection, logs in and follows its events until SUCCESS, as a client does. */
export async function signInManaged(berth: Berth, loginUrl: string, { username, password }: Account): Promise<ManagedLogin> {
  const began = now();
  const since = (): number => now() - began;
  const body = { domain: new URL(loginUrl).hostname, profile_name: `bench-${randomUUID()}`, login_url: loginUrl };
  const { id } = await call<AuthConnection>(berth, 'POST', '/auth/connections', body);
  const added = since();
  await call(berth, 'POST', `/auth/connections/${id}/login`, {});
  const started = since();
  let [asked, submitted] = [0, 0];
  for await (const state of statesOf(berth, id)) {
    if (state.flow_status === 'SUCCESS') return { began, added, started, asked, submitted, succeeded: since() };
    if (state.flow_status !== 'IN_PROGRESS') throw new Error(`the login ended ${state.flow_status} ${state.error_code ?? ''}`);
    if (state.flow_step !== 'AWAITING_INPUT') continue;
    asked = since();
    const field_values = Object.fromEntries(
      (state.fields ?? []).map(({ id: field, type }) => [field, type === 'identifier' ? username : password]),
    );
    await call(berth, 'POST', `/auth/connections/${id}/submit`, { interaction_id: state.interaction_id, field_values });
    submitted = since();
  }
  throw new Error('the event stream ended before the login did');
}

const authorization = ({ key }: Berth) => ({ authorization: `Bearer ${key}` });

async function call<T>(berth: Berth, method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${berth.url}${path}`, {
    method,
    headers: { ...authorization(berth), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

async function* statesOf(berth: Berth, id: string): AsyncGenerator<LoginStateEvent> {
  const response = await fetch(`${berth.url}/auth/connections/${id}/events`, { headers: authorization(berth) });
  for await (const event of readConnectionEvents(response)) if (event.event === 'managed_auth_state') yield event;
}
