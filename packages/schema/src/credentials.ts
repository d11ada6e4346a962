import { z } from 'zod';
import { boundedText } from './faults.js';
import { Id, paging, ResourceName, Timestamp } from './primitives.js';

/** A stored credential; its values are write-only, so only their keys are shown (D37). */
export const Credential = z
  .strictObject({
    id: Id,
    name: z.string(),
    domain: z.string(),
    sso_provider: z.string().optional(),
    has_totp_secret: z.boolean(),
    has_values: z.boolean(),
    value_keys: z.array(z.string()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Credential' });

const Values = z
  .record(boundedText(1, 128), boundedText(1, 4096))
  .refine((values) => Object.keys(values).length <= 50, 'must have at most 50 pairs')
  .meta({ description: 'What to type, by the `ref` of the field; at most 50.' });
const Domain = boundedText(1, 255, z.string().trim()).meta({ description: 'Host name of the website.' });
const SsoProvider = boundedText(1, 64).meta({ description: 'Identity provider whose button leads in.' });
const TotpSecret = z
  .string()
  .transform((secret) => secret.replace(/[\s-]/g, '').toUpperCase())
  .refine((secret) => /^[A-Z2-7]{16,256}=*$/.test(secret), 'must be a base32 TOTP secret')
  .meta({ type: 'string', description: 'Seed of an authenticator app, in base32.' });

export const CreateCredential = z
  .strictObject({
    name: ResourceName,
    domain: Domain,
    values: Values,
    sso_provider: SsoProvider.optional(),
    totp_secret: TotpSecret.optional(),
  })
  .meta({ id: 'CreateCredential' });

export const UpdateCredential = z
  .strictObject({
    name: ResourceName.optional(),
    values: Values.optional(),
    remove_value_keys: z.array(boundedText(1, 128)).max(50).optional().meta({ description: 'Removed before `values` are added.' }),
    sso_provider: SsoProvider.nullable().optional().meta({ description: 'null takes it away.' }),
    totp_secret: z
      .union([TotpSecret, z.literal('')], 'must be a base32 TOTP secret, or "" to remove it')
      .optional()
      .meta({ description: 'An empty string removes it.' }),
  })
  .meta({ id: 'UpdateCredential' });

export const TotpCode = z.strictObject({ code: z.string(), expires_at: Timestamp }).meta({ id: 'TotpCode' });

export const ListCredentialsQuery = z.object({
  ...paging,
  domain: z.string().optional().meta({ description: 'Exact domain, in any case.' }),
  query: z.string().optional().meta({ description: 'Part of name or domain, in any case, or the whole id.' }),
});

export type Credential = z.infer<typeof Credential>;
export type CreateCredential = z.infer<typeof CreateCredential>;
export type UpdateCredential = z.infer<typeof UpdateCredential>;
export type ListCredentialsQuery = z.infer<typeof ListCredentialsQuery>;
export type TotpCode = z.infer<typeof TotpCode>;
