import { join } from 'node:path';
import type { Account } from '@berth/testkit';
import { chromium } from 'playwright-core';

export interface Visit {
  readonly executablePath: string;
  readonly loginUrl: string;
  readonly account: Account;
  /** Folder for what is saved. */
  readonly folder: string;
}

/**
 * What one would write for this one site, knowing its selectors: start the same build, sign in, save what the browser remembers and close
 * it.
 * @returns milliseconds
 */
export async function signInByHand({ executablePath, loginUrl, account, folder }: Visit): Promise<number> {
  const started = performance.now();
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(loginUrl);
  await page.fill('[name=username]', account.username);
  await page.fill('[name=password]', account.password);
  await page.click('form button');
  await page.waitForSelector('#signed-in-as');
  await context.storageState({ path: join(folder, 'state.json'), indexedDB: true });
  await browser.close();
  return performance.now() - started;
}
