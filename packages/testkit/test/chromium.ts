import { chromium, type Browser } from 'playwright-core';

/** Starts the Chromium that the whole Jest run shares as a program (`tooling/jest/global-setup.mjs`). */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env['BERTH_TEST_CHROMIUM'];
  if (executablePath === undefined)
    throw new Error('BERTH_TEST_CHROMIUM is not set: run the tests through tooling/test.mjs or Jest at the root.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}
