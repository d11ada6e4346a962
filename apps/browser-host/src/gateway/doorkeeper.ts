import { type Door, isSessionToken } from '@berth/browser-fleet';
import type { Sealer } from '@berth/secrets';
import type { Chromium } from '../chromium/chromium.js';
import { answerWithin } from '../patience.js';
import type { Session } from '../sessions/session.js';
import type { Sessions } from '../sessions/sessions.js';
import { Refusal } from './refusal.js';

/** A session that callers may enter. */
export interface OpenSession {
  readonly session: Session;
  readonly chromium: Chromium;
}

export const ended = (): Refusal => new Refusal('not_found', 'The browser session was not found or has ended.');

/** A host that has not seen its rows for this part of a lease may have stood still, and its sessions have been ended by others. */
const doubtfulAfterLeases = 0.6;
/** Without PostgreSQL running browsers go on (README), so its answer is not waited for longer. */
const lookWithinMs = 1_000;

/** Lets in who holds the door's token for a session of this host. Tokens are HMACs, compared in constant time, without a lookup. */
export class Doorkeeper {
  constructor(
    private readonly sessions: Sessions,
    private readonly sealer: Sealer,
    private readonly leaseMs: number,
  ) {}

  /** @throws {Refusal} 401 for a missing or wrong token, 404 when the session is not (or no longer) here. */
  async admit(door: Door, sessionId: string, token: string | null): Promise<OpenSession> {
    if (token === null || token === '') throw new Refusal('unauthorized', 'This address needs its token.');
    const session = this.sessions.find(sessionId);
    if (session?.row === undefined) throw ended();
    if (this.sessions.comparedMsAgo > this.leaseMs * doubtfulAfterLeases) await answerWithin(lookWithinMs, this.sessions.look(sessionId));
    // A pool browser's new tokens may arrive before the notice of its new generation.
    if (!this.#fits(door, session, token)) await this.sessions.look(sessionId);
    await session.fit;
    if (!this.#fits(door, session, token)) throw new Refusal('unauthorized', 'The token is not valid for this address.');
    // Callers look at the row too, and may see that it runs before this host has the answer to having written it.
    if (session.row.status === 'starting') await session.launched;
    const { chromium } = session;
    // Whatever is listed answers for itself.
    const open = door === 'base' ? session.listed : session.open;
    if (!open || chromium === undefined) throw ended();
    return { session, chromium };
  }

  #fits(door: Door, session: Session, token: string): boolean {
    return session.row !== undefined && isSessionToken(this.sealer, door, session.id, session.row.generation, token);
  }
}
