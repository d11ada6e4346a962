import { Inject, Injectable } from '@nestjs/common';
import { Database, Prisma, type ProjectScope } from '@berth/database';
import type { ProfileReference, Viewport } from '@berth/schema';
import type { Page } from '../request/paging.js';
import { active, recordColumns, recordJoins, type SessionRecord, visible } from './session-record.js';

/** A create's choices, ready to be stored. */
export interface NewSession {
  readonly id: string;
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

export interface SessionFilter {
  readonly status: 'active' | 'deleted' | 'all';
  readonly query: string | undefined;
  readonly tags: Record<string, string> | undefined;
}

/** One statement: the row is written only while the project is active, and the project cannot be archived in between. */
const insert = {
  name: 'browser-insert',
  text: `WITH used AS (UPDATE profiles SET last_used_at = now() WHERE id = $10 AND project_id = $1 RETURNING *),
    s AS (
      INSERT INTO browser_sessions (id, organization_id, project_id, kind, name, headless, gpu, kiosk_mode, timeout_seconds, start_url, viewport, tags,
                                    profile_id, profile_save_changes, invocation_id)
      SELECT $2::text, a.organization_id, a.id, 'on_demand'::"SessionKind", $3::text, $4::boolean, $5::boolean, $6::boolean, $7::int, $8::text, $9::jsonb, $11::jsonb,
             $10::text, $12::boolean, $13::text
      FROM (SELECT id, organization_id FROM projects WHERE id = $1 AND status = 'active' AND deleted_at IS NULL FOR SHARE) a
      RETURNING *)
    SELECT ${recordColumns} FROM s LEFT JOIN used p ON p.id = s.profile_id LEFT JOIN browser_pools o ON o.id = s.pool_id`,
};

const byId = { name: 'browser-by-id', text: `SELECT ${recordColumns} FROM browser_sessions s ${recordJoins} WHERE s.project_id = $1 AND s.id = $2` };

const byName = {
  name: 'browser-by-name',
  text: `SELECT ${recordColumns} FROM browser_sessions s ${recordJoins} WHERE s.project_id = $1 AND s.name = $2 AND s.deleted_at IS NULL`,
};

const ofInvocation = {
  name: 'browsers-of-invocation',
  text: `SELECT ${recordColumns} FROM browser_sessions s ${recordJoins}
         WHERE s.project_id = $1 AND s.invocation_id = $2 AND ${active} ORDER BY s.created_at DESC, s.id DESC`,
};

const liveIdsOfInvocation = {
  name: 'browser-ids-of-invocation',
  text: `SELECT id FROM browser_sessions WHERE project_id = $1 AND invocation_id = $2 AND status IN ('starting', 'running')`,
};

const inStatus: Record<SessionFilter['status'], string> = {
  active,
  deleted: `s.status = 'ended' AND ${visible}`,
  all: visible,
};

/** The rows of browser sessions within one project. */
@Injectable()
export class SessionsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Undefined when the project is not active any more. Rejects with a unique violation when the name is taken. */
  async insert(scope: ProjectScope, session: NewSession): Promise<SessionRecord | undefined> {
    const { viewport, tags } = session;
    const [row] = await this.database.queryProject<SessionRecord>(
      scope, insert, session.id, session.name, session.headless, session.gpu, session.kioskMode, session.timeoutSeconds, session.startUrl,
      viewport === null ? null : JSON.stringify(viewport), session.profileId, tags === null ? null : JSON.stringify(tags), session.profileSaveChanges, session.invocationId,
    );
    return row;
  }

  async find(scope: ProjectScope, idOrName: string): Promise<SessionRecord | undefined> {
    const [found] = await this.database.queryProject<SessionRecord>(scope, byId, idOrName);
    // No name has the form of an id (D30), so at most one of the two looks finds something.
    return found ?? (await this.database.queryProject<SessionRecord>(scope, byName, idOrName))[0];
  }

  async nameIsTaken(scope: ProjectScope, name: string): Promise<boolean> {
    return (await this.database.project(scope).browserSession.findFirst({ where: { name, deletedAt: null }, select: { id: true } })) !== null;
  }

  /** Undefined when no profile of the project fits. */
  async profileId(scope: ProjectScope, { id, name }: ProfileReference): Promise<string | undefined> {
    const where = id === undefined ? { name: name ?? '' } : { id };
    return (await this.database.project(scope).profile.findFirst({ where: { ...where, deletedAt: null }, select: { id: true } }))?.id;
  }

  async invocationRuns(scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.database.project(scope).invocation.findFirst({ where: { id, status: 'running' }, select: { id: true } })) !== null;
  }

  /** Changes a session that is still there. Rejects with a unique violation when the name is taken. */
  async update(scope: ProjectScope, id: string, changes: { readonly name?: string | null; readonly tags?: Record<string, string> | null }): Promise<SessionRecord | undefined> {
    const { name, tags } = changes;
    const { count } = await this.database.project(scope).browserSession.updateMany({
      where: { id, status: 'running' },
      data: { ...(name === undefined ? {} : { name }), ...(tags === undefined ? {} : { tags: tags ?? Prisma.DbNull }) },
    });
    return count === 0 ? undefined : (await this.database.queryProject<SessionRecord>(scope, byId, id))[0];
  }

  async list(scope: ProjectScope, { status, query, tags }: SessionFilter, { limit, offset }: Page): Promise<SessionRecord[]> {
    const values: unknown[] = [limit + 1, offset];
    const bind = (value: unknown): string => `$${values.push(value) + 1}`;
    const conditions = [
      inStatus[status],
      ...(query === undefined ? [] : [`position(lower(${bind(query)}) IN lower(coalesce(s.name, '') || ' ' || s.id)) > 0`]),
      ...(tags === undefined ? [] : [`s.tags @> ${bind(JSON.stringify(tags))}::jsonb`]),
    ];
    return this.database.queryProject<SessionRecord>(
      scope,
      {
        name: `browsers-${status}-${query === undefined ? '' : 'q'}${tags === undefined ? '' : 't'}`,
        text: `SELECT ${recordColumns} FROM browser_sessions s ${recordJoins}
               WHERE s.project_id = $1 AND ${conditions.join(' AND ')} ORDER BY s.created_at, s.id LIMIT $2 OFFSET $3`,
      },
      ...values,
    );
  }

  /** Active browsers of an invocation, newest first, all of them (D35). */
  ofInvocation(scope: ProjectScope, invocationId: string): Promise<SessionRecord[]> {
    return this.database.queryProject<SessionRecord>(scope, ofInvocation, invocationId);
  }

  /** Also those that are still starting. */
  async liveIdsOfInvocation(scope: ProjectScope, invocationId: string): Promise<string[]> {
    return (await this.database.queryProject<{ id: string }>(scope, liveIdsOfInvocation, invocationId)).map(({ id }) => id);
  }
}
