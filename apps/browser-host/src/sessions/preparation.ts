import type { Chromium } from '../chromium/chromium.js';
import type { SessionRow } from './session-rows.js';
import type { Preparation } from './sessions.js';

/** Makes a started browser what its row asks for: the start page is on its way, and nobody waits for it to load. */
export class BrowserPreparation implements Preparation {
  async prepare(chromium: Chromium, row: SessionRow): Promise<undefined> {
    if (row.startUrl !== null) await openStartPage(chromium, row.startUrl);
  }
}

async function openStartPage({ cdp }: Chromium, url: string): Promise<void> {
  const { targetInfos } = await cdp.browser.send<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets');
  const page = targetInfos.find(({ type }) => type === 'page');
  if (page === undefined) return void (await cdp.browser.send('Target.createTarget', { url }));
  const { sessionId } = await cdp.browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId: page.targetId, flatten: true });
  // The answer comes when the page answers, however long that takes; a page that cannot be reached shows Chromium's own error.
  void cdp.session(sessionId).send('Page.navigate', { url }).catch(() => undefined).finally(() => {
    void cdp.browser.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  });
}
