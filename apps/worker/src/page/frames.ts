import type { Frame, Locator, Page } from 'playwright-core';
import type { Handle } from '../discovery/snapshot.js';
import { describeFrameElement, type FrameElementReport } from './in-page/collect.js';
import { onElement } from './in-page/script.js';

/** Frames answer at once or are stuck in a blocked load. */
const FRAME_ANSWER_MS = 1_500;
const MOST_FRAMES = 24;
const FRAME = ' |> ';
const describeElement = onElement(describeFrameElement);

export interface PlacedFrame {
  readonly key: string;
  readonly frame: Frame;
  /** Null for the main frame. */
  readonly element: FrameElementReport | null;
}

/** A handle names the window, the iframes on the way down and the element: `0!iframe#login |> form > input`. */
export function handleOf(ordinal: number, frameKey: string, path: string): Handle {
  return `${ordinal}!${frameKey === '' ? '' : frameKey + FRAME}${path}`;
}

export function partsOf(handle: Handle): { ordinal: number; frameKey: string; path: string } {
  const [ordinal = '', ...rest] = handle.split('!');
  const parts = rest.join('!').split(FRAME);
  return { ordinal: Number(ordinal), frameKey: parts.slice(0, -1).join(FRAME), path: parts.at(-1) ?? '' };
}

/** All frames of a window with the keys that name them: the path of each iframe element in its parent. */
export async function placeFrames(page: Page): Promise<PlacedFrame[]> {
  const placed: PlacedFrame[] = [{ key: '', frame: page.mainFrame(), element: null }];
  for (const parent of placed) {
    if (placed.length >= MOST_FRAMES) break;
    const children = await Promise.all(parent.frame.childFrames().map(async (frame) => ({ frame, element: await frameElement(frame) })));
    for (const { frame, element } of children) {
      if (!element) continue;
      const visible = element.visible && (parent.element?.visible ?? true);
      placed.push({ key: parent.key === '' ? element.path : parent.key + FRAME + element.path, frame, element: { ...element, visible } });
    }
  }
  return placed;
}

/** A frame detached meanwhile, or stuck, is left out: the next observation sees what became of it. */
async function frameElement(frame: Frame): Promise<FrameElementReport | null> {
  const describe = async (): Promise<FrameElementReport> => {
    const element = await frame.frameElement();
    try {
      return await describeElement(element);
    } finally {
      void element.dispose().catch(() => undefined);
    }
  };
  return within(
    FRAME_ANSWER_MS,
    describe().catch(() => null),
    null,
  );
}

export async function within<T>(maxMs: number, answer: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), maxMs);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}

/** Playwright looks into what a host shows by itself, and calls the host the scope. */
export function locate(frame: Frame, path: string): Locator {
  const parts = path.split(' >>> ').map((part) => part.replace(/^:host(?= >)/, ':scope'));
  return parts.reduce<Frame | Locator>((at, part) => at.locator(`css=${part}`), frame) as Locator;
}
