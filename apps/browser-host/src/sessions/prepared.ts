import type { ProfileDocument, ProfileReading } from '@berth/browser-fleet';
import type { Chromium } from '../chromium/chromium.js';
import type { SessionRow } from './session-rows.js';

/** How a session's profile is kept at its end. Reading needs a browser, storing does not. */
export interface Keeping {
  /** While its browser still runs. */
  readonly fromBrowser: () => Promise<ProfileDocument>;
  /** When its browser has closed itself. */
  readonly fromFiles: () => Promise<ProfileDocument>;
  readonly store: (read: ProfileDocument) => Promise<void>;
}

/** What a prepared browser can be asked for later. */
export interface Prepared {
  /** Reads what its default context holds, beside what it was given; only for sessions with a profile. */
  readonly read?: () => Promise<ProfileReading>;
  /** Only for sessions that change their profile. */
  readonly keeping?: Keeping;
}

/** What is done with a browser before it is announced. */
export interface Preparation {
  /** The part that needs no row, for a browser that nobody has asked for yet. */
  ahead(chromium: Chromium): Promise<void>;
  /** Given up when `until` aborts. */
  prepare(chromium: Chromium, row: SessionRow, until: AbortSignal): Promise<Prepared>;
}
