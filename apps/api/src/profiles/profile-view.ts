import type { ProfileRow } from '@berth/database';
import type { Profile } from '@berth/schema';

export type ShownProfile = Pick<ProfileRow, 'id' | 'name' | 'createdAt' | 'updatedAt' | 'lastUsedAt'>;

/** The record as it goes out; what does not apply is left out (D32). */
export function profileView({ id, name, createdAt, updatedAt, lastUsedAt }: ShownProfile): Profile {
  return {
    id,
    ...(name !== null && { name }),
    created_at: createdAt.toISOString(),
    ...(lastUsedAt !== null && { last_used_at: lastUsedAt.toISOString() }),
    updated_at: updatedAt.toISOString(),
  };
}
