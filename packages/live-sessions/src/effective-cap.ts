export type PlanLimits = Readonly<Record<string, number>>;

export interface StoredOrganizationCaps {
  readonly plan: string;
  /** Overrides the plan; null: the plan's. */
  readonly organizationOverride: number | null;
  readonly projectDefault: number | null;
}

/**
 * How many browsers an organization may run at once: its override, else what its plan says (D23). A plan that is configured no more counts
 * as the smallest.
 */
export function organizationLimit(
  plans: PlanLimits,
  { plan, organizationOverride }: Pick<StoredOrganizationCaps, 'plan' | 'organizationOverride'>,
): number {
  return organizationOverride ?? plans[plan] ?? Math.min(...Object.values(plans));
}

/**
 * The cap that a project really has: its own, else the organization's default, never above the organization's limit; null when only that
 * limit applies (Limits 2, 3; D24).
 */
export function effectiveCap(own: number | null, projectDefault: number | null, limit: number): number | null {
  const asked = own ?? projectDefault;
  return asked === null ? null : Math.min(asked, limit);
}

/** What the next create will see (D25), never below zero. `project` is left out for the organization's own figure (Limits 5). */
export function available(
  organization: { readonly limit: number; readonly used: number },
  project?: { readonly cap: number | null; readonly used: number },
): number {
  const left = organization.limit - organization.used;
  const inProject = project === undefined || project.cap === null ? left : project.cap - project.used;
  return Math.max(0, Math.min(left, inProject));
}
