import { join } from 'node:path';
import { type AuthConnection, type BrowserSession, type ConnectionEvent, type LoginField, type LoginStarted } from '@berth/schema';
import { readConnectionEvents } from '@berth/schema/event-stream';
import { type Account, totpCode, type Website } from '@berth/testkit';
import { chromium } from 'playwright-core';
import type { Client } from './client.js';
import { chapter, expect, tell } from './terminal.js';

const profileName = 'demo-person';

/** Logs in to the website through a managed flow, following its event stream, and answers what it asks for. */
export async function showManagedLogin(berth: Client, website: Website, account: Account): Promise<void> {
  chapter('A managed login: identifier, wrong password, password, one-time code');
  const { host } = new URL(website.url);
  const connection = await berth.call<AuthConnection>('POST', '/auth/connections', {
    domain: host,
    profile_name: profileName,
    login_url: website.url,
  });
  const started = await berth.call<LoginStarted>('POST', `/auth/connections/${connection.id}/login`, {});
  tell(`a person could finish it at ${started.hosted_url.replace(/[\w-]{20,}$/, '…')}`);
  const stream = await berth.send('GET', `/auth/connections/${connection.id}/events`);
  expect(stream.ok && stream.headers.get('content-type') === 'text/event-stream', 'the event stream opens');

  let wrongPasswords = 0;
  let answered: string | undefined;
  for await (const event of readConnectionEvents(stream)) {
    process.stdout.write(`          > ${line(event)}\n`);
    if (event.event !== 'managed_auth_state') continue;
    if (event.flow_status !== 'IN_PROGRESS') {
      expect(event.flow_status === 'SUCCESS', `the login ends in SUCCESS (was ${event.flow_status} ${event.error_code ?? ''})`);
      continue;
    }
    if (event.interaction_id === undefined || event.interaction_id === answered) continue;
    answered = event.interaction_id;
    const field_values = Object.fromEntries((event.fields ?? []).map((field) => [field.id, valueFor(field, account, wrongPasswords)]));
    if (event.fields?.some(({ type }) => type === 'password')) wrongPasswords += 1;
    await berth.call('POST', `/auth/connections/${connection.id}/submit`, { interaction_id: event.interaction_id, field_values });
  }
  const { status } = await berth.call<AuthConnection>('GET', `/auth/connections/${connection.id}`);
  expect(status === 'AUTHENTICATED', 'the connection is AUTHENTICATED');
}

/** The first password typed is wrong, to show that the flow comes back and asks again. */
function valueFor({ type }: LoginField, account: Account, passwordsTyped: number): string {
  if (type === 'identifier') return account.email;
  if (type === 'password') return passwordsTyped === 0 ? 'not-the-password' : account.password;
  return totpCode(account.totpSecret ?? '');
}

function line(event: ConnectionEvent): string {
  if (event.event !== 'managed_auth_state') return event.event;
  const asked = event.fields?.map(({ label, type, reason }) => `${label ?? type} (${reason})`).join(', ');
  const parts = ['website_error', 'error_code', 'error_message', 'external_action_message', 'post_login_url'] as const;
  return [
    event.flow_step,
    event.flow_status,
    asked && `asks for ${asked}`,
    ...parts.map((part) => event[part] && `${part}: ${event[part]}`),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Opens a browser with the saved profile and leaves a screenshot that shows who is logged in. Answers where. */
export async function showSavedProfile(berth: Client, website: Website, account: Account, folder: string): Promise<string> {
  chapter('A browser with the saved profile starts logged in');
  const session = await berth.call<BrowserSession>('POST', '/browsers', {
    profile: { name: profileName },
    viewport: { width: 1280, height: 800 },
  });
  const browser = await chromium.connectOverCDP(session.cdp_ws_url);
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${website.url}/account`);
  const signedInAs = await page.locator('#signed-in-as').getAttribute('data-username');
  expect(signedInAs === account.username, `the website knows the profile's person (says ${String(signedInAs)})`);
  const screenshot = join(folder, 'logged-in.png');
  await page.screenshot({ path: screenshot });
  await browser.close();
  await berth.call('DELETE', `/browsers/${session.session_id}`);
  tell(`the website says it is ${signedInAs}; screenshot: ${screenshot}`);
  return screenshot;
}
