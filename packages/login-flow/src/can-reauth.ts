import { type CanReauthReason, ChoiceType, FieldType } from '@berth/schema';
import { z } from 'zod';

/** What the last successful login asked for; kept in `auth_connections.requirements`. No values. */
export const Requirements = z.object({
  /** Fields sent to the website, in order of first appearance. */
  fields: z.array(z.object({ type: FieldType, ref: z.string(), channel: z.enum(['sms', 'email', 'call', 'unknown']).optional() })),
  /** Choices a person made, so that a REAUTH can make them again. Labels only of kinds that are no identifiers. */
  picks: z.array(z.object({ type: ChoiceType, key: z.string() })),
  /** The person had to act outside of the browser. */
  external: z.boolean(),
});
export type Requirements = z.infer<typeof Requirements>;

export interface StoredCredential {
  readonly valueKeys: readonly string[];
  readonly hasTotpSecret: boolean;
}

export interface ReauthFacts {
  readonly lastAuthAt: Date | null;
  readonly credential: StoredCredential | null;
  readonly requirements: Requirements | null;
}

export interface CanReauth {
  readonly can: boolean;
  readonly reason: CanReauthReason;
}

const no = (reason: CanReauthReason): CanReauth => ({ can: false, reason });
const yes = (reason: CanReauthReason): CanReauth => ({ can: true, reason });

/** Names under which people store the value of a field, besides its `ref`. */
export const credentialAliases: Readonly<Record<string, readonly string[]>> = {
  username: ['username', 'email', 'identifier', 'login', 'user', 'phone', 'phone_number', 'user_id', 'userid', 'account'],
  password: ['password', 'pass', 'passphrase'],
};

/** The credential's key for a field's `ref`: the ref itself, else the first alias that is there. Case is ignored. */
export function credentialKeyFor(ref: string, keys: readonly string[]): string | undefined {
  const base = ref.replace(/_\d+$/, '');
  const wanted = [ref, ...(credentialAliases[base] ?? [])];
  return wanted.flatMap((name) => keys.find((key) => key.toLowerCase() === name) ?? [])[0];
}

/** Whether a REAUTH flow could log this connection in without a person, and why. Pure; the reasons are the published client's. */
export function canReauth({ lastAuthAt, credential, requirements }: ReauthFacts): CanReauth {
  if (lastAuthAt === null) return no('no_prior_successful_login');
  if (credential === null) return no('no_credential');
  if (requirements === null) return yes('no_requirements_recorded');
  if (requirements.external) return no('requires_external_action');
  for (const { type, ref, channel } of requirements.fields) {
    if (type === 'totp_code' && !credential.hasTotpSecret) return no('requires_totp_without_secret');
    if (type === 'code') return no(channel === 'email' ? 'requires_email_code' : 'requires_sms_code');
    if (type === 'totp_secret') return no('no_viable_plans');
    if (type !== 'totp_code' && credentialKeyFor(ref, credential.valueKeys) === undefined) return no('no_viable_plans');
  }
  return yes('requirements_satisfiable');
}
