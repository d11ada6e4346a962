import type { BrowserSession, Viewport } from '@berth/schema';

/** A session's row with the names of what it refers to, as every read of the API gets it. */
export interface SessionRow {
  readonly id: string;
  readonly kind: 'on_demand' | 'pool' | 'login' | 'health_check';
  readonly status: 'starting' | 'running' | 'ending' | 'ended';
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
  readonly telemetry: BrowserSession['telemetry'] | null;
  readonly profileId: string | null;
  readonly profileSaveChanges: boolean | null;
  readonly profileName: string | null;
  readonly profileCreatedAt: Date | null;
  readonly profileUpdatedAt: Date | null;
  readonly profileLastUsedAt: Date | null;
  readonly poolId: string | null;
  readonly poolName: string | null;
  readonly invocationId: string | null;
  readonly hostId: string | null;
  readonly hostPublicUrl: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endingAt: Date | null;
}

export const sessionColumns = `s.id, s.kind, s.status, s.generation, s.name, s.headless, s.stealth, s.gpu, s.kiosk_mode AS "kioskMode",
  s.timeout_seconds AS "timeoutSeconds", s.start_url AS "startUrl", s.viewport, s.tags, s.telemetry, s.profile_id AS "profileId",
  s.profile_save_changes AS "profileSaveChanges", f.name AS "profileName", f.created_at AS "profileCreatedAt", f.updated_at AS "profileUpdatedAt",
  f.last_used_at AS "profileLastUsedAt", s.pool_id AS "poolId", b.name AS "poolName", s.invocation_id AS "invocationId", s.host_id AS "hostId",
  s.host_public_url AS "hostPublicUrl", s.created_at AS "createdAt", s.started_at AS "startedAt", s.ending_at AS "endingAt"`;

/** What `sessionColumns` are read from, whatever `source` the rows of `s` come from. */
export const sessionsFrom = (source: string): string =>
  `${source} s LEFT JOIN profiles f ON f.id = s.profile_id LEFT JOIN browser_pools b ON b.id = s.pool_id`;

/** Idle browsers of a pool are the pool's own business: a caller sees a pool browser from its lease on (D34). */
const notIdleInPool = `(s.kind <> 'pool' OR s.leased_at IS NOT NULL)`;

/**
 * Sessions that a caller can use: a browser runs. One that is starting is not there yet, one that is ending not any more (house, "End a
 * browser").
 */
export const isActive = `s.status = 'running' AND ${notIdleInPool}`;

/** Sessions that a caller once had. A launch that failed never was one. */
export const isPast = `s.status IN ('ending', 'ended') AND s.started_at IS NOT NULL AND ${notIdleInPool}`;
