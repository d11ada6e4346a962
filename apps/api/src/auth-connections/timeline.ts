import { Inject, Injectable } from '@nestjs/common';
import { type AuthConnectionRow, Database, type ProjectScope } from '@berth/database';
import { timelineEntryOf } from '@berth/login-flow';
import type { AuthStatus, TimelineEvent, TimelineQuery } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';

interface EntryRow {
  readonly type: TimelineEvent['type'];
  readonly id: string;
  readonly created_at: Date;
  readonly status: AuthStatus | null;
  readonly previous_status: AuthStatus | null;
  readonly browser_session_id: string | null;
}

// Each kind is read newest first by its own index, as far as the page may reach: a connection that is checked every hour has thousands of
// entries.
const pageOfTimeline = {
  name: 'page-of-timeline',
  text: `(SELECT lower(f.type::text) AS type, f.id, f.created_at, NULL AS status, NULL AS previous_status, NULL AS browser_session_id
            FROM login_flows f WHERE f.project_id = $1 AND f.connection_id = $2 AND ($3::text IS NULL OR lower(f.type::text) = $3)
           ORDER BY f.created_at DESC, f.id DESC LIMIT $4::bigint + $5::bigint)
         UNION ALL
         (SELECT 'health_check', h.id, h.created_at, h.status::text, h.previous_status::text, h.browser_session_id
            FROM health_checks h JOIN auth_connections c ON c.id = h.connection_id
           WHERE c.project_id = $1 AND h.connection_id = $2 AND ($3::text IS NULL OR $3 = 'health_check')
           ORDER BY h.created_at DESC, h.id DESC LIMIT $4::bigint + $5::bigint)
         ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
};

function healthCheckEntry({ id, created_at, status, previous_status, browser_session_id }: EntryRow): TimelineEvent {
  return {
    id,
    type: 'health_check',
    status: status ?? 'NEEDS_AUTH',
    timestamp: created_at.toISOString(),
    ...(previous_status !== null && { previous_status }),
    ...(browser_session_id !== null && { browser_session_id }),
  };
}

/** What happened to a connection: logins, re-logins and health checks, newest first (D15). */
@Injectable()
export class Timeline {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One entry more than the page. */
  async page(scope: ProjectScope, { id: connectionId }: AuthConnectionRow, { type }: TimelineQuery, page: Page): Promise<TimelineEvent[]> {
    const { take, skip } = rowsOf(page);
    const entries = await this.database.queryProject<EntryRow & Record<string, unknown>>(
      scope,
      pageOfTimeline,
      connectionId,
      type ?? null,
      take,
      skip,
    );
    const flowIds = entries.filter((entry) => entry.type !== 'health_check').map(({ id }) => id);
    const flows = new Map(
      (await this.database.project(scope).loginFlow.findMany({ where: { id: { in: flowIds } } })).map((flow) => [flow.id, flow]),
    );
    return entries.map((entry) => {
      const flow = flows.get(entry.id);
      return flow === undefined ? healthCheckEntry(entry) : timelineEntryOf(flow);
    });
  }
}
