import type { Frame, Page } from 'playwright-core';
import type { Handle, PageSnapshot } from '../discovery/snapshot.js';
import { enterByHand, KEY_MS, typeKeys } from './by-hand.js';
import { handleOf, locate, partsOf, placeFrames, within } from './frames.js';
import { collectFrame } from './in-page/collect.js';
import { checkControl, checkFields, fillFields, pressControl, selectOption, type FillRequest, type StepReport } from './in-page/fill.js';
import { hasEffect, workLeft } from './in-page/heed.js';
import { inFrame } from './in-page/script.js';
import { nextChange, untilQuiet } from './in-page/watch.js';
import {
  type Act,
  type ActOutcome,
  type Agreeing,
  type Fill,
  type GotoOutcome,
  type Onlooker,
  type PagePort,
  type QuietLimits,
} from './page-port.js';
import { snapshotOf } from './page-snapshot.js';
import { Windows } from './windows.js';

/** By what Playwright says of a navigation that failed. */
const REASONS = [
  [/net::ERR_ABORTED/, 'aborted'],
  [/net::/, 'network'],
  [/Timeout/, 'timeout'],
] as const;

/** The page's own scripts may hold the thread; past this the page counts as not there yet. */
const LOOK_MS = 5_000;
const CHILD_LOOK_MS = 1_500;
/** Navigations that may cut an observation off before it gives an empty one. */
const LOOK_ATTEMPTS = 4;
/** Validation that enables a button runs within this. */
const ENABLE_MS = 1_500;
/** A check of the browser that needs nobody is over within this. */
const CHECK_MS = 5_000;
/**
 * Filling is over within this: a document in which scripts are forbidden never comes to its end. A press is waited for however long it takes,
 * since one that was late would be pressed again.
 */
const FILL_MS = 8_000;
/** A page that sends a complete code by itself begins within this. */
const AUTO_SUBMIT_MS = 200;
/**
 * A press after which nothing was sent, begun or changed for this long was ignored. Long, since taking a slow page for a deaf one would
 * press twice.
 */
const DEAF_MS = 2_000;
/** A frame whose thread is blocked answers late or never. */
const FRAME_GRACE_MS = 250;

const PAGE = {
  collect: inFrame(collectFrame),
  nextChange: inFrame(nextChange),
  untilQuiet: inFrame(untilQuiet),
  fill: inFrame(fillFields),
  check: inFrame(checkFields),
  press: inFrame(pressControl),
  tick: inFrame(checkControl),
  hasEffect: inFrame(hasEffect),
  workLeft: inFrame(workLeft),
  select: inFrame(selectOption),
};

interface Seen {
  readonly frame: Frame;
  changes: number;
}

/** `PagePort` over a Playwright page that is connected by CDP. Errors of Playwright end here: their texts may quote what was typed. */
export class PlaywrightPage implements PagePort {
  private readonly windows: Windows;
  private seen: Seen[] = [];
  private seenHappened = 0;
  /** Until then the page has work before it that the last press set going. */
  private atWorkUntil = 0;

  constructor(page: Page, foreign: readonly Page[] = []) {
    this.windows = new Windows(page.context(), page, [...foreign]);
  }

  async goto(url: string, timeoutMs: number): Promise<GotoOutcome> {
    this.beginAct();
    try {
      const response = await this.windows.current.goto(url, { waitUntil: 'commit', timeout: timeoutMs });
      return { kind: 'done', status: response?.status() ?? null };
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      return { kind: 'failed', reason: REASONS.find(([told]) => told.test(text))?.[1] ?? 'aborted' };
    }
  }

  async lookAside(as: Onlooker, url: string, timeoutMs: number, limits: QuietLimits): Promise<PageSnapshot | null> {
    const aside = await (as === 'stranger' ? this.windowOfStranger() : this.windows.openAside()).catch(() => null);
    if (!aside) return null;
    const page = new PlaywrightPage(
      aside,
      aside
        .context()
        .pages()
        .filter((other) => other !== aside),
    );
    try {
      const { kind } = await page.goto(url, timeoutMs);
      if (kind === 'failed') return null;
      await page.waitForQuiet(limits);
      return await page.observe();
    } catch {
      return null;
    } finally {
      page.windows.release();
      await (as === 'stranger' ? aside.context() : aside).close().catch(() => undefined);
    }
  }

  /** Of the same size, since pages fold their menus where there is little room. */
  private async windowOfStranger(): Promise<Page | undefined> {
    const page = this.windows.current;
    // As one text: Playwright writes anything else down with what the page may have replaced.
    const [width = 0, height = 0] = (await page.evaluate(() => `${innerWidth} ${innerHeight}`)).split(' ').map(Number);
    const context = await page.context().browser()?.newContext({ viewport: { width, height } });
    return context?.newPage();
  }

  async arrive(timeoutMs: number): Promise<GotoOutcome> {
    if (!(await this.windows.until(() => this.windows.hasArrived, timeoutMs))) return { kind: 'failed', reason: 'timeout' };
    return this.url().startsWith('chrome-error:') ? { kind: 'failed', reason: 'network' } : { kind: 'done', status: null };
  }

  url(): string {
    return this.windows.current.url();
  }

  isBusy(): boolean {
    return this.windows.isBusy() || Date.now() < this.atWorkUntil;
  }

  isAwaited(): boolean {
    return this.windows.isAwaited() || Date.now() < this.atWorkUntil;
  }

  isCutOff(): boolean {
    return this.windows.isCutOff();
  }

  isTaken(): boolean {
    return this.windows.isTaken();
  }

  isLooping(): boolean {
    return this.windows.isLooping;
  }

  trustOpen(): void {
    this.windows.trustOpen();
  }

  leaveUninvited(): boolean {
    return this.windows.leaveUninvited();
  }

  async observe(): Promise<PageSnapshot> {
    for (let attempt = 0; attempt < LOOK_ATTEMPTS; attempt += 1) {
      const page = this.windows.current;
      const happened = this.windows.happened;
      const main = await within(
        LOOK_MS,
        PAGE.collect(page.mainFrame(), null).catch(() => null),
        null,
      );
      if (main) {
        const placed = await placeFrames(page);
        const children = await Promise.all(
          placed.slice(1).map(({ frame }) =>
            within(
              CHILD_LOOK_MS,
              PAGE.collect(frame, null).catch(() => null),
              null,
            ),
          ),
        );
        this.seenHappened = happened;
        this.seen = placed
          .map(({ frame }, place) => ({ frame, changes: (place === 0 ? main : children[place - 1])?.changes ?? -1 }))
          .filter(({ changes }) => changes >= 0);
        return snapshotOf(this.windows, page.url(), placed, [main, ...children]);
      }
      await page.waitForLoadState('domcontentloaded', { timeout: LOOK_MS }).catch(() => undefined);
    }
    this.seen = [];
    return snapshotOf(this.windows, this.url(), [], []);
  }

  async waitForChange(maxMs: number): Promise<boolean> {
    const happened = this.windows.until(() => this.windows.happened !== this.seenHappened, maxMs);
    // A frame whose document went away has changed.
    const changed = this.seen.map(({ frame, changes }) => PAGE.nextChange(frame, { seen: changes, maxMs }).catch(() => true));
    return within(maxMs + FRAME_GRACE_MS, firstTrue([happened, ...changed]), false);
  }

  async waitForQuiet(limits: QuietLimits): Promise<boolean> {
    const deadline = Date.now() + limits.maxMs;
    for (;;) {
      const happened = this.windows.happened;
      const left = deadline - Date.now();
      if (left <= 0) return false;
      const frames = (await placeFrames(this.windows.current)).filter(({ element }) => element?.visible ?? true);
      const quiet = await Promise.all(
        frames.map(({ frame }) =>
          within(
            left,
            PAGE.untilQuiet(frame, { quietMs: limits.quietMs, maxMs: left }).catch(() => true),
            false,
          ),
        ),
      );
      if (quiet.includes(false)) return false;
      const answered = await this.windows.untilIdle(deadline - Date.now());
      if (answered && this.windows.happened === happened) return true;
    }
  }

  async fillAndSubmit(fills: readonly Fill[], submit: Handle | null, agreement?: Agreeing): Promise<ActOutcome> {
    this.beginAct();
    // First: a complete code may send itself.
    const agreed = await this.agree(agreement?.ifLocked === false ? agreement.handles : []);
    if (agreed.kind !== 'done') return agreed;
    for (const [frameKey, group] of groupByFrame(fills)) {
      const outcome = await this.fillFrame(frameKey, group);
      if (outcome.kind !== 'done') return outcome;
    }
    const oneTime = fills.some((fill) => fill.oneTime);
    if (oneTime && (await this.windows.until(() => this.windows.hasSent(), AUTO_SUBMIT_MS))) return { kind: 'done' };
    const last = fills.at(-1)?.handles.at(-1) ?? null;
    const pressed = await this.pressUnlocked(submit, last, agreement);
    if (pressed.kind === 'not_found' && oneTime && this.windows.hasSent()) return { kind: 'done' };
    if (pressed.kind !== 'disabled') return pressed;
    // The page enables its button by keys alone.
    for (const fill of fills) {
      const frame = await this.frameOf(fill.handles[0]);
      if (frame) await typeKeys(frame, fill);
    }
    return this.press(submit, last);
  }

  async act(act: Act, submit: Handle | null): Promise<ActOutcome> {
    this.beginAct();
    this.windows.expectWindow();
    if (act.kind === 'press') {
      const agreed = await this.agree(act.agreeing ?? []);
      return agreed.kind === 'done' ? this.press(act.handle, null) : agreed;
    }
    const outcome = await this.set(act.handle, async (frame, path) =>
      act.kind === 'check' ? PAGE.tick(frame, { path }) : PAGE.select(frame, { path, option: act.option }),
    );
    const pressed = outcome.kind === 'done' && submit ? await this.press(submit, null) : outcome;
    // What is chosen may go on by itself.
    return pressed.kind === 'not_found' && outcome.kind === 'done' && this.windows.hasSent() ? { kind: 'done' } : pressed;
  }

  private async pressUnlocked(submit: Handle | null, last: Handle | null, agreement: Agreeing | undefined): Promise<ActOutcome> {
    const pressed = await this.press(submit, last);
    if (pressed.kind !== 'disabled' || agreement?.ifLocked !== true) return pressed;
    const agreed = await this.agree(agreement.handles);
    return agreed.kind === 'done' ? this.press(submit, last) : agreed;
  }

  private async agree(boxes: readonly Handle[]): Promise<ActOutcome> {
    for (const box of boxes) {
      const outcome = await this.set(box, async (frame, path) => PAGE.tick(frame, { path }));
      if (outcome.kind !== 'done') return outcome;
    }
    return { kind: 'done' };
  }

  private async set(handle: Handle, by: (frame: Frame, path: string) => Promise<StepReport>): Promise<ActOutcome> {
    const frame = await this.frameOf(handle);
    if (!frame) return { kind: 'not_found', handle };
    return this.outcome(await answerOf(by(frame, partsOf(handle).path)), frame, handle);
  }

  private beginAct(): void {
    this.atWorkUntil = 0;
    this.windows.beginAct();
  }

  private async fillFrame(frameKey: string, fills: readonly Fill[]): Promise<ActOutcome> {
    const first = fills[0];
    const frame = first ? await this.frameOf(first.handles[0]) : null;
    if (!first || !frame) return { kind: 'not_found', handle: first?.handles[0] ?? frameKey };
    const request: FillRequest = {
      fills: fills.map((fill) => ({ paths: fill.handles.map((handle) => partsOf(handle).path), value: fill.value, oneTime: fill.oneTime })),
    };
    let report = await answerOf(PAGE.fill(frame, request));
    const typed = new Set<Fill>();
    while (report?.kind === 'not_accepted') {
      const { path } = report;
      const fill = fills.find((candidate) => candidate.handles.some((handle) => partsOf(handle).path === path));
      // A first box that takes a whole code may hand it on to the others, and send it.
      if (fill?.oneTime === true && this.windows.hasSent()) return { kind: 'done' };
      if (!fill || typed.has(fill)) return { kind: 'not_accepted', handle: fill?.handles[0] ?? first.handles[0] };
      const entered = await enterByHand(frame, fill);
      if (entered.kind !== 'done') return entered;
      typed.add(fill);
      const rest = request.fills.filter((_fill, place) => !typed.has(fills[place] ?? first));
      report = await answerOf(PAGE.check(frame, { fills: rest }));
    }
    // A complete code may already have led the page away.
    if (!report && fills.some((fill) => fill.oneTime)) return { kind: 'done' };
    return this.outcome(report, frame, first.handles[0]);
  }

  private async press(submit: Handle | null, field: Handle | null): Promise<ActOutcome> {
    const target = submit ?? field;
    const frame = target ? await this.frameOf(target) : null;
    if (!target || !frame) return { kind: 'not_found', handle: target ?? '' };
    const { path } = partsOf(target);
    const request = { path: submit ? path : null, field: submit ? null : path, enableMs: ENABLE_MS, checkMs: CHECK_MS };
    const report = await PAGE.press(frame, request).catch(() => null);
    if (report?.kind !== 'needs_enter') {
      const happened = this.windows.happened;
      const outcome = this.outcome(report, frame, target);
      if (outcome.kind === 'done' && !(await this.reacts(frame, path, happened))) await pressForReal(frame, path, submit === null);
      return outcome;
    }
    const { happened } = this.windows;
    const entered = await locate(frame, path)
      .press('Enter', { timeout: KEY_MS })
      .then(
        () => true,
        () => false,
      );
    // Nothing but the key was left to try: where it is ignored there is nothing that sends these boxes.
    return entered && (await this.reacts(frame, path, happened)) ? { kind: 'done' } : { kind: 'not_found', handle: target };
  }

  /**
   * Waits for the first sign that a press was taken up: something sent, a window or document come or gone, a form or work begun in the
   * page, other words on it.
   */
  private async reacts(frame: Frame, path: string, happened: number): Promise<boolean> {
    const isOutside = (): boolean => this.windows.hasSpoken() || this.windows.happened !== happened;
    for (;;) {
      const inside = PAGE.hasEffect(frame, { path, maxMs: DEAF_MS }).catch(() => true);
      // A page that is at work on the press answers late; how late, on a slow machine, says nothing.
      const heeded = await within(DEAF_MS + LOOK_MS, firstTrue([this.windows.until(isOutside, DEAF_MS), inside]), true);
      if (isOutside()) return true;
      const left = await within(
        FRAME_GRACE_MS,
        PAGE.workLeft(frame, null).catch(() => 0),
        0,
      );
      this.atWorkUntil = Date.now() + left;
      // A timer that the press has set is waited for, and what comes of it as long again.
      if (heeded || left < -DEAF_MS) return heeded;
    }
  }

  /** From here on `waitForChange` waits for what the act brings, not for what the filling stirred up. */
  private outcome(report: StepReport | null, frame: Frame, handle: Handle): ActOutcome {
    if (!report || report.kind === 'needs_enter') return { kind: 'not_found', handle };
    if (report.kind !== 'done') {
      const { ordinal, frameKey } = partsOf(handle);
      const at = handleOf(ordinal, frameKey, report.path);
      return report.kind === 'invalid' ? { kind: 'invalid', handle: at, message: report.message } : { kind: report.kind, handle: at };
    }
    this.seenHappened = this.windows.happened;
    const seen = this.seen.find((candidate) => candidate.frame === frame);
    if (seen) seen.changes = report.changes;
    return { kind: 'done' };
  }

  private async frameOf(handle: Handle): Promise<Frame | null> {
    const { ordinal, frameKey } = partsOf(handle);
    if (this.windows.ordinal !== ordinal) return null;
    const page = this.windows.current;
    if (frameKey === '') return page.mainFrame();
    const frame = (await placeFrames(page)).find((placed) => placed.key === frameKey)?.frame ?? null;
    if (frame !== null) this.windows.actIn(frame.url());
    return frame;
  }
}

/** Some pages obey only the browser's own mouse and keys. Best effort: what comes of it is seen by the next look. */
async function pressForReal(frame: Frame, path: string, byEnter: boolean): Promise<void> {
  const target = locate(frame, path);
  await (
    byEnter ? target.press('Enter', { timeout: KEY_MS, noWaitAfter: true }) : target.click({ timeout: KEY_MS, noWaitAfter: true })
  ).catch(() => undefined);
}

/** Null where the page has gone meanwhile, or does not answer. */
const answerOf = (report: Promise<StepReport>): Promise<StepReport | null> =>
  within(
    FILL_MS,
    report.catch(() => null),
    null,
  );

function groupByFrame(fills: readonly Fill[]): Map<string, Fill[]> {
  const groups = new Map<string, Fill[]>();
  for (const fill of fills) {
    const { frameKey } = partsOf(fill.handles[0]);
    groups.set(frameKey, [...(groups.get(frameKey) ?? []), fill]);
  }
  return groups;
}

async function firstTrue(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const answer of answers) void answer.then((yes) => yes && resolve(true));
    void Promise.all(answers).then((all) => resolve(all.includes(true)));
  });
}
