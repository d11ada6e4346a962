import type { Chromium } from '../chromium/chromium.js';
import { closeTab, tabsOf } from '../chromium/tabs.js';
import type { SessionRow } from './session-rows.js';

/**
 * Makes a browser that somebody has used what its record says: one tab, of the record's size, at its start page. Cookies and storage stay,
 * those of contexts that the caller made go with them. Nobody waits for the start page to load.
 */
export async function putRight({ cdp, options }: Chromium, { startUrl }: SessionRow): Promise<void> {
  const { browserContextIds } = await cdp.browser.send<{ browserContextIds: readonly string[] }>('Target.getBrowserContexts');
  // One that its caller's leaving takes away by itself is as good as disposed of.
  const dispose = (browserContextId: string): Promise<unknown> =>
    cdp.browser.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
  await Promise.all(browserContextIds.map(dispose));
  // Before the others close: without a tab a browser with a window ends.
  const fresh = { url: startUrl ?? 'about:blank', newWindow: true, ...options.viewport };
  const { targetId } = await cdp.browser.send<{ targetId: string }>('Target.createTarget', fresh);
  const others = async (): Promise<readonly string[]> => (await tabsOf(cdp)).filter((tab) => tab !== targetId);
  // Again, because a page can open another one as it goes; those that are gone already are no matter.
  for (let left = await others(); left.length > 0; left = await others())
    await Promise.all(left.map((tab) => closeTab(cdp, tab).catch(() => undefined)));
}
