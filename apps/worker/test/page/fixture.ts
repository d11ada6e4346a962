import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { testChromium } from '@berth/testkit';
import { classifyPage } from '../../src/discovery/classify.js';
import type { PageSnapshot } from '../../src/discovery/snapshot.js';
import { NOTHING_SENT, type PageBefore, type PageContext, type Verdict } from '../../src/discovery/verdict.js';
import { PlaywrightPage } from '../../src/page/playwright-page.js';

/** A page from which something was sent, and of which nothing is known but what a test says. */
export const pageBefore = (known: Partial<PageBefore> = {}): PageBefore => ({
  url: 'http://site.example/login',
  documentId: 'before',
  alerts: [],
  plain: [],
  asked: [],
  boxes: [],
  beneath: [],
  places: [],
  folded: [],
  offers: [],
  menus: 0,
  form: null,
  error: null,
  ...known,
});

const before = pageBefore({ asked: ['username'] });
/** What is known behind a page that asked for a name. */
export const NAMED: PageContext = { sent: ['identifier'], before };
/** The same, once a password has gone too. */
export const AFTER_PASSWORD: PageContext = { sent: ['identifier', 'password'], before };

/** A form post the website took. */
export interface Post {
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface Tab {
  readonly page: PlaywrightPage;
  readonly raw: Page;
}

/** A real Chromium reached over CDP, as in production, and a website on two origins made of the pages a test writes. */
export class PageLab {
  private readonly pages = new Map<string, string>();
  readonly posts: Post[] = [];
  private tabs: BrowserContext[] = [];
  /** What the last `look` was taken in; the next test's is taken there too: a tab of its own each would cost several times as much. */
  private looked: Tab | undefined;
  private idle: Tab | undefined;

  private constructor(
    private readonly browser: Browser,
    private readonly child: ChildProcess,
    private readonly profile: string,
    private readonly servers: readonly Server[],
  ) {}

  static async open(): Promise<PageLab> {
    const profile = mkdtempSync(join(tmpdir(), 'berth-page-'));
    const child = spawn(
      testChromium(),
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        // As the browser host has it: the document of a navigation in a frame of its own makes each page wait some 50 ms.
        '--disable-features=BackForwardCache,RenderDocument',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const endpoint = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.on('exit', () => reject(new Error(`Chromium ended before it listened:\n${output}`)));
    });
    const browser = await chromium.connectOverCDP(endpoint);
    const servers = [createServer(), createServer()];
    const lab = new PageLab(browser, child, profile, servers);
    for (const server of servers) {
      server.on(
        'request',
        (request: IncomingMessage, response) =>
          void lab
            .answer(request)
            .then((html) =>
              response.writeHead(html === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(html ?? 'not here'),
            ),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    return lab;
  }

  async close(): Promise<void> {
    await this.browser.close();
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Serves a page at a path of both origins. */
  serve(path: string, html: string): this {
    this.pages.set(
      path,
      html.includes('<html')
        ? html
        : `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><body>${html}</body></html>`,
    );
    return this;
  }

  url(path: string, origin: 0 | 1 = 0): string {
    return `http://127.0.0.1:${(this.servers[origin]?.address() as AddressInfo).port}${path}`;
  }

  /** A tab of its own context at a path. */
  async visit(path: string): Promise<Tab> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } });
    this.tabs.push(context);
    const raw = await context.newPage();
    return this.show(path, { page: new PlaywrightPage(raw), raw });
  }

  private async show(path: string, tab: Tab): Promise<Tab> {
    await tab.page.goto(this.url(path), 10_000);
    await tab.raw.waitForLoadState('load');
    return tab;
  }

  /** Closes all tabs: a renderer each would slow the later tests down. */
  async closeTabs(): Promise<void> {
    const shown = this.idle ?? this.looked;
    this.looked = undefined;
    this.idle = shown?.raw.context().pages().length === 1 ? shown : undefined;
    const kept = this.idle?.raw.context();
    const closed = this.tabs.filter((context) => context !== kept);
    this.tabs = kept ? [kept] : [];
    await Promise.all([kept?.unrouteAll(), this.idle?.raw.unrouteAll()]);
    await Promise.all(closed.map(async (context) => context.close()));
  }

  /** One look at a page made of this markup, in a tab that has shown other such pages before. */
  async look(
    html: string,
    context: PageContext = NOTHING_SENT,
  ): Promise<{ snapshot: PageSnapshot; verdict: Verdict; page: PlaywrightPage; raw: Page }> {
    const path = `/look-${this.pages.size}`;
    this.serve(path, html);
    const tab = this.idle ? await this.show(path, this.idle) : await this.visit(path);
    [this.idle, this.looked] = [undefined, tab];
    const { page, raw } = tab;
    const snapshot = await page.observe();
    return { snapshot, verdict: classifyPage(snapshot, context), page, raw };
  }

  private async answer(request: IncomingMessage): Promise<string | null> {
    const path = new URL(request.url ?? '/', 'http://lab').pathname;
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      this.posts.push({ path, values: Object.fromEntries(new URLSearchParams(body)) });
    }
    return this.pages.get(path) ?? null;
  }
}
