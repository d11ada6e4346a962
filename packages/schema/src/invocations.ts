import { z } from 'zod';
import { BrowserSession } from './browsers.js';
import { boundedText } from './faults.js';
import { Id, paging, Timestamp } from './primitives.js';

export const InvocationStatus = z.enum(['queued', 'running', 'succeeded', 'failed']);

export const Invocation = z
  .strictObject({
    id: Id,
    app_name: z.string(),
    action_name: z.string(),
    version: z.string(),
    status: InvocationStatus,
    started_at: Timestamp,
    finished_at: Timestamp.optional(),
    payload: z.string().optional(),
    output: z.string().optional(),
    status_reason: z.string().optional(),
  })
  .meta({ id: 'Invocation' });

const label = (what: string) => boundedText(1, 255, z.string().trim()).meta({ description: `${what}, trimmed.` });

export const CreateInvocation = z
  .strictObject({
    app_name: label('Name of the app'),
    action_name: label('What of it runs'),
    version: label('Its version'),
    payload: boundedText(0, 65_536).optional().meta({ description: 'Text that goes with the record; JSON by custom.' }),
  })
  .meta({ id: 'CreateInvocation' });

export const UpdateInvocation = z
  .strictObject({
    status: z.enum(['succeeded', 'failed']).meta({ description: 'How the run ended.' }),
    output: boundedText(0, 65_536).optional().meta({ description: 'Text that stays with the record.' }),
  })
  .meta({ id: 'UpdateInvocation' });

const Since = z
  .union([z.iso.datetime({ offset: true }), z.string().regex(/^[0-9]{1,6}[smhd]$/)], {
    error: 'must be a time with its offset from UTC, such as 2026-01-31T12:00:00Z, or how long ago, such as 90s, 5m, 2h or 7d',
  })
  .meta({ description: 'Started at this moment or later: a time, or how long ago it was in seconds, minutes, hours or days (`5m`).' });

export const ListInvocationsQuery = z.object({
  ...paging,
  app_name: z.string().optional().meta({ description: 'Exact name of the app.' }),
  action_name: z.string().optional().meta({ description: 'Exact name of the action.' }),
  version: z.string().optional().meta({ description: 'Exact version.' }),
  status: InvocationStatus.optional().meta({ description: 'Nothing is ever queued here.' }),
  since: Since.optional(),
  query: z.string().optional().meta({ description: 'Part of either name, in any case.' }),
});

export const InvocationBrowsers = z.strictObject({ browsers: z.array(BrowserSession) }).meta({ id: 'InvocationBrowsers' });

export type Invocation = z.infer<typeof Invocation>;
export type CreateInvocation = z.infer<typeof CreateInvocation>;
export type UpdateInvocation = z.infer<typeof UpdateInvocation>;
export type ListInvocationsQuery = z.infer<typeof ListInvocationsQuery>;
export type InvocationBrowsers = z.infer<typeof InvocationBrowsers>;
