import type { EndReason } from '@berth/browser-fleet';
import type { Logger } from '@berth/logging';
import type { Chromium } from '../chromium/chromium.js';
import { answerWithin, withinTime } from '../patience.js';
import type { Session } from './session.js';
import type { SessionRows } from './session-rows.js';

/** A browser that has hung up and does not exit by then hangs. */
const exitWithinMs = 5_000;
/** Callers see an end within 5 s (D33), whatever takes longer behind it. */
const listedAtMostMs = 4_000;
/** For reading what is kept, and again for storing it; a page that hangs must not keep its slot. */
const keepWithinMs = 15_000;

/** Why a browser ended by itself, told once it has exited. */
export async function exitReason(chromium: Chromium): Promise<EndReason> {
  const exit = await answerWithin(exitWithinMs, chromium.exited);
  return exit?.code === 0 ? 'browser_closed' : 'browser_crashed';
}

/**
 * Ends a session so that list, count and browser agree at every step. It is listed and counted for as long as its browser runs, also while
 * the host reads from it what is kept. When the browser is gone the row leaves every list and the slot is free; what needs no browser comes
 * last. Unlisted at once are a browser that has closed itself, which is there no more, and one that lost its lease, which is not counted any
 * more; one that was deleted has been so since then.
 *
 * Never rejects: what could not be written is settled by the next comparison with the rows.
 */
export async function endSession(session: Session, cause: EndReason | Promise<EndReason>, rows: SessionRows, log: Logger): Promise<void> {
  const attempt = async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> =>
    action().catch((error: unknown) => void log.error({ err: error, session_id: session.id }, what));
  const asked = typeof cause === 'string' ? cause : null;
  const unlist = async (): Promise<void> => {
    if (session.row !== undefined) session.row = { ...session.row, status: 'ending' };
    await attempt('row not marked ending', () => rows.markEnding(session.id, asked));
  };

  session.giveUp(asked ?? 'the browser has closed');
  await session.launched;
  session.idle?.stop();
  session.cutDoors();
  if (asked === null || asked === 'lease_lost') await unlist();
  const reason = await cause;
  const { chromium, prepared } = session;
  const { keeping } = prepared;
  const runs = chromium?.alive === true;
  const read =
    runs && keeping !== undefined
      ? await attempt('profile changes were not read', () =>
          listedFor(listedAtMostMs, unlist, withinTime(keepWithinMs, keeping.fromBrowser())),
        )
      : undefined;
  if (chromium !== undefined) await attempt('a browser was not killed', () => chromium.end());
  if (keeping !== undefined) {
    await attempt('row not marked gone', () => rows.end(session.id, reason, 'ending'));
    const store = async (): Promise<void> => {
      const kept = runs ? read : await keeping.fromFiles();
      if (kept !== undefined) await keeping.store(kept);
    };
    await attempt('profile changes were not saved', () => withinTime(keepWithinMs, store()));
  }
  await attempt('row not ended', () => endOrHandOn(session.id, reason, rows));
  if (chromium !== undefined) await attempt('files of a browser were not removed', () => chromium.kill());
  log.info({ session_id: session.id, reason }, 'session ended');
}

/** Answers as `work` does, and unlists the session when that takes longer than `ms`. */
async function listedFor<T>(ms: number, unlist: () => Promise<void>, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => void unlist(), ms);
  return work.finally(() => clearTimeout(timer));
}

/** What a host that stops was still launching is left to the others. */
async function endOrHandOn(sessionId: string, reason: EndReason, rows: SessionRows): Promise<void> {
  if (reason === 'host_stopped' && (await rows.handOn(sessionId))) return;
  await rows.end(sessionId, reason);
}
