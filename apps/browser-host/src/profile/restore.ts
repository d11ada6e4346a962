import type { ProfileCookie, ProfileDocument } from '@berth/browser-fleet';
import type { Chromium } from '../chromium/chromium.js';
import { withBlankPage } from './blank-page.js';
import { writeStorage } from './page-storage.js';

/** Puts a profile into the default context of a new browser, so that it starts logged in (D44). Asks no website anything. */
export async function restoreProfile(chromium: Chromium, { cookies, origins }: ProfileDocument): Promise<void> {
  const now = Date.now() / 1000;
  const valid = cookies.filter(({ expires }) => expires === undefined || expires > now);
  if (valid.length > 0) await chromium.cdp.browser.send('Storage.setCookies', { cookies: valid.map(parametersOf) });
  if (origins.length === 0) return;
  await withBlankPage(chromium, async (visit) => {
    for (const { origin, localStorage, indexedDB } of origins) await visit(origin, writeStorage, { localStorage, indexedDB });
  });
}

/** With a `domain` Chromium makes a cookie that subdomains see too; one for a single host is named by its URL. */
function parametersOf({ domain, ...cookie }: ProfileCookie): object {
  if (domain.startsWith('.')) return { ...cookie, domain };
  return { ...cookie, url: `${cookie.secure ? 'https' : 'http'}://${domain}${cookie.path}` };
}
