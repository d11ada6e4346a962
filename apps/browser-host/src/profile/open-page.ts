import type { CdpSession } from '../chromium/cdp-session.js';
import { answerWithin } from '../patience.js';
import { callOf, evaluate } from './evaluate.js';

/** A page that is busy, or shows a dialog, does not answer; its origins are then read on a blank page, as those of closed pages are. */
const answerWithinMs = 1_000;

interface MainFrame {
  readonly frameTree: { readonly frame: { readonly id: string; readonly securityOrigin?: string } };
}

/**
 * Runs a self-contained function on the origins that open pages show, beside the page's own scripts, which cannot meddle with it. Main
 * frames only: what an embedded frame stores belongs to the pair of both sites.
 * @returns what it answered, by origin; an origin of which no page answered is missing.
 */
export async function onOpenPages<A, R>(
  pages: Iterable<CdpSession>,
  origins: ReadonlySet<string>,
  script: (argument: A) => Promise<R>,
  argument: A,
): Promise<Map<string, R>> {
  const answers = new Map<string, R>();
  await Promise.all(
    [...pages].map(async (page) => {
      // Closed or moved on while it was asked: no answer either.
      const answer = await answerWithin(answerWithinMs, onOpenPage(page, origins, script, argument));
      if (answer !== undefined) answers.set(...answer);
    }),
  );
  return answers;
}

async function onOpenPage<A, R>(
  page: CdpSession,
  origins: ReadonlySet<string>,
  script: (argument: A) => Promise<R>,
  argument: A,
): Promise<[string, R] | undefined> {
  const {
    frameTree: {
      frame: { id, securityOrigin = '' },
    },
  } = await page.send<MainFrame>('Page.getFrameTree');
  if (!origins.has(securityOrigin)) return undefined;
  const { executionContextId } = await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', { frameId: id });
  const [origin, answer] = await Promise.all([
    evaluate<string>(page, 'self.origin', executionContextId),
    evaluate<R>(page, callOf(script, argument), executionContextId),
  ]);
  // A sandboxed document, or Chromium's own error page, has the site's address and none of its storage.
  return origin === securityOrigin ? [securityOrigin, answer] : undefined;
}
