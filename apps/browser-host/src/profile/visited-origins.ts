import type { CdpConnection } from '../chromium/cdp.js';
import type { CdpSession } from '../chromium/cdp-session.js';

interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  readonly browserContextId?: string;
}

interface FrameTree {
  readonly frame: { readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * Chromium does not tell which origins have stored something; so every origin that a frame of the default context shows is noted from the
 * start.
 */
export class VisitedOrigins {
  readonly #origins = new Set<string>();
  readonly #pages = new Map<string, CdpSession>();
  readonly #listeners: ((page: CdpSession) => void)[] = [];

  private constructor(
    private readonly cdp: CdpConnection,
    private readonly context: string | undefined,
  ) {}

  /** Call it before anybody can navigate. */
  static async follow(cdp: CdpConnection): Promise<VisitedOrigins> {
    const { targetInfos } = await cdp.browser.send<{ targetInfos: readonly Target[] }>('Target.getTargets');
    const visited = new VisitedOrigins(cdp, targetInfos.find(({ type }) => type === 'page')?.browserContextId);
    await visited.#attachTo(cdp.browser);
    return visited;
  }

  /** Follows no more, for a browser that keeps nothing. */
  leave(): void {
    const nothing = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };
    // A browser that is gone is not followed either.
    this.cdp.browser.send('Target.setAutoAttach', nothing).catch(() => undefined);
  }

  /** Takes in origins that hold something already. */
  know(origins: Iterable<string>): void {
    for (const origin of origins) this.#origins.add(origin);
  }

  get origins(): readonly string[] {
    return [...this.#origins];
  }

  /** Called with every page of the default context, those that are open now included. */
  onPage(listener: (page: CdpSession) => void): void {
    this.#listeners.push(listener);
    for (const page of this.#pages.values()) listener(page);
  }

  /** The pages of the default context that are open now. */
  get pages(): Iterable<CdpSession> {
    return this.#pages.values();
  }

  async #attachTo(session: CdpSession): Promise<void> {
    session.on<{ sessionId: string; targetInfo: Target }>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (this.context !== undefined && targetInfo.browserContextId !== this.context) return;
      this.#note(targetInfo.url);
      const target = this.cdp.session(sessionId);
      if (targetInfo.type === 'page') {
        this.#pages.set(sessionId, target);
        for (const listener of this.#listeners) listener(target);
      }
      if (targetInfo.type === 'page' || targetInfo.type === 'iframe') this.#watch(target);
    });
    session.on<{ sessionId: string }>('Target.detachedFromTarget', ({ sessionId }) => this.#pages.delete(sessionId));
    await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  }

  #watch(page: CdpSession): void {
    page.on<{ frame: { url: string } }>('Page.frameNavigated', ({ frame }) => this.#note(frame.url));
    const noteAll = ({ frame, childFrames = [] }: FrameTree): void => {
      this.#note(frame.url);
      childFrames.forEach(noteAll);
    };
    // A page that is closed meanwhile has nothing more to tell.
    Promise.all([
      page.send('Page.enable'),
      page.send<{ frameTree: FrameTree }>('Page.getFrameTree').then(({ frameTree }) => noteAll(frameTree)),
      this.#attachTo(page),
    ]).catch(() => undefined);
  }

  #note(url: string): void {
    if (/^https?:/.test(url) && URL.canParse(url)) this.#origins.add(new URL(url).origin);
  }
}
