import type { CredentialRow } from '@berth/database';
import type { Credential } from '@berth/schema';

export type ShownCredential = Pick<CredentialRow, 'id' | 'name' | 'domain' | 'ssoProvider' | 'valueKeys' | 'createdAt' | 'updatedAt'> & {
  readonly hasTotpSecret: boolean;
};

/** The record as it goes out: of its values only the keys (D37, D45). */
export function credentialView({
  id,
  name,
  domain,
  ssoProvider,
  valueKeys,
  hasTotpSecret,
  createdAt,
  updatedAt,
}: ShownCredential): Credential {
  return {
    id,
    name,
    domain,
    ...(ssoProvider !== null && { sso_provider: ssoProvider }),
    has_totp_secret: hasTotpSecret,
    has_values: valueKeys.length > 0,
    value_keys: valueKeys,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export const shownCredential = (row: CredentialRow): ShownCredential => ({ ...row, hasTotpSecret: row.sealedTotpSecret !== null });
