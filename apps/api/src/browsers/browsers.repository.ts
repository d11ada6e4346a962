import { Inject, Injectable } from '@nestjs/common';
import { Database, type ProjectScope } from '@berth/database';
import { isIdShaped, type ListBrowsersQuery, type Viewport } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import { isActive, isPast, sessionColumns, type SessionRow, sessionsFrom } from './session-row.js';

/** What a new on-demand session is, decided before any slot is taken. */
export interface NewSession {
  readonly name: string | null;
  readonly headless: boolean;
  readonly gpu: boolean | null;
  readonly kioskMode: boolean | null;
  readonly timeoutSeconds: number;
  readonly startUrl: string | null;
  readonly viewport: Viewport | null;
  readonly tags: Record<string, string> | null;
  readonly profileId: string | null;
  readonly profileSaveChanges: boolean | null;
  readonly invocationId: string | null;
}

export interface SessionChanges {
  readonly name?: string | null;
  readonly tags?: Record<string, string> | null;
  readonly profileSaveChanges?: boolean;
}

// Project, profile and invocation are locked as they are found, so that none of them is deleted, archived or ended between this statement
// and its commit.
const insert = {
  name: 'browser-insert',
  text: `INSERT INTO browser_sessions (id, organization_id, project_id, kind, headless, name, gpu, kiosk_mode, timeout_seconds, start_url, viewport, tags,
           profile_id, profile_save_changes, invocation_id)
         SELECT $2, p.organization_id, p.id, 'on_demand', $3, $4, $5::boolean, $6::boolean, $7, $8, $9::jsonb, $10::jsonb, $11, $12::boolean, $13
           FROM projects p
          WHERE p.id = $1 AND p.status = 'active' AND p.deleted_at IS NULL
            AND ($11::text IS NULL OR EXISTS (SELECT 1 FROM profiles f WHERE f.id = $11 AND f.project_id = $1 AND f.deleted_at IS NULL FOR SHARE))
            FOR SHARE OF p
         ON CONFLICT (id) DO NOTHING`,
};

const insertedOne = `WITH inserted AS (${insert.text} RETURNING 1) SELECT count(*)::int AS inserted FROM inserted`;

const byId = {
  name: 'browser-by-id',
  text: `SELECT ${sessionColumns} FROM ${sessionsFrom('browser_sessions')} WHERE s.project_id = $1 AND s.id = $2`,
};
const visibleById = { name: 'browser-visible-by-id', text: `${byId.text} AND ((${isActive}) OR (${isPast}))` };
const activeByName = {
  name: 'browser-active-by-name',
  text: `SELECT ${sessionColumns} FROM ${sessionsFrom('browser_sessions')} WHERE s.project_id = $1 AND s.name = $2 AND s.deleted_at IS NULL AND ${isActive}`,
};

// Newest first and whole (D35); one of the three hot reads, served from the index `browser_sessions_live_of_invocation`. A run without
// browsers is one row without a session, and no run is no row, so the path needs no question of its own.
const activeOfInvocation = {
  name: 'browsers-of-invocation',
  text: `SELECT ${sessionColumns} FROM invocations i LEFT JOIN (${sessionsFrom('browser_sessions')}) ON s.project_id = i.project_id AND s.invocation_id = i.id AND ${isActive}
          WHERE i.project_id = $1 AND i.id = $2 ORDER BY s.created_at DESC, s.id DESC`,
};

const shown = { active: isActive, deleted: isPast, all: `((${isActive}) OR (${isPast}))` } as const;

/** Part of a name, an id, a profile's id or a pool's name, in any case; `%` and `_` are literal. */
const mentions = `strpos(lower(concat_ws(' ', s.name, s.id, s.profile_id, b.name)), lower($2)) > 0`;

@Injectable()
export class BrowsersRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Answers false when the project is no longer active, the profile is gone, or the id has a row already. Rejects with
   * `browser_sessions_name_among_live` when the name is taken.
   */
  async insert(scope: ProjectScope, id: string, session: NewSession): Promise<boolean> {
    const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
    const [row] = await this.database.queryProject<{ inserted: number }>(
      scope,
      { name: insert.name, text: insertedOne },
      id,
      session.headless,
      session.name,
      session.gpu,
      session.kioskMode,
      session.timeoutSeconds,
      session.startUrl,
      json(session.viewport),
      json(session.tags),
      session.profileId,
      session.profileSaveChanges,
      session.invocationId,
    );
    return row?.inserted === 1;
  }

  /** Whatever its status. */
  async byId(scope: ProjectScope, id: string): Promise<SessionRow | undefined> {
    return (await this.database.queryProject<SessionRow>(scope, byId, id))[0];
  }

  /** What a path names: by id one that runs or ran, by name one that runs. No name has the form of an id. */
  async find(scope: ProjectScope, wanted: string): Promise<SessionRow | undefined> {
    return (await this.database.queryProject<SessionRow>(scope, isIdShaped(wanted) ? visibleById : activeByName, wanted))[0];
  }

  async nameIsTaken(scope: ProjectScope, name: string): Promise<boolean> {
    return (
      (await this.database.project(scope).browserSession.findFirst({ where: { name, deletedAt: null }, select: { id: true } })) !== null
    );
  }

  async liveIdsOfInvocation(scope: ProjectScope, invocationId: string): Promise<string[]> {
    const rows = await this.database
      .project(scope)
      .browserSession.findMany({ where: { invocationId, status: { in: ['starting', 'running'] } }, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** Undefined when there is no such run. */
  async activeOfInvocation(scope: ProjectScope, invocationId: string): Promise<SessionRow[] | undefined> {
    const rows = await this.database.queryProject<SessionRow | { readonly [column in keyof SessionRow]: null }>(
      scope,
      activeOfInvocation,
      invocationId,
    );
    return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null);
  }

  /** One row more than the page, in the order of D15. */
  page(scope: ProjectScope, { status, include_deleted, query, tags }: ListBrowsersQuery, page: Page): Promise<SessionRow[]> {
    const which = status ?? (include_deleted === true ? 'all' : 'active');
    const { take, skip } = rowsOf(page);
    const statement = {
      name: `browsers-page-${which}${query === undefined ? '' : '-query'}${tags === undefined ? '' : '-tags'}`,
      text: `SELECT ${sessionColumns} FROM ${sessionsFrom('browser_sessions')} WHERE s.project_id = $1 AND ${shown[which]}
               AND ${query === undefined ? '$2::text IS NULL' : mentions} AND ${tags === undefined ? '$3::jsonb IS NULL' : 's.tags @> $3::jsonb'}
             ORDER BY s.created_at, s.id LIMIT $4 OFFSET $5`,
    };
    return this.database.queryProject<SessionRow>(
      scope,
      statement,
      query ?? null,
      tags === undefined ? null : JSON.stringify(tags),
      take,
      skip,
    );
  }

  /** Changes a session that runs; false when it does not any more. Rejects with `browser_sessions_name_among_live`. */
  async update(scope: ProjectScope, id: string, { name, tags, profileSaveChanges }: SessionChanges): Promise<boolean> {
    const rows = await this.database.queryProject(
      scope,
      {
        name: 'browser-update',
        text: `UPDATE browser_sessions s SET name = CASE WHEN $3 THEN $4 ELSE s.name END, tags = CASE WHEN $5 THEN $6::jsonb ELSE s.tags END,
                 profile_save_changes = coalesce($7::boolean, s.profile_save_changes)
               WHERE s.project_id = $1 AND s.id = $2 AND ${isActive} RETURNING s.id`,
      },
      id,
      name !== undefined,
      name ?? null,
      tags !== undefined,
      tags === undefined || tags === null ? null : JSON.stringify(tags),
      profileSaveChanges ?? null,
    );
    return rows.length > 0;
  }
}
