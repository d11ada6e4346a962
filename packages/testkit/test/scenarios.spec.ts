import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { scenarios, startWebsite, type Website } from '../src/index.js';
import { launchChromium } from './chromium.js';
import { Player } from './player.js';

let site: Website;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [site, browser] = await Promise.all([startWebsite(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
});

// A person with the right answers gets exactly as far as the row says: a row that lies would fail the engine for the site's fault.
describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (name, scenario) => {
  const { pauses, end, posts = {} } = scenario.expected;

  it(`plays as its row says: ${pauses.length} pauses, then ${end === 'SUCCESS' ? 'logged in' : end.join(' or ')}`, async () => {
    const faults: string[] = [];
    context.on('weberror', (fault) => faults.push(fault.error().message));
    const account = site.addAccountFor(name);
    const player = new Player(site, context, scenario, account);
    await player.play();
    if (end === 'SUCCESS') expect(await player.signedInAs()).toBe(account.username);
    expect(faults).toEqual([]);
    const counted = Object.fromEntries(Object.keys(posts).map((step) => [step, site.stats.posts(name, step)]));
    expect(counted).toEqual(posts);
    expect(context.pages().some((page) => page.url().endsWith('/account'))).toBe(end === 'SUCCESS');
  });
});
