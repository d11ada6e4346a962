import { baseUrl, bidiUrl, cdpUrl } from '@berth/browser-fleet';
import type { BrowserSession } from '@berth/schema';
import type { Sealer } from '@berth/secrets';
import type { SessionRecord } from './session-record.js';

type Nullable<T> = { readonly [K in keyof T]: T[K] | null | undefined };

/** Leaves out what does not apply: optional fields are omitted, never null (D32). */
export function present<T extends object>(fields: Nullable<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;
}

function profileView(record: SessionRecord): BrowserSession['profile'] {
  if (record.profileId === null || record.profileCreatedAt === null) return undefined;
  return present<NonNullable<BrowserSession['profile']>>({
    id: record.profileId,
    name: record.profileName,
    created_at: record.profileCreatedAt.toISOString(),
    last_used_at: record.profileLastUsedAt?.toISOString(),
    updated_at: record.profileUpdatedAt?.toISOString(),
  });
}

/**
 * A session as callers see it (service.md "Browser session"). The addresses carry tokens of this session alone, which die with it (D31). `now` is what a running
 * browser's up time is measured to.
 */
export function sessionView(record: SessionRecord, sealer: Sealer, now = new Date()): BrowserSession {
  const origin = record.hostPublicUrl ?? '';
  return present<BrowserSession>({
    session_id: record.id,
    created_at: record.createdAt.toISOString(),
    deleted_at: record.deletedAt?.toISOString(),
    name: record.name,
    headless: record.headless,
    stealth: record.stealth,
    gpu: record.gpu,
    kiosk_mode: record.kioskMode,
    timeout_seconds: record.timeoutSeconds,
    start_url: record.startUrl,
    cdp_ws_url: cdpUrl(origin, record, sealer),
    webdriver_ws_url: bidiUrl(origin, record, sealer),
    base_url: baseUrl(origin, record, sealer),
    tags: record.tags,
    profile: profileView(record),
    profile_save_changes: record.profileSaveChanges,
    pool: record.poolId === null ? undefined : present<NonNullable<BrowserSession['pool']>>({ id: record.poolId, name: record.poolName }),
    viewport: record.viewport,
    usage: record.startedAt === null ? undefined : { uptime_ms: Math.max(0, (record.deletedAt ?? now).getTime() - record.startedAt.getTime()) },
  });
}
