import type { Chromium } from './chromium.js';
import { closeTab } from './tabs.js';

/** A port that Chromium itself refuses to talk to: going there asks nobody anything. */
const nowhere = 'http://127.0.0.1:1/';

/**
 * Has a browser open a page, in a tab that is closed again, so that its network and page processes are up before the first page that
 * somebody waits for: that one comes about 10 ms sooner. Nothing of it stays in the profile.
 */
export async function rehearse({ cdp }: Chromium): Promise<void> {
  const { targetId } = await cdp.browser.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', background: true });
  const { sessionId } = await cdp.browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  await cdp.session(sessionId).send('Page.navigate', { url: nowhere });
  await closeTab(cdp, targetId);
}
