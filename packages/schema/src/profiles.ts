import { z } from 'zod';
import { Id, paging, ResourceName, Timestamp } from './primitives.js';

export const Profile = z
  .strictObject({ id: Id, name: z.string().optional(), created_at: Timestamp, last_used_at: Timestamp.optional(), updated_at: Timestamp })
  .meta({ id: 'Profile' });

export const CreateProfile = z.strictObject({ name: ResourceName.optional() }).meta({ id: 'CreateProfile' });
export const UpdateProfile = z.strictObject({ name: ResourceName }).meta({ id: 'UpdateProfile' });
export const ListProfilesQuery = z.object({
  ...paging,
  name: z.string().optional().meta({ description: 'Exact name, in any case.' }),
  query: z.string().optional().meta({ description: 'Part of the name, in any case, or the whole id.' }),
});

export type Profile = z.infer<typeof Profile>;
export type CreateProfile = z.infer<typeof CreateProfile>;
export type UpdateProfile = z.infer<typeof UpdateProfile>;
export type ListProfilesQuery = z.infer<typeof ListProfilesQuery>;
