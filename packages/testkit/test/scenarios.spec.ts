import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Scenario, scenarios, startWebsite, type Website } from '../src/index.js';
import { launchChromium } from './chromium.js';
import { Player } from './player.js';

let site: Website;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startWebsite(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});

const titleOf = ({ name, expected: { pauses, end } }: Scenario): string =>
  `${name} plays as its row says: ${pauses.length} pauses, then ${end === 'SUCCESS' ? 'logged in' : end.join(' or ')}`;

// A person with the right answers gets exactly as far as the row says: a row that lies would fail the engine for the site's fault.
describe('a scenario', () => {
  it.concurrent.each(scenarios.map((scenario) => [titleOf(scenario), scenario] as const))('%s', async (_title, scenario) => {
    const context = await browser.newContext();
    try {
      await plays(scenario, context);
    } finally {
      await context.close();
    }
  });
});

async function plays(scenario: Scenario, context: BrowserContext): Promise<void> {
  const { name, expected } = scenario;
  const { end, posts = {} } = expected;
  const faults: string[] = [];
  context.on('weberror', (fault) => faults.push(fault.error().message));
  const account = site.addAccountFor(name);
  const player = new Player(site, context, scenario, account);
  await player.play();
  if (end === 'SUCCESS') expect(await player.signedInAs()).toBe(account.username);
  else expect(context.pages().some((page) => page.url().endsWith('/account'))).toBe(false);
  expect(faults).toEqual([]);
  const counted = Object.fromEntries(Object.keys(posts).map((step) => [step, site.stats.posts(name, step)]));
  expect(counted).toEqual(posts);
}
