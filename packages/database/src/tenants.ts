import type { PrismaClient } from './generated/prisma/client.js';
import { newId } from './ids.js';

export interface NewOrganization {
  readonly name: string;
  readonly plan?: string;
  readonly externalId?: string;
  readonly projectsEnabled?: boolean;
  /** Overrides the plan's cap; null does not. */
  readonly maxConcurrentSessions?: number | null;
  /** A first org-wide key: how it is shown and the hash of its secret. */
  readonly firstKey?: { readonly masked: string; readonly hash: Uint8Array };
}

export interface CreatedOrganization {
  readonly organizationId: string;
  readonly defaultProjectId: string;
  readonly keyId: string | undefined;
}

/**
 * An organization with its project `Default` and, when given, a first org-wide key, in one transaction (D13). Rejects when the name is
 * taken.
 */
export async function createOrganization(prisma: PrismaClient, given: NewOrganization): Promise<CreatedOrganization> {
  const organizationId = newId();
  const defaultProjectId = newId();
  const keyId = given.firstKey === undefined ? undefined : newId();
  await prisma.$transaction(async (transaction) => {
    await transaction.organization.create({
      data: {
        id: organizationId,
        name: given.name,
        plan: given.plan ?? 'developer',
        externalId: given.externalId ?? null,
        projectsEnabled: given.projectsEnabled ?? true,
        maxConcurrentSessions: given.maxConcurrentSessions ?? null,
        defaultProjectId,
      },
    });
    await transaction.project.create({ data: { id: defaultProjectId, organizationId, name: 'Default', nameFolded: 'default' } });
    if (given.firstKey !== undefined && keyId !== undefined) {
      await transaction.apiKey.create({
        data: {
          id: keyId,
          organizationId,
          name: 'bootstrap',
          nameFolded: 'bootstrap',
          maskedKey: given.firstKey.masked,
          createdById: 'cli',
          createdByName: null,
          createdByEmail: `cli@${given.name}`,
          secrets: { create: { hash: new Uint8Array(given.firstKey.hash) } },
        },
      });
    }
  });
  return { organizationId, defaultProjectId, keyId };
}
