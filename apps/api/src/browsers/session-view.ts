import { baseUrl, bidiUrl, cdpUrl } from '@berth/browser-fleet';
import type { BrowserSession } from '@berth/schema';
import type { Sealer } from '@berth/secrets';
import type { SessionRow } from './session-row.js';

type Present<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Optional fields that do not apply are omitted, never null (D32). */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Present<T>;
}

const iso = (instant: Date | null): string | undefined => instant?.toISOString();

function profileOf(row: SessionRow): BrowserSession['profile'] {
  if (row.profileId === null || row.profileCreatedAt === null) return undefined;
  return present({
    id: row.profileId, name: row.profileName ?? undefined, created_at: row.profileCreatedAt.toISOString(), last_used_at: iso(row.profileLastUsedAt),
    updated_at: iso(row.profileUpdatedAt),
  });
}

/** Time that the browser has run, or had run when its end began. */
function uptimeMs({ startedAt, endingAt }: SessionRow, now: Date): number {
  return startedAt === null ? 0 : Math.max(0, (endingAt ?? now).getTime() - startedAt.getTime());
}

/** The session record of service.md. The live view's address is left out until there is a live view. */
export function sessionView(row: SessionRow, sealer: Sealer, now = new Date()): BrowserSession {
  const host = row.hostPublicUrl ?? '';
  return present({
    session_id: row.id,
    created_at: row.createdAt.toISOString(),
    deleted_at: iso(row.endingAt),
    name: row.name ?? undefined,
    headless: row.headless,
    stealth: row.stealth,
    gpu: row.gpu ?? undefined,
    kiosk_mode: row.kioskMode ?? undefined,
    timeout_seconds: row.timeoutSeconds,
    start_url: row.startUrl ?? undefined,
    cdp_ws_url: cdpUrl(host, row, sealer),
    webdriver_ws_url: bidiUrl(host, row, sealer),
    base_url: baseUrl(host, row, sealer),
    tags: row.tags ?? undefined,
    profile: profileOf(row),
    profile_save_changes: row.profileId === null ? undefined : (row.profileSaveChanges ?? false),
    pool: row.poolId === null ? undefined : present({ id: row.poolId, name: row.poolName ?? undefined }),
    viewport: row.viewport ?? undefined,
    usage: { uptime_ms: uptimeMs(row, now) },
    telemetry: row.telemetry ?? undefined,
  });
}
