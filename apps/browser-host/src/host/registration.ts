import type { UnscopedAccess } from '@berth/database/unscoped';
import type { HostAddress } from '../sessions/session-rows.js';

export interface HostRecord extends HostAddress {
  readonly capacity: number;
  readonly headful: boolean;
}

/** This host's row among the hosts: where it is reached, what it can do, and that it lives. */
export class Registration {
  constructor(
    private readonly access: UnscopedAccess,
    private readonly record: HostRecord,
  ) {}

  /** Says that this host lives, on PostgreSQL's clock. */
  async beat(draining: boolean): Promise<void> {
    const { id, internalUrl, publicUrl, capacity, headful } = this.record;
    await this.access.pool.query({
      name: 'host-beat',
      text: `INSERT INTO browser_hosts (id, internal_url, public_url, capacity, headful, draining) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (id) DO UPDATE SET internal_url = $2, public_url = $3, capacity = $4, headful = $5, draining = $6, heartbeat_at = now()`,
      values: [id, internalUrl, publicUrl, capacity, headful, draining],
    });
  }

  async leave(): Promise<void> {
    await this.access.pool.query('DELETE FROM browser_hosts WHERE id = $1', [this.record.id]);
  }
}
