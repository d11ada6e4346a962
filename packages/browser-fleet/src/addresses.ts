import type { Sealer } from '@berth/secrets';
import { type Door, sessionToken } from './tokens.js';

/** What is needed of a session row to address its browser. */
export interface Addressed {
  readonly id: string;
  readonly generation: number;
}

const doorPath: Record<Door, string> = { cdp: 'cdp', bidi: 'bidi', live: 'live', base: '', profile: 'profile' };

function address(origin: string, socket: boolean, door: Door, session: Addressed, sealer: Sealer): string {
  const base = socket ? origin.replace(/^http/, 'ws') : origin;
  const path = doorPath[door] === '' ? '' : `/${doorPath[door]}`;
  return `${base}/sessions/${session.id}${path}?token=${sessionToken(sealer, door, session.id, session.generation)}`;
}

/** WebSocket address of a session's CDP door under a host's origin (the public one for callers, the internal one for workers). */
export const cdpUrl = (origin: string, session: Addressed, sealer: Sealer): string => address(origin, true, 'cdp', session, sealer);

/** WebSocket address of a session's WebDriver BiDi door. */
export const bidiUrl = (origin: string, session: Addressed, sealer: Sealer): string => address(origin, true, 'bidi', session, sealer);

/** HTTP address that answers with the session's state (D31 `base_url`). */
export const baseUrl = (origin: string, session: Addressed, sealer: Sealer): string => address(origin, false, 'base', session, sealer);

/** HTTP address at which a host hands out what the browser's default context holds; for the login worker, never for callers. */
export const profileUrl = (origin: string, session: Addressed, sealer: Sealer): string =>
  address(origin, false, 'profile', session, sealer);
