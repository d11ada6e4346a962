import type { BrowserSession } from '@berth/schema';
import type { SessionAddresses } from './session-addresses.js';
import type { SessionRow } from './session-row.js';

const iso = (instant: Date | null): string | undefined => instant?.toISOString();

function profileOf(row: SessionRow): BrowserSession['profile'] {
  if (row.profileId === null || row.profileCreatedAt === null) return undefined;
  return {
    id: row.profileId,
    name: row.profileName ?? undefined,
    created_at: row.profileCreatedAt.toISOString(),
    last_used_at: iso(row.profileLastUsedAt),
    updated_at: iso(row.profileUpdatedAt),
  };
}

/** Time that the browser has run, or had run when its end began. */
function uptimeMs({ startedAt, endingAt }: SessionRow, now: Date): number {
  return startedAt === null ? 0 : Math.max(0, (endingAt ?? now).getTime() - startedAt.getTime());
}

/**
 * The session record of service.md. What does not apply is undefined, which is not sent (D32); the live view's address is left out until
 * there is a live view.
 */
export function sessionView(row: SessionRow, addresses: SessionAddresses, now = new Date()): BrowserSession {
  return {
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
    ...addresses.of(row),
    tags: row.tags ?? undefined,
    profile: profileOf(row),
    profile_save_changes: row.profileId === null ? undefined : (row.profileSaveChanges ?? false),
    pool: row.poolId === null ? undefined : { id: row.poolId, name: row.poolName ?? undefined },
    viewport: row.viewport ?? undefined,
    usage: { uptime_ms: uptimeMs(row, now) },
    telemetry: row.telemetry ?? undefined,
  };
}
