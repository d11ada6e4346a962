import type { CreateBrowser } from '@berth/schema';
import { invalid } from '../errors/api-error.js';

/** Everything that a create, a pool or a lease may ask of a browser. */
export type Asked = Partial<CreateBrowser>;

interface Limit {
  readonly field: string;
  readonly asked: (choices: Asked) => boolean;
  readonly message: string;
}

const isEmpty = (value: object | null | undefined): boolean => value === undefined || value === null || Object.keys(value).length === 0;

/** Whether a telemetry request turns anything on. `null`, `enabled: false` and categories that are all off ask for nothing. */
function asksTelemetry(telemetry: Asked['telemetry']): boolean {
  if (telemetry === undefined || telemetry === null || telemetry.enabled === false) return false;
  const categories = Object.values(telemetry.browser ?? {});
  return telemetry.enabled === true || categories.some(({ enabled }) => enabled === true) || telemetry.export?.otlp?.enabled === true
    || telemetry.export?.otlp?.destination !== undefined || telemetry.storage?.enabled === true;
}

/**
 * What no deployment of this version can do. Whoever asks for it is told, field by field; nothing is dropped silently (D30). Values that ask for what is the case
 * anyway (`gpu: false`, `extensions: []`) are fine.
 */
const limits: readonly Limit[] = [
  { field: 'stealth', asked: ({ stealth }) => stealth === true, message: 'this deployment has no stealth browsers' },
  { field: 'gpu', asked: ({ gpu }) => gpu === true, message: 'this deployment has no hosts with a GPU' },
  { field: 'kiosk_mode', asked: ({ kiosk_mode, headless }) => kiosk_mode === true && headless !== false, message: 'needs headless: false' },
  { field: 'viewport.refresh_rate', asked: ({ viewport }) => viewport?.refresh_rate !== undefined, message: 'this deployment cannot set a refresh rate' },
  { field: 'chrome_policy', asked: ({ chrome_policy }) => !isEmpty(chrome_policy), message: 'this deployment cannot apply browser policies' },
  { field: 'network', asked: ({ network }) => !isEmpty(network), message: 'this deployment cannot confine the network of a browser' },
  { field: 'proxy_id', asked: ({ proxy_id }) => proxy_id !== undefined, message: 'no such proxy in this project' },
  { field: 'region', asked: ({ region }) => region !== undefined, message: 'this deployment has no regions' },
  { field: 'extensions', asked: ({ extensions }) => !isEmpty(extensions), message: 'no such extension in this project' },
  { field: 'telemetry', asked: ({ telemetry }) => asksTelemetry(telemetry), message: 'this deployment records no telemetry' },
];

/**
 * Refuses what this deployment cannot do, every field at once. `canShowWindows` is asked only when somebody wants a window.
 * @throws ApiError bad_request
 */
export async function assertPossible(choices: Asked, canShowWindows: () => Promise<boolean>): Promise<void> {
  const faults = limits.filter(({ asked }) => asked(choices)).map(({ field, message }) => ({ field, message }));
  if (choices.headless === false && !(await canShowWindows())) faults.push({ field: 'headless', message: 'no host of this deployment has a display' });
  if (faults.length > 0) throw invalid(...faults);
}
