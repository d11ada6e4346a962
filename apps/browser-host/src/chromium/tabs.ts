import type { CdpConnection } from './cdp.js';

interface Target {
  readonly targetId: string;
  readonly type: string;
}

/** The pages of every context that are open now. */
export async function tabsOf({ browser }: CdpConnection): Promise<readonly string[]> {
  const { targetInfos } = await browser.send<{ targetInfos: readonly Target[] }>('Target.getTargets');
  return targetInfos.filter(({ type }) => type === 'page').map(({ targetId }) => targetId);
}

/** Resolves when the page is gone, asked by it or not whether to leave; one that hangs takes half a second. @throws when there is none. */
export async function closeTab({ browser }: CdpConnection, targetId: string): Promise<void> {
  const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const gone = new Promise<void>((resolve) => {
    const listen = (detached: { readonly sessionId: string }): void => {
      if (detached.sessionId !== sessionId) return;
      browser.off('Target.detachedFromTarget', listen);
      resolve();
    };
    browser.on('Target.detachedFromTarget', listen);
  });
  await browser.send('Target.closeTarget', { targetId });
  await gone;
}
