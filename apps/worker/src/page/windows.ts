import type { BrowserContext, Dialog, Page, Request } from 'playwright-core';
import { PageGone } from './page-port.js';

/** A request older than this is a long poll or a beacon that nobody waits for. */
const LONGEST_ANSWER_MS = 15_000;
const ANSWER_TYPES = new Set(['document', 'xhr', 'fetch']);
/** Ways of sending that no page waits for the end of. */
const SENT_TYPES = new Set([...ANSWER_TYPES, 'script', 'ping', 'eventsource']);

/** What happens around the documents of one login: windows opened and closed, navigations, requests, dialogs. */
export class Windows {
  private readonly pages: Page[] = [];
  private readonly open = new Map<Request, number>();
  private readonly wakes = new Set<() => void>();
  private sent: Request[] = [];
  private framesSent = 0;
  /** Rises with everything that happens outside the DOM. */
  happened = 0;
  /** Texts of `alert()` and its like since the last act. */
  dialogs: string[] = [];

  constructor(context: BrowserContext, main: Page) {
    this.adopt(main);
    context.on('page', (page) => this.adopt(page));
    context.on('request', (request) => this.begin(request));
    context.on('requestfinished', (request) => this.end(request));
    context.on('requestfailed', (request) => this.end(request));
  }

  /** The newest window still open. @throws PageGone */
  get current(): Page {
    const page = this.pages.findLast((candidate) => !candidate.isClosed());
    if (!page) throw new PageGone();
    return page;
  }

  /** Whether the current window has come to an address. One that is gone has too: `current` tells it. */
  get hasArrived(): boolean {
    const page = this.pages.findLast((candidate) => !candidate.isClosed());
    return page === undefined || !/^(about:blank)?$/.test(page.url());
  }

  get isPopup(): boolean {
    return this.current !== this.pages[0];
  }

  /** Place of the current window among all ever opened: a handle of a closed window must not match in another. */
  get ordinal(): number {
    return this.pages.indexOf(this.current);
  }

  beginAct(): void {
    this.open.clear();
    this.sent = [];
    this.framesSent = 0;
    this.dialogs = [];
  }

  isBusy(): boolean {
    const oldest = Date.now() - LONGEST_ANSWER_MS;
    return [...this.open.values()].some((since) => since > oldest);
  }

  /** Whether the page has, since the act began, sent something to a host of its own site: a form, or data by script. */
  hasSent(): boolean {
    const site = siteOf(this.current.url());
    return this.sent.some(
      (request) =>
        ANSWER_TYPES.has(request.resourceType()) &&
        (request.isNavigationRequest() || request.method() !== 'GET') &&
        siteOf(request.url()) === site,
    );
  }

  /** Whether anything at all has left the page since the act began, to any host: a request that waits for an answer, a message on a socket. */
  hasSpoken(): boolean {
    return this.sent.length > 0 || this.framesSent > 0;
  }

  /** Resolves true once `condition` holds, looked at after each happening; false after `maxMs`. */
  async until(condition: () => boolean, maxMs: number): Promise<boolean> {
    if (condition()) return true;
    return new Promise((resolve) => {
      const finish = (result: boolean): void => {
        clearTimeout(timer);
        this.wakes.delete(look);
        resolve(result);
      };
      const look = (): void => {
        if (condition()) finish(true);
      };
      const timer = setTimeout(() => finish(condition()), maxMs);
      this.wakes.add(look);
    });
  }

  private adopt(page: Page): void {
    if (this.pages.includes(page)) return;
    this.pages.push(page);
    page.on('framenavigated', () => this.note());
    page.on('frameattached', () => this.note());
    page.on('framedetached', () => this.note());
    page.on('close', () => this.note());
    page.on('dialog', (dialog) => void this.answer(dialog));
    page.on('websocket', (socket) => socket.on('framesent', () => this.speak()));
    this.note();
  }

  private async answer(dialog: Dialog): Promise<void> {
    if (dialog.type() !== 'beforeunload') this.dialogs.push(dialog.message().slice(0, 500));
    const leave = dialog.type() === 'beforeunload' || dialog.type() === 'alert';
    // A dialog whose window is already gone needs no answer.
    await (leave ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
    this.note();
  }

  private begin(request: Request): void {
    const type = request.resourceType();
    if (!SENT_TYPES.has(type)) return;
    if (ANSWER_TYPES.has(type)) this.open.set(request, Date.now());
    this.sent.push(request);
    this.wake();
  }

  private speak(): void {
    this.framesSent += 1;
    this.wake();
  }

  private end(request: Request): void {
    if (this.open.delete(request)) this.wake();
  }

  private note(): void {
    this.happened += 1;
    this.wake();
  }

  private wake(): void {
    for (const look of [...this.wakes]) look();
  }
}

/** The last two labels of a host: near enough to tell a site's own requests from those of others. */
function siteOf(address: string): string {
  try {
    const { hostname } = new URL(address);
    return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
  } catch {
    return '';
  }
}
