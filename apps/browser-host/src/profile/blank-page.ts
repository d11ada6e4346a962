import type { Chromium } from '../chromium/chromium.js';
import type { CdpSession } from '../chromium/cdp-session.js';
import { callOf, evaluate } from './evaluate.js';

/**
 * Opens a page of the default context that can stand on any origin without asking the website: every request of it is answered here with an
 * empty document. `work` gets a function that moves it to an origin and runs a function there.
 */
export async function withBlankPage<T>({ cdp }: Chromium, work: (visit: Visit) => Promise<T>): Promise<T> {
  const { targetId } = await cdp.browser.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', background: true });
  try {
    const { sessionId } = await cdp.browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const page = cdp.session(sessionId);
    await answerEverything(page);
    return await work((origin, script, argument) => visit(page, origin, script, argument));
  } finally {
    await cdp.browser.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }
}

/** Runs a self-contained function on an origin and answers what it returns. */
export type Visit = <A, R>(origin: string, script: (argument: A) => Promise<R>, argument: A) => Promise<R>;

async function answerEverything(page: CdpSession): Promise<void> {
  page.on<{ requestId: string }>('Fetch.requestPaused', ({ requestId }) => {
    const headers = [
      { name: 'content-type', value: 'text/html' },
      { name: 'cache-control', value: 'no-store' },
    ];
    page.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: headers, body: '' }).catch(() => undefined);
  });
  await Promise.all([
    page.send('Page.enable'),
    page.send('Network.enable'),
    // A website's own worker would answer in our place.
    page.send('Network.setBypassServiceWorker', { bypass: true }),
    page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
  ]);
}

async function visit<A, R>(page: CdpSession, origin: string, script: (argument: A) => Promise<R>, argument: A): Promise<R> {
  const loaded = new Promise<void>((resolve) => {
    const listen = (): void => {
      page.off('Page.loadEventFired', listen);
      resolve();
    };
    page.on('Page.loadEventFired', listen);
  });
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url: `${origin}/` });
  if (errorText !== undefined) throw new Error(`no page could be shown for ${origin}: ${errorText}`);
  await loaded;
  return evaluate<R>(page, callOf(script, argument));
}
