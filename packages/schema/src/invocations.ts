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

const Label = boundedText(1, 255, z.string().trim());

export const CreateInvocation = z
  .strictObject({ app_name: Label, action_name: Label, version: Label, payload: boundedText(0, 65_536).optional() })
  .meta({ id: 'CreateInvocation' });

export const UpdateInvocation = z
  .strictObject({ status: z.enum(['succeeded', 'failed']), output: boundedText(0, 65_536).optional() })
  .meta({ id: 'UpdateInvocation' });

export const ListInvocationsQuery = z.object({
  ...paging,
  app_name: z.string().optional(),
  action_name: z.string().optional(),
  version: z.string().optional(),
  status: InvocationStatus.optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  query: z.string().optional(),
});

export const InvocationBrowsers = z.strictObject({ browsers: z.array(BrowserSession) }).meta({ id: 'InvocationBrowsers' });

export type Invocation = z.infer<typeof Invocation>;
export type CreateInvocation = z.infer<typeof CreateInvocation>;
export type UpdateInvocation = z.infer<typeof UpdateInvocation>;
export type ListInvocationsQuery = z.infer<typeof ListInvocationsQuery>;
export type InvocationBrowsers = z.infer<typeof InvocationBrowsers>;
