import { Chromium, type ChromiumProgram } from './chromium.js';
import { type ChromiumOptions, defaultOptions } from './flags.js';

/** What this host's Chromium can do. */
export interface Abilities {
  /** Browsers can have a window: there is a display, and the build can draw on it. */
  readonly headful: boolean;
}

const startWithinMs = 20_000;

/**
 * Starts the program once, and once more with a window if there is a display: a host must not promise what only shows when somebody pays
 * for it.
 * @throws when it does not start at all.
 */
export async function probeChromium(program: ChromiumProgram): Promise<Abilities> {
  await productOf(program, defaultOptions).catch((error: unknown) => {
    throw new Error(
      `Chromium at ${program.path} does not start. Set BERTH_CHROMIUM_PATH to one that does; as root, or without user namespaces, also BERTH_CHROMIUM_SANDBOX=false.`,
      { cause: error },
    );
  });
  if (program.display === undefined) return { headful: false };
  // A build without windows ignores the missing flag and still calls itself headless; a display that does not answer ends the start.
  const product = await productOf(program, { ...defaultOptions, headless: false }).catch(() => '');
  return { headful: product.startsWith('Chrome/') };
}

async function productOf(program: ChromiumProgram, options: ChromiumOptions): Promise<string> {
  const chromium = await Chromium.start(program, options, AbortSignal.timeout(startWithinMs));
  try {
    return (await chromium.cdp.browser.send<{ product: string }>('Browser.getVersion')).product;
  } finally {
    await chromium.kill();
  }
}
