import { z } from 'zod';
import { wholeNumber } from './faults.js';

/** The largest cap that can be set; above it a number is surely a mistake (D24). */
export const maxCap = 1_000_000;

/** A cap in a request: `0` and `null` clear it, absent leaves it unchanged (D24). */
const Cap = wholeNumber(0, maxCap).nullable().optional();

const usage = {
  concurrent_sessions_used: z.int().min(0).nullable().meta({ description: 'Live on-demand sessions plus pool reservations; null when usage cannot be read.' }),
  concurrent_sessions_available: z.int().min(0).nullable().meta({ description: 'What the next create will see, never below zero; null when usage cannot be read.' }),
};

export const OrganizationLimits = z
  .strictObject({
    max_concurrent_sessions: z.int().min(0).meta({ description: 'Effective organization limit, from the plan or an override. Read-only.' }),
    default_project_max_concurrent_sessions: z.int().min(1).nullable(),
    ...usage,
  })
  .meta({ id: 'OrganizationLimits' });

export const UpdateOrganizationLimits = z
  .strictObject({ default_project_max_concurrent_sessions: Cap })
  .meta({ id: 'UpdateOrganizationLimits' });

export const ProjectLimits = z
  .strictObject({
    max_concurrent_sessions: z.int().min(1).nullable(),
    max_concurrent_invocations: z.int().min(1).nullable(),
    ...usage,
  })
  .meta({ id: 'ProjectLimits' });

export const UpdateProjectLimits = z
  .strictObject({ max_concurrent_sessions: Cap, max_concurrent_invocations: Cap })
  .meta({ id: 'UpdateProjectLimits' });

export type OrganizationLimits = z.infer<typeof OrganizationLimits>;
export type UpdateOrganizationLimits = z.infer<typeof UpdateOrganizationLimits>;
export type ProjectLimits = z.infer<typeof ProjectLimits>;
export type UpdateProjectLimits = z.infer<typeof UpdateProjectLimits>;
