import { Database, newId } from '@berth/database';
import { createOrganization, unscoped } from '@berth/database/unscoped';
import { newApiKeySecret } from '@berth/secrets';

export interface Tenant {
  readonly organizationId: string;
  readonly defaultProjectId: string;
  /** An org-wide key. */
  readonly key: string;
  readonly keyId: string;
}

export interface TenantChoices {
  readonly name?: string;
  readonly maxConcurrentSessions?: number;
  readonly projectsEnabled?: boolean;
  readonly externalId?: string;
}

/** An organization with its default project and an org-wide key. */
export async function createTenant(database: Database, choices: TenantChoices = {}): Promise<Tenant> {
  const key = newApiKeySecret();
  const created = await createOrganization(unscoped(database).prisma, {
    name: choices.name ?? `org-${newId()}`,
    maxConcurrentSessions: choices.maxConcurrentSessions ?? 100,
    ...(choices.projectsEnabled === undefined ? {} : { projectsEnabled: choices.projectsEnabled }),
    ...(choices.externalId === undefined ? {} : { externalId: choices.externalId }),
    firstKey: key,
  });
  return {
    organizationId: created.organizationId,
    defaultProjectId: created.defaultProjectId,
    key: key.secret,
    keyId: created.keyId as string,
  };
}
