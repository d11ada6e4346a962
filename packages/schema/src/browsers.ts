import { z } from 'zod';
import { boundedText, wholeNumber } from './faults.js';
import { Id, paging, queryBoolean, ResourceName, Timestamp, Url } from './primitives.js';
import { Telemetry, TelemetryRequest } from './telemetry.js';

export const Tags = z
  .record(boundedText(1, 128), boundedText(0, 256))
  .refine((tags) => Object.keys(tags).length <= 50, 'must have at most 50 pairs')
  .meta({ description: 'At most 50 pairs; keys of 1–128 characters, values of 0–256.' });

export const Viewport = z.strictObject({
  width: wholeNumber(100, 7680).meta({ description: 'CSS pixels.' }),
  height: wholeNumber(100, 4320).meta({ description: 'CSS pixels.' }),
  refresh_rate: wholeNumber(1, 240).optional().meta({ description: 'Frames a second.' }),
});

const NamedReference = z.strictObject({ id: z.string(), name: z.string() });

const Network = z.strictObject({
  allowed_hosts: z.array(z.string()).optional(),
  private_hosts: z.array(z.string()).optional(),
  proxy_routes: z
    .array(
      z.strictObject({ hosts: z.array(z.string()), proxy: z.strictObject({ id: z.string().optional(), name: z.string().optional() }) }),
    )
    .optional(),
});

/** A browser session (service.md "Browser session"); optional fields that do not apply are omitted, never null (D32). */
export const BrowserSession = z
  .strictObject({
    session_id: Id,
    created_at: Timestamp,
    deleted_at: Timestamp.optional(),
    name: z.string().optional(),
    region: z.string().optional(),
    headless: z.boolean(),
    stealth: z.boolean(),
    gpu: z.boolean().optional(),
    kiosk_mode: z.boolean().optional(),
    memory: z.string().optional(),
    video_memory: z.string().optional(),
    timeout_seconds: z.int().min(1),
    start_url: z.string().optional(),
    cdp_ws_url: z.string(),
    webdriver_ws_url: z.string(),
    browser_live_view_url: z.string().optional(),
    base_url: z.string().optional(),
    chrome_policy: z.record(z.string(), z.unknown()).optional(),
    tags: z.record(z.string(), z.string()).optional(),
    proxy_id: z.string().optional(),
    proxy: z.strictObject({ mode: z.string().optional(), id: z.string().optional(), name: z.string().optional() }).optional(),
    profile: z
      .strictObject({
        id: Id,
        name: z.string().optional(),
        created_at: Timestamp,
        last_used_at: Timestamp.optional(),
        updated_at: Timestamp.optional(),
      })
      .optional(),
    profile_save_changes: z.boolean().optional(),
    pool: z.strictObject({ id: Id, name: z.string().optional() }).optional(),
    vaults: z.array(NamedReference).optional(),
    viewport: Viewport.optional(),
    usage: z.strictObject({ uptime_ms: z.int().min(0) }).optional(),
    usage_status: z.string().optional(),
    network: Network.optional(),
    telemetry: Telemetry.optional(),
  })
  .meta({ id: 'BrowserSession' });

export const ProfileReference = z
  .strictObject({
    id: z.string().optional().meta({ description: 'Either this or `name`.' }),
    name: z.string().optional().meta({ description: 'Either this or `id`.' }),
    save_changes: z
      .boolean()
      .optional()
      .meta({ description: 'Keep in the profile, when the browser ends, what it has gathered; default false.' }),
  })
  .refine((profile) => (profile.id === undefined) !== (profile.name === undefined), 'needs exactly one of id and name');

/** What a caller can choose about a session, shared by POST /browsers and pools (D30). */
export const sessionChoices = {
  headless: z.boolean().optional().meta({ description: 'Without a window; default: what the browser hosts can do.' }),
  stealth: z.boolean().optional().meta({ description: 'Not offered: only `false`.' }),
  kiosk_mode: z.boolean().optional().meta({ description: 'Full screen, without tabs and address bar; needs a window.' }),
  timeout_seconds: wholeNumber(10, 259_200)
    .optional()
    .meta({ description: 'Seconds without a client after which the browser is ended; default 60.' }),
  start_url: Url.optional().meta({ description: 'The page that is open when the browser is handed out.' }),
  viewport: Viewport.optional().meta({ description: 'Size of the page.' }),
  profile: ProfileReference.optional().meta({ description: 'Start with what this profile remembers.' }),
  chrome_policy: z.record(z.string(), z.unknown()).optional().meta({ description: 'Not offered: only an empty object.' }),
  proxy_id: z.string().optional().meta({ description: 'Not offered.' }),
  telemetry: TelemetryRequest.nullable().optional().meta({ description: 'Not offered: only with everything switched off.' }),
};

/** Named by clients of this interface; there are none to name. */
export const Extensions = z
  .array(z.strictObject({ id: z.string().optional(), name: z.string().optional() }))
  .optional()
  .meta({ description: 'Not offered: only an empty list.' });

export const CreateBrowser = z
  .strictObject({
    ...sessionChoices,
    name: ResourceName.optional(),
    gpu: z.boolean().optional().meta({ description: 'Not offered: only `false`.' }),
    tags: Tags.optional(),
    invocation_id: z.string().optional().meta({ description: 'A running invocation of the project that the browser belongs to.' }),
    network: Network.optional().meta({ description: 'Not offered: only an empty object.' }),
    region: z.string().optional().meta({ description: 'Not offered.' }),
    extensions: Extensions,
  })
  .meta({ id: 'CreateBrowser' });

export const UpdateBrowser = z
  .strictObject({
    name: ResourceName.nullable().optional().meta({ description: 'null takes the name away.' }),
    tags: Tags.nullable().optional().meta({ description: 'All tags from now on; null or an empty object: none.' }),
    viewport: Viewport.extend({ force: z.boolean().optional() })
      .optional()
      .meta({ description: 'Cannot change while the browser runs: refused.' }),
    profile: ProfileReference.optional().meta({ description: 'Cannot be loaded into a browser that runs: refused.' }),
    proxy_id: z.string().nullable().optional().meta({ description: 'Not offered: only null.' }),
    disable_default_proxy: z.boolean().optional().meta({ description: 'Changes nothing: there is no default proxy.' }),
    telemetry: TelemetryRequest.nullable().optional().meta({ description: 'Not offered: only with everything switched off.' }),
  })
  .meta({ id: 'UpdateBrowser' });

export const ListBrowsersQuery = z.object({
  ...paging,
  status: z.enum(['active', 'deleted', 'all']).optional().meta({ description: 'Which sessions; default active.' }),
  include_deleted: queryBoolean.optional().meta({ description: 'Ended sessions too; `status` goes before it.' }),
  query: z.string().optional().meta({ description: 'Part of the name, of an id, or of the name of its pool, in any case.' }),
  tags: Tags.optional().meta({ description: 'Written as `tags[key]=value`; all given pairs must match.' }),
});

export const GetBrowserQuery = z.object({ include_deleted: queryBoolean.optional().meta({ description: 'Find an ended session too.' }) });

export type BrowserSession = z.infer<typeof BrowserSession>;
export type CreateBrowser = z.infer<typeof CreateBrowser>;
export type UpdateBrowser = z.infer<typeof UpdateBrowser>;
export type ListBrowsersQuery = z.infer<typeof ListBrowsersQuery>;
export type ProfileReference = z.infer<typeof ProfileReference>;
export type Viewport = z.infer<typeof Viewport>;
