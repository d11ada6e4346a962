import type { UnscopedAccess } from '@berth/database/unscoped';
import type { Sealer } from '@berth/secrets';
import { openProfile, sealProfile } from './document.js';
import { mergeProfiles } from './merge.js';
import type { ProfileReading } from './reading.js';

type Transaction = Pick<UnscopedAccess['prisma'], '$queryRaw' | 'profile' | 'profileState'>;

/**
 * Merges what a browser changed into what is stored now. Browsers that share the profile wait here for each other; one that was deleted
 * meanwhile stays empty.
 * @throws {ProfileTooLarge} and then nothing is changed.
 */
export async function keepChanges(
  transaction: Transaction,
  sealer: Sealer,
  profileId: string,
  { captured, loaded }: ProfileReading,
): Promise<void> {
  const kept = await transaction.$queryRaw<unknown[]>`SELECT 1 FROM profiles WHERE id = ${profileId} AND deleted_at IS NULL FOR UPDATE`;
  if (kept.length === 0) return;
  const stored = await transaction.profileState.findUnique({ where: { profileId } });
  const sealed = sealProfile(sealer, mergeProfiles(stored === null ? null : openProfile(sealer, stored.sealed), captured, loaded));
  const savedAt = new Date();
  await transaction.profileState.upsert({ where: { profileId }, create: { profileId, sealed, savedAt }, update: { sealed, savedAt } });
  await transaction.profile.update({ where: { id: profileId }, data: { updatedAt: savedAt } });
}
