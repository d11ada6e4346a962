import { z } from 'zod';
import { Extensions, sessionChoices, Tags } from './browsers.js';
import { wholeNumber } from './faults.js';
import { Id, paging, ResourceName, Timestamp, Url } from './primitives.js';
import { Telemetry, TelemetryRequest } from './telemetry.js';
import { maxCap } from './limits.js';

const poolChoices = {
  ...sessionChoices,
  name: ResourceName.optional(),
  fill_rate_per_minute: wholeNumber(1, 10_000)
    .optional()
    .meta({ description: 'How many browsers may be started per minute while filling.' }),
  refresh_on_profile_update: z.boolean().optional().meta({ description: 'Start idle browsers anew when the profile has changed.' }),
  extensions: Extensions,
};

export const BrowserPoolConfig = z
  .strictObject({ ...poolChoices, size: z.int().min(1), telemetry: Telemetry.optional() })
  .meta({ id: 'BrowserPoolConfig' });

export const BrowserPool = z
  .strictObject({
    id: Id,
    name: z.string().optional(),
    created_at: Timestamp,
    acquired_count: z.int().min(0),
    available_count: z.int().min(0),
    browser_pool_config: BrowserPoolConfig,
    extension_ids: z.array(z.string()),
    profile_id: Id.optional(),
  })
  .meta({ id: 'BrowserPool' });

export const CreateBrowserPool = z
  .strictObject({ ...poolChoices, size: wholeNumber(1, maxCap).meta({ description: 'Browsers of the pool, leased and idle together.' }) })
  .meta({ id: 'CreateBrowserPool' });

export const UpdateBrowserPool = z
  .strictObject({
    ...poolChoices,
    size: wholeNumber(1, maxCap).optional().meta({ description: 'Browsers of the pool, leased and idle together.' }),
    discard_all_idle: z.boolean().optional().meta({ description: 'Start idle browsers anew at once.' }),
  })
  .meta({ id: 'UpdateBrowserPool' });

export const AcquireFromPool = z
  .strictObject({
    acquire_timeout_seconds: wholeNumber(0, 600)
      .optional()
      .meta({ description: 'Longest wait for a free browser in seconds, default 60.' }),
    name: ResourceName.optional(),
    start_url: Url.optional().meta({ description: 'Cannot be opened at a lease: refused.' }),
    tags: Tags.optional(),
    telemetry: TelemetryRequest.nullable().optional().meta({ description: 'Not offered: only with everything switched off.' }),
  })
  .meta({ id: 'AcquireFromPool' });

export const ReleaseToPool = z
  .strictObject({
    session_id: z.string().meta({ description: 'The leased session.' }),
    reuse: z
      .boolean()
      .optional()
      .meta({
        description:
          'Give the same browser to the next, with one tab at its start page, and with the cookies and storage that you leave in it; default true. `false` starts a new one.',
      }),
  })
  .meta({ id: 'ReleaseToPool' });

export const DeleteBrowserPool = z
  .strictObject({ force: z.boolean().optional().meta({ description: 'End leased browsers too; default false.' }) })
  .meta({ id: 'DeleteBrowserPool' });

export const ListBrowserPoolsQuery = z.object({
  ...paging,
  name: z.string().optional().meta({ description: 'Exact name, in any case.' }),
  query: z.string().optional().meta({ description: 'Part of name or id, in any case.' }),
});

export type BrowserPool = z.infer<typeof BrowserPool>;
export type BrowserPoolConfig = z.infer<typeof BrowserPoolConfig>;
export type CreateBrowserPool = z.infer<typeof CreateBrowserPool>;
export type UpdateBrowserPool = z.infer<typeof UpdateBrowserPool>;
export type AcquireFromPool = z.infer<typeof AcquireFromPool>;
export type ReleaseToPool = z.infer<typeof ReleaseToPool>;
export type DeleteBrowserPool = z.infer<typeof DeleteBrowserPool>;
export type ListBrowserPoolsQuery = z.infer<typeof ListBrowserPoolsQuery>;
