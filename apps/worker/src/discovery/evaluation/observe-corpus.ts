/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { partsOf } from '../../page/frames.js';
import { PlaywrightPage } from '../../page/playwright-page.js';
import type { Handle, PageSnapshot } from '../snapshot.js';
import type { GoldPage } from './corpus.js';

export interface ObservedPage {
  readonly gold: GoldPage;
  readonly snapshot: PageSnapshot;
  /** Handle of the control each gold selector means, in the order of the selectors; null where the observer saw none. */
  readonly fields: readonly (Handle | null)[];
  readonly submits: readonly (Handle | null)[];
}

/** A host that resolves nowhere: pages are answered from disk and every other request is refused. */
const ORIGIN = 'http://corpus.invalid';

/** Loads each page with the network blocked and looks at it as production does. */
export async function* observeCorpus(browser: Browser, folder: string, pages: readonly GoldPage[]): AsyncGenerator<ObservedPage> {
  const context = await browser.newContext();
  await context.route('**/*', async (route) => {
    const { pathname, origin } = new URL(route.request().url());
    if (origin !== ORIGIN || !route.request().isNavigationRequest() || route.request().frame().parentFrame())
      return route.abort('blockedbyclient');
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: await readFile(join(folder, decodeURIComponent(pathname))) });
  });
  for (const gold of pages) {
    const page = await context.newPage();
    await page.goto(`${ORIGIN}/${gold.file}`, { waitUntil: 'domcontentloaded' });
    const snapshot = await new PlaywrightPage(page).observe();
    const handles = await handlesOf(
      page,
      snapshot,
      [...gold.fields, ...gold.submits].map(({ selector }) => selector),
    );
    yield { gold, snapshot, fields: handles.slice(0, gold.fields.length), submits: handles.slice(gold.fields.length) };
    await page.close();
  }
  await context.close();
}

async function handlesOf(page: Page, snapshot: PageSnapshot, selectors: readonly string[]): Promise<(Handle | null)[]> {
  const handles = snapshot.controls.filter(({ frame }) => frame === '').map(({ handle }) => handle);
  const places = await page.evaluate(
    ({ paths, wanted }) => {
      const elements = paths.map((path) =>
        path.split(' >>> ').reduce<Element | null>((at, part) => (at?.shadowRoot ?? document).querySelector(part), null),
      );
      return wanted.map((selector) => elements.indexOf(document.querySelector(selector)));
    },
    { paths: handles.map((handle) => partsOf(handle).path), wanted: [...selectors] },
  );
  return places.map((place) => handles[place] ?? null);
}
