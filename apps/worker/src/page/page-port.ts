import type { Handle, PageSnapshot } from '../discovery/snapshot.js';

/** One value for one field: a control, or the boxes of a split code in order. */
export interface Fill {
  readonly handles: readonly [Handle, ...Handle[]];
  readonly value: string;
  /** Sites often send a one-time code, or what their own keypad takes, by themselves once it is complete; then nothing is pressed any more. */
  readonly oneTime: boolean;
}

export type Act =
  /** `agreeing`: boxes to tick before. */
  | { readonly kind: 'press'; readonly handle: Handle; readonly agreeing?: readonly Handle[] }
  | { readonly kind: 'check'; readonly handle: Handle }
  | { readonly kind: 'select'; readonly handle: Handle; readonly option: number };

/** Boxes to tick: before anything else, or only where the button is still locked with all fields filled in. */
export interface Agreeing {
  readonly handles: readonly Handle[];
  readonly ifLocked: boolean;
}

/**
 * How a fill or an act ended. Nothing was sent to the website unless `done`; a fill is then sent exactly once.
 * `invalid`: the browser itself refused a value before sending, or a list has no such option; `message` says so, at most 200 characters.
 */
export type ActOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_found'; readonly handle: Handle }
  | { readonly kind: 'not_accepted'; readonly handle: Handle }
  | { readonly kind: 'disabled'; readonly handle: Handle }
  | { readonly kind: 'invalid'; readonly handle: Handle; readonly message: string };

export type GotoOutcome =
  | { readonly kind: 'done'; readonly status: number | null }
  | { readonly kind: 'failed'; readonly reason: 'network' | 'timeout' | 'aborted' };

export interface QuietLimits {
  /** Milliseconds without a change that count as quiet (D43: 500). */
  readonly quietMs: number;
  /** Longest wait in milliseconds (D43: 10000). */
  readonly maxMs: number;
}

export type Onlooker = 'stranger' | 'self';

/**
 * The page a login runs in, pop-up windows included: the newest open window is the page. Implementations never put a
 * filled value, or text read from a box, into an error or a log.
 */
export interface PagePort {
  /** Goes to an address and returns once the new document has started; `observe` waits for the rest. */
  goto(url: string, timeoutMs: number): Promise<GotoOutcome>;
  /** Waits, at most so long, for a document in a window that was sent somewhere before anybody was connected to it. */
  arrive(timeoutMs: number): Promise<GotoOutcome>;
  /** Address of the window that `observe` would look at. */
  url(): string;
  /** Looks once, at once: no waiting for quiet. Survives navigations that happen meanwhile. @throws PageGone */
  observe(): Promise<PageSnapshot>;
  /**
   * Waits for anything to happen since the last `observe`: a DOM change, a navigation, a window opened or closed, a dialog.
   * @returns false when `maxMs` went by without any.
   */
  waitForChange(maxMs: number): Promise<boolean>;
  /**
   * Looks at an address in a window of its own beside this one, once that is quiet, and closes it: as a browser that remembers nothing is
   * shown it (`stranger`), or as this one is (`self`).
   * @returns null when there was nothing to look at
   */
  lookAside(as: Onlooker, url: string, timeoutMs: number, limits: QuietLimits): Promise<PageSnapshot | null>;
  /** Whether a request of the page (document, xhr, fetch) begun since the last act has not ended yet: its answer is still to come. */
  isBusy(): boolean;
  /** Whether a request that the last act itself sent, not one that followed from its answer, has not ended yet. */
  isAwaited(): boolean;
  /** Whether the website has taken what the last act sent, by the status of each answer: what comes of it may still have to be shown. */
  isTaken(): boolean;
  /** Whether no server has answered what the page has sent since the last act, and none will any more. */
  isCutOff(): boolean;
  /** Whether the website, since the last act, has redirected until the browser gave up. */
  isLooping(): boolean;
  /** The windows that are open now are the login's: it has been driven by somebody else, who may have asked for them. */
  trustOpen(): void;
  /** Closes the window that is looked at if it has opened by itself: not by a choice or a way in that was taken. @returns whether it was one */
  leaveUninvited(): boolean;
  /** Waits until all frames are quiet, bounded. @returns false when the page never was. */
  waitForQuiet(limits: QuietLimits): Promise<boolean>;
  /**
   * Ticks the boxes of the agreement, fills all fields, then presses `submit` once (Enter in the last field when null). A page that shows no
   * reaction whatever is pressed again by real mouse or keys: some listen to nothing else.
   */
  fillAndSubmit(fills: readonly Fill[], submit: Handle | null, agreement?: Agreeing): Promise<ActOutcome>;
  /** Takes a choice: presses, checks or selects, then presses `submit` if given. */
  act(act: Act, submit: Handle | null): Promise<ActOutcome>;
}

/** The browser or its last window is gone: the flow cannot go on in it. */
export class PageGone extends Error {
  override readonly name = 'PageGone';
  constructor() {
    super('The browser window is gone.');
  }
}

/** The browser is there, and its window waits for the first answer of a website: nobody can connect to it before. */
export class PageSilent extends Error {
  override readonly name = 'PageSilent';
  constructor() {
    super('The browser window waits for its website.');
  }
}
