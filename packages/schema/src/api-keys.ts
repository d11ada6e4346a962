import { z } from 'zod';
import { wholeNumber } from './faults.js';
import { DisplayName, Id, paging, queryBoolean, Timestamp } from './primitives.js';

const record = {
  id: Id,
  name: z.string(),
  masked_key: z.string(),
  project_id: Id.nullable(),
  project_name: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  deleted_at: Timestamp.nullable(),
  created_by: z.strictObject({ id: z.string(), email: z.string(), name: z.string().nullable() }),
};

export const ApiKey = z.strictObject(record).meta({ id: 'ApiKey' });

/** The only two answers that carry the secret itself: create and rotate (D10). */
export const CreatedApiKey = z
  .strictObject({ ...record, key: z.string().meta({ description: 'The secret, shown in this answer alone.' }) })
  .meta({ id: 'CreatedApiKey' });

const daysToExpire = (otherwise: string) =>
  wholeNumber(1, 3650)
    .nullable()
    .optional()
    .meta({ description: `Days until the key ends; null: never; absent: ${otherwise}.` });

export const CreateApiKey = z
  .strictObject({
    name: DisplayName,
    project_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The active project that the key is limited to; absent or null: org-wide.' }),
    days_to_expire: daysToExpire('never'),
  })
  .meta({ id: 'CreateApiKey' });

export const UpdateApiKey = z.strictObject({ name: DisplayName }).meta({ id: 'UpdateApiKey' });

export const RotateApiKey = z
  .strictObject({
    days_to_expire: daysToExpire('as long as it was made for'),
    expire_in_days: wholeNumber(0, 3650)
      .nullable()
      .optional()
      .meta({ description: 'Days the old secret stays valid; 0 ends it at once; default 7.' }),
  })
  .meta({ id: 'RotateApiKey' });

export const ListApiKeysQuery = z.object({
  ...paging,
  name: z.string().optional().meta({ description: 'Exact name, in any case.' }),
  query: z.string().optional().meta({ description: 'Part of the name, in any case.' }),
  include_deleted: queryBoolean.optional().meta({ description: 'Deleted keys too; `status` goes before it.' }),
  status: z.enum(['active', 'deleted', 'all']).optional().meta({ description: 'Which keys; default active, expired ones among them.' }),
  sort_by: z.enum(['created_at', 'name', 'expires_at']).optional().meta({ description: 'Default created_at.' }),
  sort_direction: z.enum(['asc', 'desc']).optional().meta({ description: 'Default asc.' }),
});

export const GetApiKeyQuery = z.object({ include_deleted: queryBoolean.optional().meta({ description: 'Find a deleted key too.' }) });

export type ApiKey = z.infer<typeof ApiKey>;
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
export type CreateApiKey = z.infer<typeof CreateApiKey>;
export type UpdateApiKey = z.infer<typeof UpdateApiKey>;
export type RotateApiKey = z.infer<typeof RotateApiKey>;
export type ListApiKeysQuery = z.infer<typeof ListApiKeysQuery>;
export type GetApiKeyQuery = z.infer<typeof GetApiKeyQuery>;
