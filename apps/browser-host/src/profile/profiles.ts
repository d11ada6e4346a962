import { keepChanges, openProfile, type ProfileDocument, type ProfileReading } from '@berth/browser-fleet';
import { onDiskLater } from '@berth/database';
import type { UnscopedAccess } from '@berth/database/unscoped';
import type { Sealer } from '@berth/secrets';
import { type ProfileSavers, type Saver, saversOf } from './savers.js';

interface Loaded {
  readonly sealed: Uint8Array | null;
  readonly savers: readonly Saver[];
}

// One statement, so one view of both: a browser that has ended in it has saved in it.
const loaded = {
  name: 'profile-load',
  text: `WITH used AS (UPDATE profiles SET last_used_at = now() WHERE id = $1 RETURNING ${onDiskLater})
         SELECT (SELECT sealed FROM profile_states WHERE profile_id = $1) AS sealed, (SELECT coalesce(json_agg(s), '[]') FROM (${saversOf('$2')}) s) AS savers`,
};

/** Stored profile states, as a host reads and writes them. They are opened here and nowhere at rest. */
export class Profiles {
  constructor(
    private readonly access: UnscopedAccess,
    private readonly sealer: Sealer,
    private readonly savers: ProfileSavers,
  ) {}

  /**
   * The state that a launch starts with: as it is when those who are about to save to it have; null for a profile that was never saved. Notes
   * that the profile is used.
   */
  async load(profileId: string, launchId: string): Promise<ProfileDocument | null> {
    const read = async (): Promise<Loaded> =>
      (await this.access.pool.query<Loaded>({ ...loaded, values: [profileId, launchId] })).rows[0] as Loaded;
    const first = await read();
    const { sealed } = (await this.savers.untilSaved(launchId, first.savers)) ? await read() : first;
    return sealed === null ? null : openProfile(this.sealer, sealed);
  }

  /** Merges what the browser changed into what is stored now (D44). @throws {ProfileTooLarge} and then nothing is changed. */
  async save(profileId: string, reading: ProfileReading): Promise<void> {
    await this.access.prisma.$transaction((transaction) => keepChanges(transaction, this.sealer, profileId, reading), { timeout: 15_000 });
  }
}
