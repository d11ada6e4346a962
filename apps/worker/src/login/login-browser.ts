import {
  cdpUrl,
  fetchProfile,
  type LaunchQueue,
  type ProfileReading,
  requestLaunch,
  type SessionStanding,
  type SessionWatcher,
} from '@berth/browser-fleet';
import type { Sealer } from '@berth/secrets';
import { type Browser, chromium, errors } from 'playwright-core';
import { PageGone, PageSilent, type PagePort } from '../page/page-port.js';
import { PlaywrightPage } from '../page/playwright-page.js';

export interface BrowserPorts {
  readonly watcher: SessionWatcher;
  readonly launches: LaunchQueue;
  readonly sealer: Sealer;
  /** Milliseconds to wait for a host to start a browser (`BERTH_LAUNCH_TIMEOUT_SECONDS`). */
  readonly launchTimeoutMs: number;
}

/** A session's browser, connected. Closing it only disconnects; the browser and its page stay. */
export interface LoginBrowser {
  readonly page: PagePort;
  /** Reads what the browser remembers of websites, from its host (D44). */
  profile(): Promise<ProfileReading>;
  disconnect(): Promise<void>;
}

/** A session that a host runs. */
export type LaunchedSession = SessionStanding & { readonly hostInternalUrl: string };

const connectMs = 10_000;
/** A browser from the warm standby is there long before. */
const askAgainAfterMs = 500;

/** Waits for a session's browser and connects to it. @throws {PageGone} when there is none to connect to, {PageSilent} */
export async function openLoginBrowser(ports: BrowserPorts, sessionId: string): Promise<LoginBrowser> {
  return connectTo(ports, await untilLaunched(ports, sessionId));
}

/** @throws {PageGone} when the session has no browser any more, {PageSilent} */
export async function connectTo({ sealer }: BrowserPorts, standing: LaunchedSession): Promise<LoginBrowser> {
  const { hostInternalUrl } = standing;
  const browser = await connect(cdpUrl(hostInternalUrl, standing, sealer));
  const context = browser.contexts()[0];
  if (context === undefined) throw new PageGone();
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    page: new PlaywrightPage(page),
    profile: () => fetchProfile(hostInternalUrl, standing, sealer),
    disconnect: () => browser.close().catch(() => undefined),
  };
}

/**
 * Waits for the launch of a session. If its browser is not there soon, the launch is asked for again, in case that whoever made the row
 * died before asking; it has the session's id, so it cannot be doubled.
 * @throws {PageGone} when no browser came, or it is gone again.
 */
export async function untilLaunched(ports: BrowserPorts, sessionId: string): Promise<LaunchedSession> {
  const standing = await untilDecided(ports, sessionId);
  if (standing?.status !== 'running' || standing.hostInternalUrl === null) throw new PageGone();
  return { ...standing, hostInternalUrl: standing.hostInternalUrl };
}

async function untilDecided({ watcher, launches, launchTimeoutMs }: BrowserPorts, sessionId: string): Promise<SessionStanding | undefined> {
  const soon = await watcher.waitUntilRunning(sessionId, askAgainAfterMs);
  if (soon !== undefined && soon.status !== 'starting') return soon;
  await requestLaunch(launches, sessionId).catch(() => undefined);
  return watcher.waitUntilRunning(sessionId, launchTimeoutMs);
}

/**
 * The address holds a token, and Playwright quotes addresses in its errors: none of them leaves here. It waits for every window of the browser,
 * and Chromium tells next to nothing of one that has never been answered.
 */
async function connect(address: string): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(address, { timeout: connectMs });
  } catch (error) {
    throw error instanceof errors.TimeoutError ? new PageSilent() : new PageGone();
  }
}
