import { poolMembers, type LiveRow, type LiveRows } from '../src/index.js';

interface Row extends LiveRow {
  readonly organizationId: string;
}

/** The rows port over a table in memory: what Postgres would hold, with the outages Postgres may have. */
export class TableOfRows implements LiveRows {
  readonly #rows = new Map<string, Row>();
  /** Set: reading fails. */
  down: Error | null = null;
  reads = 0;
  /** Runs after the table was read, before the reader has it: where races happen. */
  afterRead: (() => Promise<void> | void) | null = null;

  insert(organizationId: string, projectId: string, member: string, leaseMs: number | null = 30_000): void {
    this.#rows.set(`${organizationId}/${member}`, { organizationId, projectId, member, leaseMs });
  }

  insertPool(organizationId: string, projectId: string, poolId: string, size: number): void {
    for (const member of poolMembers(poolId, size)) this.insert(organizationId, projectId, member, null);
  }

  end(organizationId: string, member: string): void {
    this.#rows.delete(`${organizationId}/${member}`);
  }

  async rowsOf(organizationId: string): Promise<LiveRow[]> {
    if (this.down) throw this.down;
    this.reads += 1;
    const rows = [...this.#rows.values()].filter((row) => row.organizationId === organizationId);
    await this.afterRead?.();
    return rows;
  }
}
