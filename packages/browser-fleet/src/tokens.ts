import type { Sealer } from '@berth/secrets';

/**
 * What a token in a browser URL opens. Each door has tokens of its own, so a live-view link cannot be turned into a CDP link. `profile` is
 * for the login worker alone and never handed out.
 */
export type Door = 'cdp' | 'bidi' | 'live' | 'base' | 'profile';

/**
 * The token of one door of one session: an HMAC over session id and generation, so the browser host verifies it without a lookup, nobody
 * can guess it, and it dies with the session (the host knows its own sessions and generations). Never logged.
 */
export function sessionToken(sealer: Sealer, door: Door, sessionId: string, generation: number): string {
  return sealer.sign(`session:${door}`, `${sessionId}.${generation}`);
}

export function isSessionToken(sealer: Sealer, door: Door, sessionId: string, generation: number, token: string): boolean {
  return sealer.verify(`session:${door}`, `${sessionId}.${generation}`, token);
}
