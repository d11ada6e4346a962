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
export const CreatedApiKey = z.strictObject({ ...record, key: z.string() }).meta({ id: 'CreatedApiKey' });

const daysToExpire = wholeNumber(1, 3650).nullable().optional();

export const CreateApiKey = z
  .strictObject({ name: DisplayName, project_id: z.string().nullable().optional(), days_to_expire: daysToExpire })
  .meta({ id: 'CreateApiKey' });

export const UpdateApiKey = z.strictObject({ name: DisplayName }).meta({ id: 'UpdateApiKey' });

export const RotateApiKey = z
  .strictObject({
    days_to_expire: daysToExpire,
    expire_in_days: wholeNumber(0, 3650).nullable().optional().meta({ description: 'Days the old secret stays valid; 0 ends it at once; default 7.' }),
  })
  .meta({ id: 'RotateApiKey' });

export const ListApiKeysQuery = z.object({
  ...paging,
  name: z.string().optional(),
  query: z.string().optional(),
  include_deleted: queryBoolean.optional(),
  status: z.enum(['active', 'deleted', 'all']).optional(),
  sort_by: z.enum(['created_at', 'name', 'expires_at']).optional(),
  sort_direction: z.enum(['asc', 'desc']).optional(),
});

export const GetApiKeyQuery = z.object({ include_deleted: queryBoolean.optional() });

export type ApiKey = z.infer<typeof ApiKey>;
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
export type CreateApiKey = z.infer<typeof CreateApiKey>;
export type UpdateApiKey = z.infer<typeof UpdateApiKey>;
export type RotateApiKey = z.infer<typeof RotateApiKey>;
export type ListApiKeysQuery = z.infer<typeof ListApiKeysQuery>;
export type GetApiKeyQuery = z.infer<typeof GetApiKeyQuery>;
