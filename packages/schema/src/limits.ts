import { z } from 'zod';
import { wholeNumber } from './faults.js';

/** The largest cap that can be set; above it a number is surely a mistake (D24). */
export const maxCap = 1_000_000;

/** A cap in a request: `0` and `null` clear it, absent leaves it unchanged (D24). */
const cap = (what: string) =>
  wholeNumber(0, maxCap)
    .nullable()
    .optional()
    .meta({ description: `${what}; \`0\` or null clears it, absent leaves it.` });

const usage = {
  concurrent_sessions_used: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Live on-demand sessions plus pool reservations; null when usage cannot be read.' }),
  concurrent_sessions_available: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'What the next create will see, never below zero; null when usage cannot be read.' }),
};

export const OrganizationLimits = z
  .strictObject({
    max_concurrent_sessions: z.int().min(0).meta({ description: 'Effective organization limit, from the plan or an override. Read-only.' }),
    default_project_max_concurrent_sessions: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Cap of every project without its own; null: none.' }),
    ...usage,
  })
  .meta({ id: 'OrganizationLimits' });

export const UpdateOrganizationLimits = z
  .strictObject({
    default_project_max_concurrent_sessions: cap(
      'Browsers at once in each project that has no cap of its own, at most the limit of the organization',
    ),
  })
  .meta({ id: 'UpdateOrganizationLimits' });

export const ProjectLimits = z
  .strictObject({
    max_concurrent_sessions: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Cap of the project as it was set, which may be above the limit of the organization; null: none of its own.' }),
    max_concurrent_invocations: z.int().min(1).nullable().meta({ description: 'Running invocations at once; null: no cap.' }),
    ...usage,
  })
  .meta({ id: 'ProjectLimits' });

export const UpdateProjectLimits = z
  .strictObject({
    max_concurrent_sessions: cap('Browsers at once in the project'),
    max_concurrent_invocations: cap('Running invocations at once in the project'),
  })
  .meta({ id: 'UpdateProjectLimits' });

export type OrganizationLimits = z.infer<typeof OrganizationLimits>;
export type UpdateOrganizationLimits = z.infer<typeof UpdateOrganizationLimits>;
export type ProjectLimits = z.infer<typeof ProjectLimits>;
export type UpdateProjectLimits = z.infer<typeof UpdateProjectLimits>;
