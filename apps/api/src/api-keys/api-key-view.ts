import type { ApiKey } from '@berth/schema';

/** A key's row with the name of the project it is bound to. */
export interface ShownApiKey {
  readonly id: string;
  readonly name: string;
  readonly maskedKey: string;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly deletedAt: Date | null;
  readonly createdById: string;
  readonly createdByName: string | null;
  readonly createdByEmail: string;
}

/** The record as it goes out: never the secret, which nobody stores (D10). */
export function apiKeyView(row: ShownApiKey): ApiKey {
  return {
    id: row.id,
    name: row.name,
    masked_key: row.maskedKey,
    project_id: row.projectId,
    project_name: row.projectName,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    deleted_at: row.deletedAt?.toISOString() ?? null,
    created_by: { id: row.createdById, email: row.createdByEmail, name: row.createdByName },
  };
}
