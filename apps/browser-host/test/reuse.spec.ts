import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifyHost, type SessionStanding } from '@berth/browser-fleet';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { RunningHost } from '../src/start.js';
import { TestFleet, until } from './fleet.js';
import { handshake } from './handshake.js';

let fleet: TestFleet;
let site: Server;
let origin: string;
let host: RunningHost;
const viewport = { width: 700, height: 500 };

beforeAll(async () => {
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>site</title><button>go</button>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  fleet = await TestFleet.create();
  host = await fleet.startHost();
});
afterAll(async () => {
  await fleet.close();
  site.closeAllConnections();
  site.close();
});

/** As the API does it at an acquire and at a release with reuse: the host is told, and may hear it late. */
async function change(session: SessionStanding, data: { leasedAt: Date | null; generation?: number }): Promise<SessionStanding> {
  const row = await fleet.access.prisma.browserSession.update({ where: { id: session.id }, data });
  await notifyHost(fleet.redis, row.hostId ?? '', session.id);
  return { ...session, generation: row.generation };
}
const lease = (session: SessionStanding): Promise<SessionStanding> => change(session, { leasedAt: new Date() });
const release = (session: SessionStanding): Promise<SessionStanding> =>
  change(session, { leasedAt: null, generation: session.generation + 1 });

async function connected<T>(session: SessionStanding, work: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const browser = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(session), defaultViewport: null });
  try {
    return await work((await browser.pages())[0] as Page, browser);
  } finally {
    await browser.disconnect();
  }
}

interface Look {
  readonly urls: readonly string[];
  readonly size: unknown;
  readonly kept: unknown;
}

const look = (session: SessionStanding, at: string): Promise<Look> =>
  connected(session, async (page, browser) => {
    await until('the start page is open', () => page.url() === at);
    const urls = (await browser.pages()).map((open) => open.url());
    const size = await page.evaluate('[innerWidth, innerHeight]');
    await page.goto(`${origin}/`);
    return { urls, size, kept: await page.evaluate('[document.cookie, localStorage.getItem("device")]') };
  });

/** Uses the browser as callers do: other pages, more of them, in other contexts, of other sizes, with a page that asks before it closes. */
async function use(session: SessionStanding): Promise<void> {
  await connected(session, async (page, browser) => {
    await page.goto(`${origin}/private`);
    await page.evaluate(
      'document.cookie = "sid=1; max-age=60"; localStorage.setItem("device", "mine"); onbeforeunload = (event) => event.preventDefault();',
    );
    await page.click('button');
    const cdp = await page.createCDPSession();
    const { windowId } = await cdp.send('Browser.getWindowForTarget');
    await cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 1000, height: 900 } });
    await (await browser.newPage()).goto(`${origin}/tab`);
    await page.evaluate(`void open('${origin}/opened')`);
    await (await (await browser.createBrowserContext()).newPage()).goto(`${origin}/hidden`);
  });
}

describe('a pool browser that is released for reuse', () => {
  it.each([
    ['its start page', true],
    ['about:blank', false],
  ])('D34: is at %s in one tab of its own size for the next caller, with cookies and storage as they were left', async (_, starts) => {
    const startUrl = `${origin}/start`;
    const idle = await fleet.run({ kind: 'pool', viewport, ...(starts ? { startUrl } : {}) });
    const first = await lease(idle);
    await use(first);
    const second = await lease(await release(first));
    const at = starts ? startUrl : 'about:blank';
    expect(await look(second, at)).toEqual({ urls: [at], size: [700, 500], kept: ['sid=1', 'mine'] });
    expect(await handshake(fleet.cdp(first))).toBe(401);
    expect(await fleet.end(idle.id)).toBe(true);
  });

  it('D34: is put right also when a page of it hangs', async () => {
    const first = await lease(await fleet.run({ kind: 'pool', viewport }));
    await connected(first, async (page) => {
      await page.goto(`${origin}/busy`);
      await page.evaluate('setTimeout(() => { for (;;); })');
    });
    const second = await lease(await release(first));
    expect(await look(second, 'about:blank')).toMatchObject({ urls: ['about:blank'], size: [700, 500] });
    expect(await fleet.end(first.id)).toBe(true);
  });

  it('issue 4: is ended when it cannot be put right', async () => {
    const first = await lease(await fleet.run({ kind: 'pool', viewport }));
    const pid = host.assembly.sessions.find(first.id)?.chromium?.pid as number;
    await connected(first, (page) => page.goto(`${origin}/private`));
    process.kill(pid, 'SIGSTOP');
    await release(first);
    expect(await fleet.watcher.waitUntilEnded(first.id, 30_000)).toBe(true);
    expect(await fleet.row(first.id)).toMatchObject({ endReason: 'unfit' });
  });
});
