import type { BrowserContext, Dialog, Page, Request, Response } from 'playwright-core';
import { cleanText } from './in-page/dom.js';
import { forgetDocument } from './in-page/script.js';
import { PageGone } from './page-port.js';

/**
 * A request older than this is a long poll or a beacon that nobody waits for; the sooner, if it followed from the answer to an act. What was
 * sent is waited for as long as its form is (`answerMs` of settle.ts).
 */
const LONGEST_ANSWER_MS = { asked: 20_000, followed: 4_000 } as const;
const ANSWER_TYPES = new Set(['document', 'xhr', 'fetch']);
/** What Chromium says of a request that no server has answered. */
const UNREACHED = /net::ERR_(CONNECTION|NAME|ADDRESS|INTERNET|NETWORK|SOCKET|TIMED_OUT|EMPTY_RESPONSE|TUNNEL|PROXY|SSL|CERT)/;
/** Ways of sending that no page waits for the end of. */
const SENT_TYPES = new Set([...ANSWER_TYPES, 'script', 'ping', 'eventsource']);

/** What happens around the documents of one login: windows opened and closed, navigations, requests, dialogs. */
export class Windows {
  private readonly pages: Page[] = [];
  private readonly open = new Map<Request, number>();
  /** What the act itself has sent: begun before the first answer came, or where one of them was sent on to. */
  private readonly asked = new Set<Request>();
  /** Of those the ones whose answer has not begun. */
  private readonly awaited = new Set<Request>();
  private answered = false;
  /** No server has answered something that the act itself sent to its own site. */
  private cutOff = false;
  /** One has answered something since: a page may try again by itself, or elsewhere. */
  private reached = false;
  /** What the act itself has sent to its own site, other than asking for a page, was taken by some server, or refused by one, by its status. */
  private readonly statuses = new Set<'taken' | 'refused'>();
  /** A document has been redirected until the browser gave up, since the act. */
  isLooping = false;
  private readonly wakes = new Set<() => void>();
  private sent: Request[] = [];
  private readonly actedIn = new Set<string>();
  private framesSent = 0;
  /** A window that opens now was asked for: a button or link that may lead on in one has been pressed. */
  private isExpected = false;
  /** Those that opened by themselves. */
  private readonly uninvited = new Set<Page>();
  /** The next window that opens is none of the login's. */
  private opensAside = false;
  /** Rises with everything that happens outside the DOM. */
  happened = 0;
  /** Texts of `alert()` and its like since the last act. */
  dialogs: string[] = [];

  /** `foreign`: windows of the same browser in which nothing happens that is waited for here. */
  constructor(
    private readonly context: BrowserContext,
    main: Page,
    private readonly foreign: Page[],
  ) {
    this.adopt(main);
    // What has opened before anybody was there to ask for it.
    for (const page of context.pages()) if (page !== main && !foreign.includes(page)) this.welcome(page);
    context.on('page', this.hearPage);
    context.on('request', this.begin);
    context.on('response', this.hearResponse);
    context.on('requestfinished', this.end);
    context.on('requestfailed', this.hearFailure);
  }

  /** Hears no more of what happens in the browser: what is asked afterwards is answered by what was known. */
  release(): void {
    this.context.off('page', this.hearPage);
    this.context.off('request', this.begin);
    this.context.off('response', this.hearResponse);
    this.context.off('requestfinished', this.end);
    this.context.off('requestfailed', this.hearFailure);
  }

  /** A window to look at something in, beside those of the login: nothing of what happens in it is the login's. */
  async openAside(): Promise<Page> {
    this.opensAside = true;
    try {
      const page = await this.context.newPage();
      this.foreign.push(page);
      return page;
    } finally {
      this.opensAside = false;
    }
  }

  /** The newest window still open. @throws PageGone */
  get current(): Page {
    const page = this.pages.findLast((candidate) => !candidate.isClosed() && !this.foreign.includes(candidate));
    if (!page) throw new PageGone();
    return page;
  }

  /** The act presses what may open a window of the login. */
  expectWindow(): void {
    this.isExpected = true;
  }

  /** Whoever drove the login before may have asked for what is open. */
  trustOpen(): void {
    this.uninvited.clear();
  }

  /** Closes the current window if it has opened by itself, as advertisements and notices do. @returns whether there was one */
  leaveUninvited(): boolean {
    const { current } = this;
    if (!this.uninvited.has(current)) return false;
    this.foreign.push(current);
    current.close().catch(() => undefined);
    this.note();
    return true;
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

  /** A frame in which the act fills or presses: what its website is sent belongs to the act as well. */
  actIn(url: string): void {
    this.actedIn.add(siteOf(url));
  }

  beginAct(): void {
    this.isExpected = false;
    this.actedIn.clear();
    this.open.clear();
    this.asked.clear();
    this.awaited.clear();
    this.answered = false;
    this.cutOff = false;
    this.reached = false;
    this.statuses.clear();
    this.isLooping = false;
    this.sent = [];
    this.framesSent = 0;
    this.dialogs = [];
  }

  isBusy(): boolean {
    return this.busyMs() > 0;
  }

  /** Resolves true once nothing is waited for any more, because it was answered or has taken too long; false after `maxMs`. */
  async untilIdle(maxMs: number): Promise<boolean> {
    const deadline = Date.now() + maxMs;
    for (let left = maxMs; left > 0; left = deadline - Date.now())
      if (await this.until(() => !this.isBusy(), Math.min(left, this.busyMs()))) return true;
    return !this.isBusy();
  }

  /** How long what is open now is waited for at most; 0 when nothing is. */
  private busyMs(): number {
    const now = Date.now();
    const left = [...this.open].map(([request, since]) => since + LONGEST_ANSWER_MS[this.asked.has(request) ? 'asked' : 'followed'] - now);
    return Math.max(0, ...left);
  }

  /** Whether something that the act itself sent is still without an answer; what the page asks for in consequence is not counted. */
  isAwaited(): boolean {
    return this.awaited.size > 0;
  }

  /** Whether no server has answered what the page has sent since the act, and none will any more. */
  isCutOff(): boolean {
    return this.cutOff && !this.reached && this.framesSent === 0 && this.open.size === 0;
  }

  /** Whether all that answered what the act itself has sent to its own site has taken it, by its status. */
  isTaken(): boolean {
    return this.statuses.has('taken') && !this.statuses.has('refused');
  }

  /** Whether the page has, since the act began, sent something to a host of its own site: a form, or data by script. */
  hasSent(): boolean {
    return this.sent.some(
      (request) =>
        ANSWER_TYPES.has(request.resourceType()) && (request.isNavigationRequest() || request.method() !== 'GET') && this.isOwn(request),
    );
  }

  /**
   * Whether anything at all has left the page since the act began, to any host: a request that waits for an answer, a message on a socket.
   */
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
    page.on('framenavigated', (frame) => {
      forgetDocument(frame);
      this.note();
    });
    page.on('frameattached', () => this.note());
    page.on('framedetached', () => this.note());
    page.on('close', () => this.note());
    page.on('dialog', (dialog) => void this.dismiss(dialog));
    page.on('websocket', (socket) => socket.on('framesent', () => this.speak()));
    this.note();
  }

  private async dismiss(dialog: Dialog): Promise<void> {
    if (dialog.type() !== 'beforeunload') this.dialogs.push(cleanText(dialog.message(), 500));
    const leave = dialog.type() === 'beforeunload' || dialog.type() === 'alert';
    // A dialog whose window is already gone needs no answer.
    await (leave ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
    this.note();
  }

  private welcome(page: Page): void {
    if (!this.isExpected) this.uninvited.add(page);
    this.adopt(page);
  }

  private readonly hearPage = (page: Page): void => {
    if (!this.opensAside) this.welcome(page);
  };

  private readonly hearResponse = (response: Response): void => {
    const request = response.request();
    this.reached ||= this.open.has(request);
    if (this.isSubmission(request)) this.statuses.add(response.status() < 400 ? 'taken' : 'refused');
    this.answer(request);
  };

  private readonly hearFailure = (request: Request): void => {
    if (this.isForeign(request)) return;
    const fault = request.failure()?.errorText ?? '';
    this.cutOff ||= this.asked.has(request) && UNREACHED.test(fault) && this.isOwn(request);
    this.isLooping ||= request.isNavigationRequest() && fault.includes('ERR_TOO_MANY_REDIRECTS');
    this.end(request);
  };

  private readonly begin = (request: Request): void => {
    const type = request.resourceType();
    if (!SENT_TYPES.has(type) || this.isForeign(request)) return;
    if (ANSWER_TYPES.has(type)) this.expect(request);
    this.sent.push(request);
    this.wake();
  };

  private readonly end = (request: Request): void => {
    this.answer(request);
    if (this.open.delete(request)) this.wake();
  };

  private isForeign(request: Request): boolean {
    return this.foreign.some((page) => isOf(request, page));
  }

  private expect(request: Request): void {
    this.open.set(request, Date.now());
    const from = request.redirectedFrom();
    if (this.answered && !(from !== null && this.asked.has(from))) return;
    this.asked.add(request);
    this.awaited.add(request);
  }

  private answer(request: Request): void {
    if (!this.open.has(request)) return;
    this.answered = true;
    if (this.awaited.delete(request)) this.wake();
  }

  private isSubmission(request: Request): boolean {
    return this.asked.has(request) && request.method() !== 'GET' && this.isOwn(request);
  }

  private isOwn(request: Request): boolean {
    const site = siteOf(request.url());
    return site === siteOf(this.current.url()) || this.actedIn.has(site);
  }

  private speak(): void {
    this.framesSent += 1;
    this.wake();
  }

  private note(): void {
    this.happened += 1;
    this.wake();
  }

  private wake(): void {
    for (const look of [...this.wakes]) look();
  }
}

/** The first request of a window has no frame yet: then it is known to be of none. */
function isOf(request: Request, page: Page): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    return false;
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
