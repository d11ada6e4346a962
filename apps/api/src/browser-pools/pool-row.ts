import type { BrowserPool, CreateBrowserPool } from '@berth/schema';

/** The choices of a pool that its row has no column for, as they were given. */
export type PoolConfig = Omit<CreateBrowserPool, 'size' | 'name' | 'fill_rate_per_minute' | 'refresh_on_profile_update'> & {
  readonly headless: boolean;
};

/** A pool's row with what its browsers are at. */
export interface PoolRow {
  readonly id: string;
  readonly name: string | null;
  readonly size: number;
  readonly fillRatePerMinute: number | null;
  readonly refreshOnProfileUpdate: boolean | null;
  readonly profileId: string | null;
  readonly config: PoolConfig;
  readonly createdAt: Date;
  readonly leased: number;
  readonly idle: number;
}

export function poolView(row: PoolRow): BrowserPool {
  const { telemetry: _neverOn, headless, ...choices } = row.config;
  const name = row.name === null ? {} : { name: row.name };
  return {
    id: row.id,
    ...name,
    created_at: row.createdAt.toISOString(),
    acquired_count: row.leased,
    available_count: row.idle,
    browser_pool_config: {
      ...choices,
      ...name,
      headless,
      size: row.size,
      ...(row.fillRatePerMinute === null ? {} : { fill_rate_per_minute: row.fillRatePerMinute }),
      ...(row.refreshOnProfileUpdate === null ? {} : { refresh_on_profile_update: row.refreshOnProfileUpdate }),
    },
    extension_ids: [],
    ...(row.profileId === null ? {} : { profile_id: row.profileId }),
  };
}
