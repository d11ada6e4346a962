import type { ProfileCookie, ProfileDocument, ProfileOrigin } from '@berth/browser-fleet';
import type { CdpSession } from '../chromium/cdp-session.js';
import type { Chromium } from '../chromium/chromium.js';
import { withBlankPage } from './blank-page.js';
import { onOpenPages } from './open-page.js';
import { readStorage } from './page-storage.js';

/** IndexedDB of one origin beyond this many characters is a cache, not a login, and is left out. */
const maxIndexedDbCharacters = 8 * 1024 * 1024;

type ChromiumCookie = ProfileCookie & { readonly session: boolean; readonly expires: number };

/**
 * Reads what the default context holds: all cookies, and localStorage and IndexedDB of the origins, in `pages` that show them or on a blank
 * page. Asks no website anything.
 */
export async function captureProfile(
  chromium: Chromium,
  origins: readonly string[],
  pages: Iterable<CdpSession> = [],
): Promise<ProfileDocument> {
  const [cookies, stored] = await Promise.all([captureCookies(chromium), captureStorage(chromium, [...origins].sort(), pages)]);
  return { version: 1, cookies, origins: stored.filter(({ localStorage, indexedDB }) => localStorage.length + indexedDB.length > 0) };
}

/** All cookies of the default context, in a fixed order. */
export async function captureCookies({ cdp }: Chromium): Promise<ProfileCookie[]> {
  const { cookies } = await cdp.browser.send<{ cookies: readonly ChromiumCookie[] }>('Storage.getCookies');
  return cookies.map(cookieOf).sort(byPlace);
}

async function captureStorage(
  chromium: Chromium,
  origins: readonly string[],
  pages: Iterable<CdpSession>,
): Promise<readonly ProfileOrigin[]> {
  const options = { limit: maxIndexedDbCharacters };
  const read = await onOpenPages(pages, new Set(origins), readStorage, options);
  const closed = origins.filter((origin) => !read.has(origin));
  if (closed.length > 0) {
    await withBlankPage(chromium, async (visit) => {
      for (const origin of closed) read.set(origin, await visit(origin, readStorage, options));
    });
  }
  return origins.map((origin) => ({ origin, ...(JSON.parse(read.get(origin) ?? '') as Omit<ProfileOrigin, 'origin'>) }));
}

function cookieOf({
  name,
  value,
  domain,
  path,
  expires,
  session,
  httpOnly,
  secure,
  sameSite,
  priority,
  sourceScheme,
  sourcePort,
  partitionKey,
}: ChromiumCookie): ProfileCookie {
  return {
    name,
    value,
    domain,
    path,
    ...(session ? {} : { expires }),
    httpOnly,
    secure,
    sameSite,
    priority,
    sourceScheme,
    sourcePort,
    partitionKey,
  };
}

/** Chromium's order says when a cookie was last used; a fixed one lets two captures be compared. */
export function byPlace(a: ProfileCookie, b: ProfileCookie): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

/** Two cookies of one place are the same cookie. */
export function placeOf({ domain, path, name, partitionKey }: ProfileCookie): string {
  return [domain, path, name, partitionKey?.topLevelSite ?? ''].join('\n');
}
