import type { Sealer } from '@berth/secrets';
import type { BrowserContext } from 'playwright-core';
import type { ProfileStates } from './save-outcome.js';

/** A profile's document: what a browser must hold to be logged in (D44). */
type ProfileDocument = Awaited<ReturnType<BrowserContext['storageState']>>;

const purpose = 'profile';

/** Hosts of which the browser holds something now: what the profile had of them is replaced as a whole, so that a sign-out elsewhere does not come back. */
function hostsOf({ cookies, origins }: ProfileDocument): ReadonlySet<string> {
  return new Set([...cookies.map(({ domain }) => domain.replace(/^\./, '')), ...origins.map(({ origin }) => new URL(origin).hostname)]);
}

/** Per host: what was just captured wins, hosts that were not visited keep what they had. */
export function mergeProfiles(stored: ProfileDocument | null, captured: ProfileDocument): ProfileDocument {
  if (stored === null) return captured;
  const now = hostsOf(captured);
  return {
    cookies: [...stored.cookies.filter(({ domain }) => !now.has(domain.replace(/^\./, ''))), ...captured.cookies],
    origins: [...stored.origins.filter(({ origin }) => !now.has(new URL(origin).hostname)), ...captured.origins],
  };
}

/** Reads the browser's whole state, session cookies and IndexedDB included. */
export async function captureProfile(context: BrowserContext, sealer: Sealer): Promise<ProfileStates> {
  const captured = await context.storageState({ indexedDB: true });
  return {
    merge: (stored) => sealer.sealJson(purpose, mergeProfiles(stored === null ? null : sealer.openJson<ProfileDocument>(purpose, stored), captured)),
  };
}
