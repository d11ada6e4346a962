import type { CreateBrowser, TelemetryRequest, UpdateBrowser } from '@berth/schema';
import { invalid } from '../errors/api-error.js';

/** What the browser hosts of this deployment can do. */
export interface Deployment {
  /** Some host has a display for a browser's window. */
  readonly display: boolean;
}

type Choices = Partial<CreateBrowser> & Pick<UpdateBrowser, 'viewport'>;

interface Rule {
  readonly field: string;
  readonly refuses: (choices: Choices, deployment: Deployment) => boolean;
  readonly message: string;
}

const filled = (value: object | null | undefined): boolean => value !== null && value !== undefined && Object.keys(value).length > 0;

/** Chromium draws 60 frames a second; a host has no way to say otherwise. */
const refreshRate = 60;

/**
 * Whether a request asks for telemetry. `null` and everything switched off ask for none; a destination or excluded methods do, switched off
 * or not: nothing here would keep them.
 */
export function asksForTelemetry(telemetry: TelemetryRequest | null | undefined): boolean {
  const { enabled, browser, export: exported, storage } = telemetry ?? {};
  const switches = [
    enabled,
    exported?.otlp?.enabled,
    storage?.enabled,
    ...Object.values(browser ?? {}).map((category) => category?.enabled),
  ];
  return switches.includes(true) || exported?.otlp?.destination !== undefined || filled(browser?.control?.cdp?.excluded_methods);
}

/**
 * Everything a caller may ask for that a deployment may not be able to do. Each is refused by name, never dropped silently (D30); asking
 * for it to be off is always fine.
 */
const rules: readonly Rule[] = [
  {
    field: 'headless',
    refuses: ({ headless }, { display }) => headless === false && !display,
    message: 'false needs a browser host with a display, and there is none',
  },
  { field: 'stealth', refuses: ({ stealth }) => stealth === true, message: 'stealth browsers are not offered by this deployment' },
  { field: 'gpu', refuses: ({ gpu }) => gpu === true, message: 'no browser host of this deployment has a GPU' },
  {
    field: 'kiosk_mode',
    refuses: ({ kiosk_mode, headless }, { display }) => kiosk_mode === true && (headless === true || !display),
    message: 'true needs a browser with a window, and a browser host with a display',
  },
  {
    field: 'chrome_policy',
    refuses: ({ chrome_policy }) => filled(chrome_policy),
    message: 'Chrome policies are not offered by this deployment',
  },
  { field: 'network', refuses: ({ network }) => filled(network), message: 'network rules are not offered by this deployment' },
  { field: 'telemetry', refuses: ({ telemetry }) => asksForTelemetry(telemetry), message: 'telemetry is not offered by this deployment' },
  { field: 'proxy_id', refuses: ({ proxy_id }) => proxy_id !== undefined, message: 'names no proxy of this project' },
  { field: 'region', refuses: ({ region }) => region !== undefined, message: 'this deployment has no regions' },
  {
    field: 'extensions',
    refuses: ({ extensions }) => filled(extensions),
    message: 'browser extensions are not offered by this deployment',
  },
  {
    field: 'viewport.refresh_rate',
    refuses: ({ viewport }) => viewport?.refresh_rate !== undefined && viewport.refresh_rate !== refreshRate,
    message: `this deployment draws at ${refreshRate} Hz`,
  },
];

/** @throws ApiError bad_request naming every field that asks for what this deployment cannot do (D30). */
export function refuseUnsupported(choices: Choices, deployment: Deployment): void {
  const faults = rules.filter(({ refuses }) => refuses(choices, deployment));
  if (faults.length > 0) throw invalid(...faults);
}
