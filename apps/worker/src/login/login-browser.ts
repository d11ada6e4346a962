import { cdpUrl, fetchProfile, type LaunchQueue, type ProfileDocument, requestLaunch, type SessionStanding, type SessionWatcher } from '@berth/browser-fleet';
import type { Sealer } from '@berth/secrets';
import { type Browser, chromium } from 'playwright-core';
import { PageGone, type PagePort } from '../page/page-port.js';
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
  profile(): Promise<ProfileDocument>;
  disconnect(): Promise<void>;
}

const connectMs = 10_000;
/** A browser from the warm standby is there long before. */
const askAgainAfterMs = 500;

/**
 * Connects to the browser of a session, waiting for its launch. If it is not there soon, the launch is asked for again, in case that whoever made the row died
 * before asking; it has the session's id, so it cannot be doubled.
 * @throws {PageGone} when there is no browser to connect to.
 */
export async function openLoginBrowser(ports: BrowserPorts, sessionId: string): Promise<LoginBrowser> {
  const standing = await untilLaunched(ports, sessionId);
  if (standing?.status !== 'running' || standing.hostInternalUrl === null) throw new PageGone();
  const { hostInternalUrl } = standing;
  const browser = await connect(cdpUrl(hostInternalUrl, standing, ports.sealer));
  const context = browser.contexts()[0];
  if (context === undefined) throw new PageGone();
  const page = context.pages().at(-1) ?? (await context.newPage());
  return {
    page: new PlaywrightPage(page),
    profile: () => fetchProfile(hostInternalUrl, standing, ports.sealer),
    disconnect: () => browser.close().catch(() => undefined),
  };
}

async function untilLaunched({ watcher, launches, launchTimeoutMs }: BrowserPorts, sessionId: string): Promise<SessionStanding | undefined> {
  const soon = await watcher.waitUntilRunning(sessionId, askAgainAfterMs);
  if (soon !== undefined && soon.status !== 'starting') return soon;
  await requestLaunch(launches, sessionId).catch(() => undefined);
  return watcher.waitUntilRunning(sessionId, launchTimeoutMs);
}

/** The address holds a token, and Playwright quotes addresses in its errors: none of them leaves here. */
async function connect(address: string): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(address, { timeout: connectMs });
  } catch {
    throw new PageGone();
  }
}
