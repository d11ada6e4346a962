import type { ProjectRow } from '@berth/database';
import type { Project } from '@berth/schema';

export type ShownProject = Pick<ProjectRow, 'id' | 'name' | 'status' | 'createdAt' | 'updatedAt'>;

/** The record as it goes out (D14). */
export function projectView({ id, name, status, createdAt, updatedAt }: ShownProject): Project {
  return { id, name, status, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
