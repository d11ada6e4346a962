import { type Addressed, baseUrl, type SessionWatcher } from '@berth/browser-fleet';
import type { Logger } from '@berth/logging';
import type { Sealer } from '@berth/secrets';
import type { BrowserState } from '../gateway/browser-state.controller.js';

/** Of a launch's deadline; the rest is for loading what was saved. */
const waitingShare = 0.7;

/** A living host answers in a few ms, one whose machine is overrun later: a launch can wait so long for what it would else start without. */
const askWithinMs = 2_000;

/** A browser that saves to the profile of a launch when it ends. */
export interface Saver extends Addressed {
  readonly status: 'running' | 'ending';
  readonly hostInternalUrl: string;
  /** Since the launch was asked for, on PostgreSQL's clock. */
  readonly launchMsAgo: number;
}

/** SQL that finds them all. */
export const saversOf = (launchId: string): string => `
  SELECT s.id, s.status, s.generation, s.host_internal_url AS "hostInternalUrl", (extract(epoch FROM clock_timestamp() - l.created_at) * 1000)::float8 AS "launchMsAgo"
    FROM browser_sessions l JOIN browser_sessions s ON s.profile_id = l.profile_id
   WHERE l.id = ${launchId} AND s.id <> l.id AND s.status IN ('running', 'ending') AND s.profile_save_changes`;

export interface ProfileSaversOptions {
  readonly watcher: SessionWatcher;
  readonly sealer: Sealer;
  /** Within which a launch must be over. */
  readonly launchTimeoutMs: number;
  readonly logger: Logger;
}

/** Browsers that are ending and have yet to save their profile, on whichever host. */
export class ProfileSavers {
  constructor(private readonly options: ProfileSaversOptions) {}

  /**
   * Resolves when those that are ending have ended, so that the launch starts with what they saved; or when it cannot wait any longer: a
   * saver whose host has died does not come to its end by itself. Answers whether there was one to wait for.
   */
  async untilSaved(launchId: string, savers: readonly Saver[]): Promise<boolean> {
    const { watcher, launchTimeoutMs, logger } = this.options;
    const ends = await Promise.all(
      savers.map(async (saver): Promise<'in use' | 'ended' | 'late'> => {
        if (!(await this.#isEnding(saver))) return 'in use';
        const ended = await watcher.waitUntilEnded(saver.id, Math.max(0, launchTimeoutMs * waitingShare - saver.launchMsAgo));
        return ended ? 'ended' : 'late';
      }),
    );
    const late = savers.flatMap(({ id }, place) => (ends[place] === 'late' ? [id] : []));
    if (late.length > 0) logger.warn({ session_id: launchId, savers: late }, 'a launch could not wait for what others save to its profile');
    return ends.some((end) => end !== 'in use');
  }

  /** A browser that has begun to end may still be listed; its host knows. */
  async #isEnding(saver: Saver): Promise<boolean> {
    if (saver.status === 'ending') return true;
    try {
      const answer = await fetch(baseUrl(saver.hostInternalUrl, saver, this.options.sealer), { signal: AbortSignal.timeout(askWithinMs) });
      return answer.status === 404 || (answer.ok && ((await answer.json()) as BrowserState).status === 'ending');
    } catch {
      return false;
    }
  }
}
