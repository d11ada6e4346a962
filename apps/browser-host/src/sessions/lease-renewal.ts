import type { Admissions, Held } from '@berth/live-sessions';
import type { Logger } from '@berth/logging';
import { answerWithin } from '../patience.js';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';

/** Organizations that are asked for at once. */
const atOnce = 8;
/** One that has not answered by then (its usage is being rebuilt) goes on alone; the others get its place. */
const patienceMs = 1_000;

export interface LeaseRenewalOptions {
  readonly sessions: Sessions;
  readonly admissions: Pick<Admissions, 'renew'>;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/**
 * Keeps every browser that this host really runs counted, one round trip an organization. The slots of pool browsers belong to their pool.
 * An organization that is slow delays no other, neither in a round nor the next round: it is left out until its answer is there.
 */
export class LeaseRenewal {
  readonly #underWay = new Set<string>();

  constructor(private readonly options: LeaseRenewalOptions) {}

  /** Call it every third of a lease, and sooner after a failure. @throws when an organization could not be asked, once all others were. */
  async round(): Promise<void> {
    const waiting = [...this.#counted()].filter(([organizationId]) => !this.#underWay.has(organizationId));
    let failed = 0;
    const next = async (): Promise<void> => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
        if ((await answerWithin(patienceMs, this.#renew(...group))) === false) failed += 1;
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    if (failed > 0) throw new Error(`organizations that were not asked: ${failed}`);
  }

  #counted(): Map<string, Session[]> {
    const byOrganization = new Map<string, Session[]>();
    for (const session of this.options.sessions.all) {
      if (session.row === undefined || session.row.kind === 'pool') continue;
      const group = byOrganization.get(session.row.organizationId);
      if (group === undefined) byOrganization.set(session.row.organizationId, [session]);
      else group.push(session);
    }
    return byOrganization;
  }

  /** Answers whether it was asked. */
  async #renew(organizationId: string, group: readonly Session[]): Promise<boolean> {
    const { sessions, admissions, leaseMs, logger } = this.options;
    this.#underWay.add(organizationId);
    try {
      const members: Held[] = group.map((session) => ({ member: session.id, projectId: session.row?.projectId ?? '' }));
      const gone = await admissions.renew({ organizationId, members, leaseMs });
      for (const { member } of gone) loseLease(sessions, sessions.find(member), logger);
      return true;
    } catch (error) {
      // More tries fit into a lease. After that Redis forgets its readiness first, and rebuilds from the rows.
      logger.warn({ err: error, organization_id: organizationId }, 'leases were not renewed');
      return false;
    } finally {
      this.#underWay.delete(organizationId);
    }
  }
}

/** Its slot may be somebody else's by now, and a browser that is not counted must not run. One that is ending has released it itself. */
function loseLease(sessions: Sessions, session: Session | undefined, logger: Logger): void {
  if (session === undefined || session.ending !== undefined) return;
  logger.warn({ session_id: session.id }, 'session lost its lease');
  void sessions.end(session, 'lease_lost');
}
