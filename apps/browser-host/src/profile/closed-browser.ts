import type { ProfileCookie, ProfileDocument } from '@berth/browser-fleet';
import { Chromium, type ChromiumProgram } from '../chromium/chromium.js';
import { byPlace, captureCookies, captureProfile, placeOf } from './capture.js';

const lookEveryMs = 1_000;
const startWithinMs = 10_000;

/**
 * The session cookies of a browser, read every second while it runs: Chromium writes them to no file, so they are lost when a caller closes
 * the browser itself.
 */
export class SessionCookies {
  #latest: readonly ProfileCookie[] = [];

  static follow(chromium: Chromium): SessionCookies {
    const followed = new SessionCookies();
    const timer = setInterval(() => {
      // A browser that is just closing does not answer; the look before is the latest then.
      captureCookies(chromium).then(
        (cookies) => (followed.#latest = cookies.filter(({ expires }) => expires === undefined)),
        () => undefined,
      );
    }, lookEveryMs);
    void chromium.exited.then(() => clearInterval(timer));
    return followed;
  }

  get latest(): readonly ProfileCookie[] {
    return this.#latest;
  }
}

/** What a browser that has closed itself left in its files, and the session cookies it had. Its folder is gone afterwards. */
export async function captureFromFiles(
  program: ChromiumProgram,
  closed: Chromium,
  origins: readonly string[],
  sessionCookies: readonly ProfileCookie[],
): Promise<ProfileDocument> {
  const reader = await Chromium.start(program, closed.options, AbortSignal.timeout(startWithinMs), closed.folder);
  try {
    const { cookies, ...rest } = await captureProfile(reader, origins);
    const written = new Set(cookies.map(placeOf));
    return { ...rest, cookies: [...cookies, ...sessionCookies.filter((cookie) => !written.has(placeOf(cookie)))].sort(byPlace) };
  } finally {
    await reader.kill();
  }
}
