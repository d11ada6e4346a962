import { cdpUrl, fetchProfile, type LaunchQueue, type ProfileDocument, requestLaunch, type SessionWatcher } from '@berth/browser-fleet';
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

/**
 * Connects to the browser of a session, waiting for its launch. The launch is asked for again here, in case that whoever made the row died before asking; it
 * has the session's id, so it cannot be doubled.
 * @throws {PageGone} when there is no browser to connect to.
 */
export async function openLoginBrowser(ports: BrowserPorts, sessionId: string): Promise<LoginBrowser> {
  await requestLaunchAgain(ports, sessionId);
  const standing = await ports.watcher.waitUntilRunning(sessionId, ports.launchTimeoutMs);
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

async function requestLaunchAgain({ watcher, launches }: BrowserPorts, sessionId: string): Promise<void> {
  const standing = await watcher.waitUntilRunning(sessionId, 0);
  if (standing?.status === 'starting') await requestLaunch(launches, sessionId).catch(() => undefined);
}

/** The address holds a token, and Playwright quotes addresses in its errors: none of them leaves here. */
async function connect(address: string): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(address, { timeout: connectMs });
  } catch {
    throw new PageGone();
  }
}
