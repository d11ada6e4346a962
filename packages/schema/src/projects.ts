import { z } from 'zod';
import { Id, paging, ProjectName, Timestamp } from './primitives.js';

export const ProjectStatus = z.enum(['active', 'archived']);

export const Project = z
  .strictObject({ id: Id, name: z.string(), status: ProjectStatus, created_at: Timestamp, updated_at: Timestamp })
  .meta({ id: 'Project' });

export const CreateProject = z.strictObject({ name: ProjectName }).meta({ id: 'CreateProject' });

export const UpdateProject = z
  .strictObject({
    name: ProjectName.optional(),
    status: ProjectStatus.optional().meta({ description: '`archived` refuses new work in the project, `active` takes it again.' }),
  })
  .meta({ id: 'UpdateProject' });

export const ListProjectsQuery = z.object({
  ...paging,
  name: z.string().optional().meta({ description: 'Exact name, case-insensitive.' }),
  query: z.string().optional().meta({ description: 'Part of the name, case-insensitive; `%` and `_` are literal.' }),
});

export type Project = z.infer<typeof Project>;
export type ProjectStatus = z.infer<typeof ProjectStatus>;
export type CreateProject = z.infer<typeof CreateProject>;
export type UpdateProject = z.infer<typeof UpdateProject>;
export type ListProjectsQuery = z.infer<typeof ListProjectsQuery>;
