import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Servers } from './servers.js';

const samples = 40;
const warmBrowsers = 2;

export interface WarmCreate {
  /** Milliseconds, one a sample, in order. POST /browsers to its answer. */
  readonly createMs: readonly number[];
  /** POST /browsers to a Playwright that is connected over CDP. */
  readonly usableMs: readonly number[];
  /** Playwright's own launch of the same Chromium to a first page. */
  readonly launchMs: readonly number[];
}

/** What a host does for every browser, done by hand: start the same build and open a page. */
async function launchToFirstPage(executablePath: string): Promise<number> {
  const started = performance.now();
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  await browser.newPage();
  const took = performance.now() - started;
  await browser.close();
  return took;
}

/** Waits until the host has as many standby browsers as it keeps: a sample must find a warm one. */
export async function untilWarm(hostUrl: string, wanted = warmBrowsers): Promise<void> {
  for (;;) {
    const text = await fetch(`${hostUrl}/metrics`).then((response) => response.text());
    const standby = Number(/^berth_host_standby_browsers (\d+)/m.exec(text)?.[1]);
    if (Number.isNaN(standby)) throw new Error('the host does not tell its standby browsers');
    if (standby >= wanted) return;
    await delay(50);
  }
}

async function createToUsable(apiUrl: string, key: string): Promise<{ readonly createMs: number; readonly usableMs: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const started = performance.now();
  const answer = await fetch(`${apiUrl}/browsers`, { method: 'POST', headers });
  const session = (await answer.json()) as { session_id: string; cdp_ws_url: string };
  const createMs = performance.now() - started;
  if (answer.status !== 200) throw new Error(`POST /browsers answered ${answer.status}`);
  const browser = await chromium.connectOverCDP(session.cdp_ws_url);
  const usableMs = performance.now() - started;
  await browser.close();
  await fetch(`${apiUrl}/browsers/${session.session_id}`, { method: 'DELETE', headers });
  return { createMs, usableMs };
}

/** Real API, real host, real Chromium; both sides in turn, so that the machine's mood is the same for both. */
export async function measureWarmCreate(servers: Servers, executablePath: string): Promise<WarmCreate> {
  const [apiUrl, hostUrl] = await Promise.all([
    servers.startApp('api', 'BERTH_API_PORT', {}),
    servers.startApp('browser-host', 'BERTH_HOST_PORT', {
      BERTH_CHROMIUM_PATH: executablePath,
      BERTH_CHROMIUM_SANDBOX: 'false',
      BERTH_HOST_WARM_BROWSERS: String(warmBrowsers),
    }),
  ]);
  const createMs: number[] = [];
  const usableMs: number[] = [];
  const launchMs: number[] = [];
  for (let sample = -3; sample < samples; sample += 1) {
    await untilWarm(hostUrl);
    const ours = await createToUsable(apiUrl, servers.tenant.key);
    await untilWarm(hostUrl);
    const launched = await launchToFirstPage(executablePath);
    if (sample < 0) continue;
    createMs.push(ours.createMs);
    usableMs.push(ours.usableMs);
    launchMs.push(launched);
  }
  return { createMs, usableMs, launchMs };
}
