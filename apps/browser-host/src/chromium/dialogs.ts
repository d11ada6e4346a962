import type { CdpSession } from './cdp-session.js';

/**
 * Answers the dialogs of a page that nobody sits at: it hangs until somebody does, and with it whoever wants to connect to its browser. What
 * only tells something is accepted, as is leaving the page; everything else is declined. Needs `Page.enable`.
 * @returns what ends it.
 */
export function answerDialogs(page: CdpSession): () => void {
  const answer = ({ type }: { readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload' }): void => {
    const accept = type === 'alert' || type === 'beforeunload';
    // Somebody who is connected may have been faster.
    page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
  };
  page.on('Page.javascriptDialogOpening', answer);
  return () => page.off('Page.javascriptDialogOpening', answer);
}
