import { Inject, Injectable } from '@nestjs/common';
import { type ProjectScope, violatesUnique } from '@berth/database';
import type { BrowserSession, CreateBrowser, UpdateBrowser } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { invalid, notFound } from '../errors/api-error.js';
import { BrowsersRepository, type NewSession, type SessionChanges } from './browsers.repository.js';
import { refuseUnsupported } from './capabilities.js';
import { References } from './references.js';
import { SessionAddresses } from './session-addresses.js';
import type { SessionRow } from './session-row.js';
import { sessionView } from './session-view.js';
import { nameTaken, StartSession } from './start-session.js';

/** Idle time-out of a session that asks for none, seconds (D30). */
export const defaultTimeoutSeconds = 60;

@Injectable()
export class BrowsersService {
  constructor(
    @Inject(BrowsersRepository) private readonly rows: BrowsersRepository,
    @Inject(References) private readonly references: References,
    @Inject(StartSession) private readonly starter: StartSession,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(SessionAddresses) private readonly addresses: SessionAddresses,
  ) {}

  /**
   * `gone` is aborted when the client leaves before it has its answer: it will never learn the id, so its browser is given up or ended
   * instead of running until its idle time-out, which may be days.
   */
  async create(scope: ProjectScope, id: string, choices: CreateBrowser, gone: AbortSignal): Promise<SessionRow> {
    const session = await this.decide(scope, choices);
    // Before the cap is asked, in the order of D7; the unique index decides races.
    if (session.name !== null && (await this.rows.nameIsTaken(scope, session.name))) throw nameTaken(undefined);
    const row = await this.starter.start(scope, id, session, gone);
    gone.addEventListener('abort', () => void this.fleet.end([row.id], 'deleted').catch(() => undefined), { once: true });
    return row;
  }

  /** Finishes a create whose process died, and answers as it would have; undefined when it had made nothing. */
  async finishCreate(scope: ProjectScope, id: string): Promise<BrowserSession | undefined> {
    const row = await this.starter.resume(scope, id);
    return row === undefined ? undefined : sessionView(row, this.addresses);
  }

  /** What is left open is answered truthfully by what the hosts can do (D30). */
  private async decide(scope: ProjectScope, choices: CreateBrowser): Promise<NewSession> {
    const display = await this.fleet.hasDisplay();
    refuseUnsupported(choices, { display });
    const { profile, invocation_id: invocationId } = choices;
    return {
      name: choices.name ?? null,
      headless: choices.headless ?? !display,
      gpu: choices.gpu ?? null,
      kioskMode: choices.kiosk_mode ?? null,
      timeoutSeconds: choices.timeout_seconds ?? defaultTimeoutSeconds,
      startUrl: choices.start_url ?? null,
      viewport: choices.viewport ?? null,
      tags: choices.tags ?? null,
      profileId: profile === undefined ? null : await this.references.profile(scope, profile),
      profileSaveChanges: profile === undefined ? null : (profile.save_changes ?? false),
      invocationId: invocationId === undefined ? null : await this.references.runningInvocation(scope, invocationId),
    };
  }

  async update(scope: ProjectScope, row: SessionRow, wanted: UpdateBrowser): Promise<SessionRow> {
    const { proxy_id: proxyId, viewport, ...rest } = wanted;
    refuseUnsupported(
      { viewport, telemetry: rest.telemetry, ...(typeof proxyId === 'string' ? { proxy_id: proxyId } : {}) },
      { display: false },
    );
    if (viewport !== undefined && !sameSize(viewport, row.viewport)) {
      throw invalid({ field: 'viewport', message: 'cannot be changed while the browser runs; choose it at create' });
    }
    const changes = await this.changes(scope, row, rest);
    try {
      if (Object.keys(changes).length > 0 && !(await this.rows.update(scope, row.id, changes))) throw notFound();
    } catch (error) {
      throw violatesUnique(error, 'browser_sessions_name_among_live') ? nameTaken(error) : error;
    }
    await this.fleet.tellHost(row.hostId, row.id);
    return (await this.rows.byId(scope, row.id)) ?? row;
  }

  private async changes(scope: ProjectScope, row: SessionRow, { name, tags, profile }: UpdateBrowser): Promise<SessionChanges> {
    const changes = { ...(name === undefined ? {} : { name }), ...(tags === undefined ? {} : { tags }) };
    if (profile === undefined) return changes;
    if ((await this.references.profile(scope, profile)) !== row.profileId) {
      throw invalid({ field: 'profile', message: 'cannot be loaded into a browser that runs; choose it at create' });
    }
    return { ...changes, ...(profile.save_changes === undefined ? {} : { profileSaveChanges: profile.save_changes }) };
  }

  /** @throws ApiError not_found */
  async view(scope: ProjectScope, sessionId: string): Promise<BrowserSession> {
    const row = await this.rows.byId(scope, sessionId);
    if (row === undefined) throw notFound();
    return sessionView(row, this.addresses);
  }

  /** Every active browser of a run, newest first and whole (D35); undefined when there is no such run. */
  ofInvocation(scope: ProjectScope, invocationId: string): Promise<SessionRow[] | undefined> {
    return this.rows.activeOfInvocation(scope, invocationId);
  }

  views(rows: readonly SessionRow[]): BrowserSession[] {
    const now = new Date();
    return rows.map((row) => sessionView(row, this.addresses, now));
  }

  /** Those that are still starting too: their creates are told. */
  async endOfInvocation(scope: ProjectScope, invocationId: string): Promise<void> {
    await this.end(await this.rows.liveIdsOfInvocation(scope, invocationId));
  }

  /** Repeatable: one that is ending is waited for, one that has ended is done (D30, D33). */
  async end(sessionIds: readonly string[]): Promise<void> {
    await this.fleet.end(sessionIds, 'deleted');
    await this.fleet.untilEnded(sessionIds);
  }
}

function sameSize(wanted: { width: number; height: number }, actual: { width: number; height: number } | null): boolean {
  return actual !== null && wanted.width === actual.width && wanted.height === actual.height;
}
