import type { BrowserPool, CreateBrowserPool } from '@berth/schema';

/** What a pool's browsers are like, as it was asked for; kept as one document. */
export type PoolConfig = Omit<CreateBrowserPool, 'size' | 'name' | 'fill_rate_per_minute' | 'refresh_on_profile_update' | 'telemetry' | 'extensions'>;

export interface PoolRow {
  readonly id: string;
  readonly name: string | null;
  readonly size: number;
  readonly fillRatePerMinute: number | null;
  readonly refreshOnProfileUpdate: boolean | null;
  readonly profileId: string | null;
  readonly config: PoolConfig;
  readonly createdAt: Date;
  /** Leased and running. */
  readonly acquired: number;
  /** Idle, running, and not about to be replaced. */
  readonly available: number;
  /** Leased and not gone yet: what a reservation never falls below (D34). */
  readonly leased: number;
}

/** A pool as callers see it. */
export function poolView(row: PoolRow): BrowserPool {
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    created_at: row.createdAt.toISOString(),
    acquired_count: row.acquired,
    available_count: row.available,
    browser_pool_config: {
      ...row.config,
      size: row.size,
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.fillRatePerMinute === null ? {} : { fill_rate_per_minute: row.fillRatePerMinute }),
      ...(row.refreshOnProfileUpdate === null ? {} : { refresh_on_profile_update: row.refreshOnProfileUpdate }),
    },
    extension_ids: [],
    ...(row.profileId === null ? {} : { profile_id: row.profileId }),
  };
}
