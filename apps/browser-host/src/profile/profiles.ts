import { mergeProfiles, openProfile, type ProfileDocument, sealProfile } from '@berth/browser-fleet';
import type { UnscopedAccess } from '@berth/database/unscoped';
import type { Sealer } from '@berth/secrets';

/** Stored profile states, as a host reads and writes them. They are opened here and nowhere at rest. */
export class Profiles {
  constructor(
    private readonly access: UnscopedAccess,
    private readonly sealer: Sealer,
  ) {}

  /** The stored state, and the note that it was used; null for a profile that was never saved. */
  async load(profileId: string): Promise<ProfileDocument | null> {
    const { rows } = await this.access.pool.query<{ sealed: Uint8Array | null }>({
      name: 'profile-load',
      text: `WITH used AS (UPDATE profiles SET last_used_at = now() WHERE id = $1) SELECT sealed FROM profile_states WHERE profile_id = $1`,
      values: [profileId],
    });
    const sealed = rows[0]?.sealed;
    return sealed == null ? null : openProfile(this.sealer, sealed);
  }

  /**
   * Merges what the browser changed into what is stored now. Browsers that share the profile wait here for each other.
   * @throws {ProfileTooLarge} and then nothing is changed.
   */
  async save(profileId: string, captured: ProfileDocument, loaded: ProfileDocument | null): Promise<void> {
    await this.access.prisma.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT 1 FROM profiles WHERE id = ${profileId} FOR UPDATE`;
        const stored = await transaction.profileState.findUnique({ where: { profileId } });
        const merged = mergeProfiles(stored === null ? null : openProfile(this.sealer, stored.sealed), captured, loaded);
        const sealed = sealProfile(this.sealer, merged);
        const savedAt = new Date();
        await transaction.profileState.upsert({
          where: { profileId },
          create: { profileId, sealed, savedAt },
          update: { sealed, savedAt },
        });
        await transaction.profile.update({ where: { id: profileId }, data: { updatedAt: savedAt } });
      },
      { timeout: 15_000 },
    );
  }
}
