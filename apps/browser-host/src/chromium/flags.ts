/** What a browser is started with; two sessions that ask for the same may get the same warm browser. */
export interface ChromiumOptions {
  readonly headless: boolean;
  readonly kioskMode: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
}

export const defaultOptions: ChromiumOptions = { headless: true, kioskMode: false, viewport: { width: 1920, height: 1080 } };

/**
 * Nothing of Chromium's own may call home, ask, or keep state outside its folder. Pages kept for going back, and a new frame for every
 * document, are off as in the browsers that Playwright starts itself: its callers know no others, and a page that was left costs nothing
 * more.
 */
const always = [
  '--remote-debugging-port=0',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--disable-search-engine-choice-screen',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  // From a locale of the C library Chromium makes the language tag `en-US@posix`, on which pages that format numbers or dates throw.
  '--accept-lang=en-US,en',
  '--disable-features=Translate,OptimizationHints,MediaRouter,BackForwardCache,RenderDocument',
  // A page that nobody looks at must run as fast as one in front: agents drive many at once.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** The command line of one browser with its own `profileFolder`. */
export function chromiumFlags(options: ChromiumOptions, profileFolder: string, sandbox: boolean): readonly string[] {
  const { headless, kioskMode, viewport } = options;
  return [
    ...always,
    ...(headless ? ['--headless', '--hide-scrollbars', '--mute-audio'] : []),
    ...(kioskMode ? ['--kiosk'] : []),
    ...(sandbox ? [] : ['--no-sandbox']),
    `--window-size=${viewport.width},${viewport.height}`,
    `--user-data-dir=${profileFolder}`,
    'about:blank',
  ];
}

export function sameOptions(a: ChromiumOptions, b: ChromiumOptions): boolean {
  return (
    a.headless === b.headless &&
    a.kioskMode === b.kioskMode &&
    a.viewport.width === b.viewport.width &&
    a.viewport.height === b.viewport.height
  );
}
