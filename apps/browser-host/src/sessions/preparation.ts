import type { ProfileDocument, ProfileReading } from '@berth/browser-fleet';
import type { CdpSession } from '../chromium/cdp-session.js';
import type { Chromium, ChromiumProgram } from '../chromium/chromium.js';
import { answerDialogs } from '../chromium/dialogs.js';
import { throughOutage } from '../patience.js';
import { captureProfile } from '../profile/capture.js';
import { captureFromFiles, SessionCookies } from '../profile/closed-browser.js';
import type { Profiles } from '../profile/profiles.js';
import { restoreProfile } from '../profile/restore.js';
import { VisitedOrigins } from '../profile/visited-origins.js';
import type { Prepared, Preparation } from './prepared.js';
import type { SessionRow } from './session-rows.js';

/**
 * Makes a started browser what its row asks for: its profile is in it, and its start page on the way. Nobody waits for that page to load.
 */
export class BrowserPreparation implements Preparation {
  readonly #followed = new WeakMap<Chromium, VisitedOrigins>();

  constructor(
    private readonly profiles: Profiles,
    private readonly program: ChromiumProgram,
  ) {}

  async ahead(chromium: Chromium): Promise<void> {
    this.#followed.set(chromium, await VisitedOrigins.follow(chromium.cdp));
  }

  async prepare(chromium: Chromium, row: SessionRow, until: AbortSignal): Promise<Prepared> {
    const { profileId, startUrl } = row;
    const followed = this.#followed.get(chromium);
    if (profileId === null) {
      followed?.leave();
      if (startUrl !== null) await openStartPage(chromium, startUrl, []);
      return {};
    }
    const [loaded, visited] = await Promise.all([
      throughOutage(until, () => this.profiles.load(profileId, row.id)),
      followed ?? VisitedOrigins.follow(chromium.cdp),
    ]);
    if (row.kind === 'login' || row.kind === 'health_check') visited.onPage(answerDialogs);
    const prepared = await this.#withProfile(chromium, row, profileId, loaded, visited);
    if (startUrl !== null) await openStartPage(chromium, startUrl, visited.pages);
    return prepared;
  }

  async #withProfile(
    chromium: Chromium,
    row: SessionRow,
    profileId: string,
    loaded: ProfileDocument | null,
    visited: VisitedOrigins,
  ): Promise<Prepared> {
    if (loaded !== null) {
      visited.know(loaded.origins.map(({ origin }) => origin));
      await restoreProfile(chromium, loaded);
    }
    const capture = (): Promise<ProfileDocument> => captureProfile(chromium, visited.origins, visited.pages);
    const read = async (): Promise<ProfileReading> => ({ captured: await capture(), loaded });
    if (row.profileSaveChanges !== true) return { read };
    const sessionCookies = SessionCookies.follow(chromium);
    return {
      read,
      keeping: {
        fromBrowser: capture,
        fromFiles: () => captureFromFiles(this.program, chromium, visited.origins, sessionCookies.latest),
        store: (captured) => this.profiles.save(profileId, { captured, loaded }),
      },
    };
  }
}

/**
 * `attached`: the pages that the host is connected to already. The answer of a navigation comes when the page answers, however long that
 * takes: nobody waits for it here, and a page that cannot be reached shows Chromium's own error.
 */
async function openStartPage({ cdp }: Chromium, url: string, attached: Iterable<CdpSession>): Promise<void> {
  for (const page of attached) return void navigateUntilLoaded(page, url);
  const { targetInfos } = await cdp.browser.send<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets');
  const page = targetInfos.find(({ type }) => type === 'page');
  if (page === undefined) return void (await cdp.browser.send('Target.createTarget', { url }));
  const { sessionId } = await cdp.browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId: page.targetId, flatten: true });
  void navigateUntilLoaded(cdp.session(sessionId), url).finally(() => {
    void cdp.browser.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  });
}

/** Until it has loaded nobody else may be there to answer its dialogs. */
async function navigateUntilLoaded(page: CdpSession, url: string): Promise<void> {
  const ends = answerDialogs(page);
  try {
    const loaded = new Promise<void>((resolve) => page.on('Page.loadEventFired', () => resolve()));
    const [, { errorText }] = await Promise.all([page.send('Page.enable'), page.send<{ errorText?: string }>('Page.navigate', { url })]);
    // A download, or an address that nobody answers at, loads nothing that could ask.
    if (errorText === undefined) await loaded;
  } catch {
    // It is gone.
  } finally {
    ends();
  }
}
