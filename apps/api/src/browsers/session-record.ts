import type { SessionStanding } from '@berth/browser-fleet';
import type { Viewport } from '@berth/schema';

/** A session's row with what its view says of its profile and pool. */
export interface SessionRecord {
  readonly id: string;
  readonly kind: 'on_demand' | 'pool' | 'login' | 'health_check';
  readonly status: SessionStanding['status'];
  readonly generation: number;
  readonly name: string | null;
  readonly headless: boolean;
  readonly stealth: boolean;
  readonly gpu: boolean | null;
  readonly kioskMode: boolean | null;
  readonly timeoutSeconds: number;
  readonly startUrl: string | null;
  readonly viewport: Viewport | null;
  readonly tags: Record<string, string> | null;
  readonly profileId: string | null;
  readonly profileName: string | null;
  readonly profileCreatedAt: Date | null;
  readonly profileUpdatedAt: Date | null;
  readonly profileLastUsedAt: Date | null;
  readonly profileSaveChanges: boolean | null;
  readonly poolId: string | null;
  readonly poolName: string | null;
  readonly leasedAt: Date | null;
  readonly invocationId: string | null;
  readonly hostId: string | null;
  readonly hostPublicUrl: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly deletedAt: Date | null;
}

/** Selects a `SessionRecord` from `browser_sessions s`, to be followed by `recordJoins`. */
export const recordColumns = `s.id, s.kind, s.status, s.generation, s.name, s.headless, s.stealth, s.gpu, s.kiosk_mode AS "kioskMode",
  s.timeout_seconds AS "timeoutSeconds", s.start_url AS "startUrl", s.viewport, s.tags,
  s.profile_id AS "profileId", p.name AS "profileName", p.created_at AS "profileCreatedAt", p.updated_at AS "profileUpdatedAt",
  p.last_used_at AS "profileLastUsedAt", s.profile_save_changes AS "profileSaveChanges",
  s.pool_id AS "poolId", o.name AS "poolName", s.leased_at AS "leasedAt", s.invocation_id AS "invocationId",
  s.host_id AS "hostId", s.host_public_url AS "hostPublicUrl", s.created_at AS "createdAt", s.started_at AS "startedAt", s.deleted_at AS "deletedAt"`;

export const recordJoins = 'LEFT JOIN profiles p ON p.id = s.profile_id LEFT JOIN browser_pools o ON o.id = s.pool_id';

/**
 * What callers may see as a session: browsers that have run (a launch that failed was never anybody's), outside of pools or leased from one. `s` is the
 * session's row.
 */
export const visible = `s.started_at IS NOT NULL AND (s.pool_id IS NULL OR s.leased_at IS NOT NULL)`;

/** What is active: running, and visible (D33: one that is ending is unlisted). */
export const active = `s.status = 'running' AND (s.pool_id IS NULL OR s.leased_at IS NOT NULL)`;

export function isActive(record: SessionRecord): boolean {
  return record.status === 'running' && (record.poolId === null || record.leasedAt !== null);
}

export function wasVisible(record: SessionRecord): boolean {
  return record.startedAt !== null && (record.poolId === null || record.leasedAt !== null);
}

