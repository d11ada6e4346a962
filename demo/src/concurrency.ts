import type { BrowserSession, ErrorBody, Invocation, InvocationBrowsers, ProjectLimits } from '@berth/schema';
import { chromium } from 'playwright-core';
import type { Client } from './client.js';
import { chapter, expect, tell } from './terminal.js';

const cap = 3;

/** Opens as many browsers as the project's cap allows under one invocation, and one more, which is refused. */
export async function showConcurrency(berth: Client, projectId: string, website: string): Promise<void> {
  chapter(`A cap of ${cap} browsers, and what happens at it`);
  await berth.call<ProjectLimits>('PATCH', `/org/projects/${projectId}/limits`, { max_concurrent_sessions: cap });
  const invocation = await berth.call<Invocation>('POST', '/invocations', { app_name: 'demo', action_name: 'tour', version: '1' });
  tell(`invocation ${invocation.id} is ${invocation.status}; every browser is opened under it`);
  const opened: BrowserSession[] = [];
  for (let index = 0; index < cap; index += 1) {
    const begun = Date.now();
    const browser = await berth.call<BrowserSession>('POST', '/browsers', {
      invocation_id: invocation.id,
      name: `tour-${index + 1}`,
      tags: { purpose: 'demo' },
    });
    opened.push(browser);
    tell(`browser ${browser.session_id} is open (${Date.now() - begun} ms)`);
  }

  const refused = await berth.send('POST', '/browsers', { invocation_id: invocation.id });
  const { code, details } = (await refused.json()) as ErrorBody;
  expect(
    refused.status === 429 && code === 'concurrency_limit_exceeded',
    `the 4th browser is refused with 429 (was ${refused.status} ${code})`,
  );
  tell(`the 4th is refused: 429 ${code}, ${details?.[0]?.code}: ${details?.[0]?.message}`);

  const { browsers } = await berth.call<InvocationBrowsers>('GET', `/invocations/${invocation.id}/browsers`);
  expect(browsers.length === cap, `the invocation lists its ${cap} browsers`);
  for (const browser of browsers)
    tell(`listed under the invocation: ${browser.session_id} ${browser.name} ${JSON.stringify(browser.tags)}`);

  await driveOverCdp(opened[0] as BrowserSession, website);
  for (const { session_id } of opened) await berth.call('DELETE', `/browsers/${session_id}`);
  await berth.call('PATCH', `/invocations/${invocation.id}`, { status: 'succeeded' });
  const limits = await berth.call<ProjectLimits>('GET', `/org/projects/${projectId}/limits`);
  expect(limits.concurrent_sessions_used === 0, 'all slots are free again');
  tell(`all ended; usage is ${limits.concurrent_sessions_used} of ${limits.max_concurrent_sessions}`);
}

async function driveOverCdp({ session_id, cdp_ws_url }: BrowserSession, website: string): Promise<void> {
  const browser = await chromium.connectOverCDP(cdp_ws_url);
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(website);
  tell(`Playwright drives ${session_id} over CDP: "${await page.title()}"`);
  await browser.close();
}
