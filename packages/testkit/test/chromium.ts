import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** The Chromium named by BERTH_CHROMIUM_PATH, else the first one on the PATH. */
function chromiumPath(): string {
  const named = process.env['BERTH_CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  const found = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => ['chromium', 'google-chrome-stable', 'chrome'].map((name) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined) throw new Error('These tests need Chromium: set BERTH_CHROMIUM_PATH.');
  return found;
}

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
