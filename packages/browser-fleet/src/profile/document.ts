import type { Sealer } from '@berth/secrets';
import { z } from 'zod';

export const ProfileCookie = z.object({
  name: z.string(),
  value: z.string(),
  /** With a leading dot for a cookie that subdomains see too. */
  domain: z.string(),
  path: z.string(),
  /** Seconds since 1970; absent for a session cookie, which a profile keeps too (D44). */
  expires: z.number().optional(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  priority: z.enum(['Low', 'Medium', 'High']).optional(),
  sourceScheme: z.enum(['Unset', 'NonSecure', 'Secure']).optional(),
  sourcePort: z.int().optional(),
  partitionKey: z.object({ topLevelSite: z.string(), hasCrossSiteAncestor: z.boolean() }).optional(),
});
export type ProfileCookie = z.infer<typeof ProfileCookie>;

const IndexedDatabase = z.object({
  name: z.string(),
  version: z.int().min(1),
  stores: z.array(
    z.object({
      name: z.string(),
      keyPath: z.union([z.string(), z.array(z.string())]).nullable(),
      autoIncrement: z.boolean(),
      indexes: z.array(
        z.object({ name: z.string(), keyPath: z.union([z.string(), z.array(z.string())]), unique: z.boolean(), multiEntry: z.boolean() }),
      ),
      /** Key and value, in the encoding of the page script that read them. */
      records: z.array(z.tuple([z.unknown(), z.unknown()])),
    }),
  ),
});

export const ProfileOrigin = z.object({
  /** `https://example.com`, with the port where it is not the scheme's own. */
  origin: z.string(),
  localStorage: z.array(z.tuple([z.string(), z.string()])),
  indexedDB: z.array(IndexedDatabase),
});
export type ProfileOrigin = z.infer<typeof ProfileOrigin>;

/** What a browser's default context remembers of websites: the part of a profile that logs it in (D44). */
export const ProfileDocument = z.object({ version: z.literal(1), cookies: z.array(ProfileCookie), origins: z.array(ProfileOrigin) });
export type ProfileDocument = z.infer<typeof ProfileDocument>;

/** Purpose under which `profile_states.sealed` is sealed. */
export const profilePurpose = 'profile';

/** Most bytes of a document before sealing: 32 MiB. */
export const maxProfileBytes = 32 * 1024 * 1024;

/** The document is larger than `maxProfileBytes`; the stored one stays. */
export class ProfileTooLarge extends Error {
  override readonly name = 'ProfileTooLarge';
  constructor(readonly bytes: number) {
    super(`the profile takes ${bytes} bytes, more than the ${maxProfileBytes} that are kept`);
  }
}

/** @throws {ProfileTooLarge} */
export function sealProfile(sealer: Sealer, document: ProfileDocument): Buffer<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify(document));
  if (text.length > maxProfileBytes) throw new ProfileTooLarge(text.length);
  return sealer.seal(profilePurpose, text);
}

/** @throws when it was sealed for something else, or is no profile of a known version. */
export function openProfile(sealer: Sealer, sealed: Uint8Array): ProfileDocument {
  return ProfileDocument.parse(sealer.openJson(profilePurpose, sealed));
}
