declare const brand: unique symbol;

/** Proof that a request (or a sweep) was resolved to one organization. Made only where credentials are checked. */
export interface OrganizationScope {
  readonly organizationId: string;
  readonly [brand]: 'organization';
}

/** Proof that a request (or a sweep) was resolved to one project of one organization. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
  readonly [brand]: 'project';
}

/** Only rooms that may import `@berth/database/unscoped` can make a scope; everyone else is handed one. */
export function organizationScope(organizationId: string): OrganizationScope {
  return { organizationId } as OrganizationScope;
}

export function projectScope(organizationId: string, projectId: string): ProjectScope {
  return { organizationId, projectId } as ProjectScope;
}
