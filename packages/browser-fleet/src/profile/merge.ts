import { isDeepStrictEqual } from 'node:util';
import type { ProfileCookie, ProfileDocument, ProfileOrigin } from './document.js';

interface HostState {
  readonly cookies: ProfileCookie[];
  readonly origins: ProfileOrigin[];
}

const nothing: ProfileDocument = { version: 1, cookies: [], origins: [] };

/** Everything of a document by the host it belongs to. */
function byHost({ cookies, origins }: ProfileDocument): Map<string, HostState> {
  const hosts = new Map<string, HostState>();
  const stateOf = (host: string): HostState => {
    const state = hosts.get(host) ?? { cookies: [], origins: [] };
    hosts.set(host, state);
    return state;
  };
  for (const cookie of cookies) stateOf(cookie.domain.replace(/^\./, '')).cookies.push(cookie);
  for (const origin of origins) stateOf(new URL(origin.origin).hostname).origins.push(origin);
  return hosts;
}

/**
 * What is stored after a browser was read (D44: connections sharing a profile merge per host). A host whose state the browser changed since
 * it was loaded is taken from the browser, also when nothing is left of it; every other host stays as it is stored, because another browser
 * may have saved it meanwhile. Without `loaded`, every host the browser holds is taken.
 */
export function mergeProfiles(
  stored: ProfileDocument | null,
  captured: ProfileDocument,
  loaded: ProfileDocument | null = null,
): ProfileDocument {
  const [kept, before, after] = [byHost(stored ?? nothing), byHost(loaded ?? nothing), byHost(captured)];
  for (const host of new Set([...before.keys(), ...after.keys()])) {
    const state = after.get(host);
    if (isDeepStrictEqual(before.get(host), state)) continue;
    if (state === undefined) kept.delete(host);
    else kept.set(host, state);
  }
  const states = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, state]) => state);
  return { version: 1, cookies: states.flatMap(({ cookies }) => cookies), origins: states.flatMap(({ origins }) => origins) };
}
