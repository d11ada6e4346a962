import type { BrowserPool, CreateBrowserPool } from '@berth/schema';

/** All that is chosen for a pool but its size. */
export type PoolChoices = Omit<CreateBrowserPool, 'size'>;

/** The choices of a pool that its row has no column for, as they were given. */
export type PoolConfig = Omit<PoolChoices, 'name' | 'fill_rate_per_minute' | 'refresh_on_profile_update'> & { readonly headless: boolean };

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

/** The choices that a row holds, as a request would give them. */
export function choicesOf({
  name,
  config,
  fillRatePerMinute,
  refreshOnProfileUpdate,
}: Pick<PoolRow, 'name' | 'config' | 'fillRatePerMinute' | 'refreshOnProfileUpdate'>): PoolChoices & PoolConfig {
  return {
    ...config,
    ...(name === null ? {} : { name }),
    ...(fillRatePerMinute === null ? {} : { fill_rate_per_minute: fillRatePerMinute }),
    ...(refreshOnProfileUpdate === null ? {} : { refresh_on_profile_update: refreshOnProfileUpdate }),
  };
}

export function poolView(row: PoolRow): BrowserPool {
  const { telemetry: _neverOn, ...choices } = choicesOf(row);
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    created_at: row.createdAt.toISOString(),
    acquired_count: row.leased,
    available_count: row.idle,
    browser_pool_config: { ...choices, size: row.size },
    extension_ids: [],
    ...(row.profileId === null ? {} : { profile_id: row.profileId }),
  };
}
