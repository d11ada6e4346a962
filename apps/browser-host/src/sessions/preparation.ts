import type { ProfileDocument } from '@berth/browser-fleet';
import type { Chromium, ChromiumProgram } from '../chromium/chromium.js';
import { captureProfile } from '../profile/capture.js';
import { captureFromFiles, SessionCookies } from '../profile/closed-browser.js';
import type { Profiles } from '../profile/profiles.js';
import { restoreProfile } from '../profile/restore.js';
import { VisitedOrigins } from '../profile/visited-origins.js';
import type { Prepared, Preparation } from './prepared.js';
import type { SessionRow } from './session-rows.js';

/** Makes a started browser what its row asks for: its profile is in it, and its start page on the way. Nobody waits for that page to load. */
export class BrowserPreparation implements Preparation {
  constructor(private readonly profiles: Profiles, private readonly program: ChromiumProgram) {}

  async prepare(chromium: Chromium, row: SessionRow): Promise<Prepared> {
    const prepared = row.profileId === null ? {} : await this.#withProfile(chromium, row, row.profileId);
    if (row.startUrl !== null) await openStartPage(chromium, row.startUrl);
    return prepared;
  }

  async #withProfile(chromium: Chromium, row: SessionRow, profileId: string): Promise<Prepared> {
    const loaded = await this.profiles.load(profileId);
    if (loaded !== null) await restoreProfile(chromium, loaded);
    const visited = await VisitedOrigins.follow(chromium.cdp, loaded?.origins.map(({ origin }) => origin) ?? []);
    const capture = (): Promise<ProfileDocument> => captureProfile(chromium, visited.origins, visited.pages);
    if (row.profileSaveChanges !== true) return { capture };
    const sessionCookies = SessionCookies.follow(chromium);
    return {
      capture,
      beforeKill: async () => this.profiles.save(profileId, await capture(), loaded),
      afterClose: async () => this.profiles.save(profileId, await captureFromFiles(this.program, chromium, visited.origins, sessionCookies.latest), loaded),
    };
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
