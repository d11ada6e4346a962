import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { digest } from '@berth/secrets';
import type { Principal } from './context.js';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly projects_enabled: boolean;
  readonly default_project_id: string;
}

const keyBySecret = {
  name: 'key-by-secret',
  text: `SELECT k.id, k.name, k.project_id, o.id AS organization_id, o.name AS organization_name, o.projects_enabled, o.default_project_id
           FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id JOIN organizations o ON o.id = k.organization_id
          WHERE s.hash = $1 AND k.deleted_at IS NULL
            AND (s.expires_at IS NULL OR s.expires_at > now()) AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

/** Turns a bearer secret into a principal. Only a hash of the secret is compared, by the database's index (D10). */
@Injectable()
export class Credentials {
  constructor(@Inject(Database) private readonly database: Database) {}

  async principalOf(secret: string): Promise<Principal | undefined> {
    const { rows } = await unscoped(this.database).pool.query<KeyRow>({ ...keyBySecret, values: [digest(secret)] });
    const row = rows[0];
    if (row === undefined) return undefined;
    return {
      kind: row.project_id === null ? 'org_key' : 'project_key',
      id: row.id,
      name: row.name,
      organization: { id: row.organization_id, name: row.organization_name, projectsEnabled: row.projects_enabled, defaultProjectId: row.default_project_id },
      boundProjectId: row.project_id,
    };
  }
}
