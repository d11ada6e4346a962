import type { ProfileCookie, ProfileDocument, ProfileOrigin } from '@berth/browser-fleet';
import type { Chromium } from '../chromium/chromium.js';
import { type Visit, withBlankPage } from './blank-page.js';
import { readStorage } from './page-storage.js';

/** IndexedDB of one origin beyond this many characters is a cache, not a login, and is left out. */
const maxIndexedDbCharacters = 8 * 1024 * 1024;

type ChromiumCookie = ProfileCookie & { readonly session: boolean; readonly expires: number };

/** Reads what the default context holds: all cookies, and localStorage and IndexedDB of the origins. Asks no website anything. */
export async function captureProfile(chromium: Chromium, origins: readonly string[]): Promise<ProfileDocument> {
  const cookies = await captureCookies(chromium);
  const stored = origins.length === 0 ? [] : await withBlankPage(chromium, (visit) => readAll(visit, [...origins].sort()));
  return { version: 1, cookies, origins: stored.filter(({ localStorage, indexedDB }) => localStorage.length + indexedDB.length > 0) };
}

/** All cookies of the default context, in a fixed order. */
export async function captureCookies({ cdp }: Chromium): Promise<ProfileCookie[]> {
  const { cookies } = await cdp.browser.send<{ cookies: readonly ChromiumCookie[] }>('Storage.getCookies');
  return cookies.map(cookieOf).sort(byPlace);
}

async function readAll(visit: Visit, origins: readonly string[]): Promise<readonly ProfileOrigin[]> {
  const read: ProfileOrigin[] = [];
  for (const origin of origins) {
    const text = await visit(origin, readStorage, { limit: maxIndexedDbCharacters });
    read.push({ origin, ...(JSON.parse(text) as Omit<ProfileOrigin, 'origin'>) });
  }
  return read;
}

function cookieOf({ name, value, domain, path, expires, session, httpOnly, secure, sameSite, priority, sourceScheme, sourcePort, partitionKey }: ChromiumCookie): ProfileCookie {
  return { name, value, domain, path, ...(session ? {} : { expires }), httpOnly, secure, sameSite, priority, sourceScheme, sourcePort, partitionKey };
}

/** Chromium's order says when a cookie was last used; a fixed one lets two captures be compared. */
export function byPlace(a: ProfileCookie, b: ProfileCookie): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

/** Two cookies of one place are the same cookie. */
export function placeOf({ domain, path, name, partitionKey }: ProfileCookie): string {
  return [domain, path, name, partitionKey?.topLevelSite ?? ''].join('\n');
}
