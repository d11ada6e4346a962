import type { ProfileDocument } from '@berth/browser-fleet';
import type { Chromium } from '../chromium/chromium.js';
import type { SessionRow } from './session-rows.js';

/** What a prepared browser can be asked for later. */
export interface Prepared {
  /** Reads what its default context holds; only for sessions with a profile. */
  readonly capture?: () => Promise<ProfileDocument>;
  /** Keeps what is worth keeping, at the end, while it still runs. */
  readonly beforeKill?: () => Promise<void>;
  /** The same when the browser has closed itself: from its files. */
  readonly afterClose?: () => Promise<void>;
}

/** What is done with a browser before it is announced. */
export interface Preparation {
  prepare(chromium: Chromium, row: SessionRow): Promise<Prepared>;
}
