import { Inject, Injectable } from '@nestjs/common';
import { type ProjectScope, violatesUnique } from '@berth/database';
import type { BrowserSession, CreateBrowser, ListBrowsersQuery, ProfileReference, UpdateBrowser } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import { Fleet } from '../admission/fleet.js';
import { invalid, notFound } from '../errors/api-error.js';
import type { Page } from '../request/paging.js';
import { type Asked, assertPossible } from './capabilities.js';
import { isActive, type SessionRecord, wasVisible } from './session-record.js';
import { sessionView } from './session-view.js';
import { SessionsRepository } from './sessions.repository.js';
import { nameTaken, noSuchProfile, StartSession } from './start-session.js';

/** Browser sessions of one project (D30–D33). */
@Injectable()
export class BrowsersService {
  constructor(
    @Inject(SessionsRepository) private readonly sessions: SessionsRepository,
    @Inject(StartSession) private readonly startSession: StartSession,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(Sealer) private readonly sealer: Sealer,
  ) {}

  async create(scope: ProjectScope, asked: CreateBrowser, signal: AbortSignal): Promise<BrowserSession> {
    return this.view(await this.startSession.start(scope, asked, signal));
  }

  async list(scope: ProjectScope, { status, include_deleted, query, tags }: ListBrowsersQuery, page: Page): Promise<BrowserSession[]> {
    const filter = { status: status ?? (include_deleted === true ? 'all' : 'active'), query, tags } as const;
    return this.#views(await this.sessions.list(scope, filter, page));
  }

  /** The session that an id or a name means; undefined when callers cannot know of it (an idle browser of a pool). */
  async find(scope: ProjectScope, idOrName: string): Promise<SessionRecord | undefined> {
    const record = await this.sessions.find(scope, idOrName);
    return record === undefined || (record.poolId !== null && record.leasedAt === null) ? undefined : record;
  }

  /** @throws ApiError not_found for a session that has ended (or begun to), unless it is asked for (D30), and for one that has not started yet */
  get(record: SessionRecord, includeDeleted: boolean): BrowserSession {
    if (!isActive(record) && !(includeDeleted && wasVisible(record))) throw notFound();
    return this.view(record);
  }

  /** @throws ApiError bad_request, conflict, not_found */
  async update(scope: ProjectScope, record: SessionRecord, asked: UpdateBrowser): Promise<BrowserSession> {
    if (!isActive(record)) throw notFound();
    await this.#assertChangeable(record, asked);
    const { name, tags } = asked;
    if (name === undefined && tags === undefined) return this.view(record);
    try {
      const changed = await this.sessions.update(scope, record.id, { ...(name === undefined ? {} : { name }), ...(tags === undefined ? {} : { tags }) });
      if (changed === undefined) throw notFound();
      return this.view(changed);
    } catch (error) {
      throw violatesUnique(error, 'browser_sessions_name_among_live') ? nameTaken() : error;
    }
  }

  /** Ends the session and waits for it, at most 5 s (D33). Repeating it is harmless. */
  async end(record: SessionRecord): Promise<void> {
    if (record.status !== 'ended') await this.#endAll([record.id]);
  }

  /** Active browsers of an invocation, newest first, all of them (D35). */
  async ofInvocation(scope: ProjectScope, invocationId: string): Promise<BrowserSession[]> {
    return this.#views(await this.sessions.ofInvocation(scope, invocationId));
  }

  /** Ends all browsers of an invocation, those that are still starting too. */
  async endOfInvocation(scope: ProjectScope, invocationId: string): Promise<void> {
    await this.#endAll(await this.sessions.liveIdsOfInvocation(scope, invocationId));
  }

  nameIsTaken(scope: ProjectScope, name: string): Promise<boolean> {
    return this.sessions.nameIsTaken(scope, name);
  }

  /** The profile that a body refers to. @throws ApiError bad_request naming the field when it is none of this project's (D8) */
  async profileId(scope: ProjectScope, profile: ProfileReference): Promise<string> {
    const id = await this.sessions.profileId(scope, profile);
    if (id === undefined) throw noSuchProfile(profile);
    return id;
  }

  /** @throws ApiError bad_request naming every field that asks for what this deployment cannot do (D30) */
  assertPossible(asked: Asked): Promise<void> {
    return assertPossible(asked, () => this.fleet.canShowWindows());
  }

  view(record: SessionRecord): BrowserSession {
    return sessionView(record, this.sealer);
  }

  async #endAll(sessionIds: readonly string[]): Promise<void> {
    await this.fleet.end(sessionIds, 'deleted');
    await this.fleet.untilEnded(sessionIds);
  }

  #views(records: readonly SessionRecord[]): BrowserSession[] {
    const now = new Date();
    return records.map((record) => sessionView(record, this.sealer, now));
  }

  /** A running Chromium keeps its window and its profile; asking for what it has already is fine. */
  async #assertChangeable(record: SessionRecord, { viewport, profile, proxy_id, telemetry }: UpdateBrowser): Promise<void> {
    if (viewport !== undefined && (viewport.width !== record.viewport?.width || viewport.height !== record.viewport.height)) {
      throw invalid({ field: 'viewport', message: 'this deployment cannot resize a running browser' });
    }
    if (profile !== undefined && profile.id !== record.profileId && (profile.name === undefined || profile.name !== record.profileName)) {
      throw invalid({ field: 'profile', message: 'this deployment cannot load a profile into a running browser' });
    }
    if (profile?.save_changes !== undefined && profile.save_changes !== record.profileSaveChanges) {
      throw invalid({ field: 'profile.save_changes', message: 'cannot be changed while the browser runs' });
    }
    const asked = { ...(viewport?.refresh_rate === undefined ? {} : { viewport }), ...(typeof proxy_id === 'string' ? { proxy_id } : {}), ...(telemetry ? { telemetry } : {}) };
    await this.assertPossible(asked);
  }
}
