import type { UnscopedAccess } from '@berth/database/unscoped';
import { announceSession, notifyHost, type Publisher } from './channels.js';

/** Why a session ended; kept in `end_reason` of its row. */
export const endReasons = [
  /** Asked for: DELETE, a finished login flow, a pool that shrank. */
  'deleted',
  /** Nobody was connected for `timeout_seconds` (D33). */
  'idle_timeout',
  /** Chromium exited by itself without a fault: CDP `Browser.close`, or its last window closed. */
  'browser_closed',
  /** Chromium died: a crash, or killed from outside. */
  'browser_crashed',
  /** Chromium's processes together took more memory than the host allows one session. */
  'memory_exceeded',
  /** A pool's browser that could not be put right after a caller had used it. */
  'unfit',
  /** Chromium did not start, or its profile could not be loaded, within the launch deadline. */
  'launch_failed',
  /** No host had room in time. */
  'launch_unclaimed',
  /** The host was told to stop (D55). */
  'host_stopped',
  /** The host died or could not be heard of for a lease. */
  'host_lost',
  /** The host could not renew the lease in time; the slot may be another's already. */
  'lease_lost',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Who frees slots: `LiveSessions.release`, or a test's own. */
export interface SlotReleaser {
  release(scope: { readonly organizationId: string; readonly projectId: string }, members: readonly string[]): Promise<unknown>;
}

/** What ending a session touches: its row, its slot, and whoever waits for it. */
export interface EndingPorts {
  readonly access: UnscopedAccess;
  readonly admissions: SlotReleaser;
  readonly redis: Publisher;
  /** Hears of a slot that could not be released; it lapses with its lease. */
  readonly onReleaseFailed?: (sessionId: string, error: unknown) => void;
}

export interface EndedRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly endReason: EndReason;
}

export const endedColumns = 'id, organization_id AS "organizationId", project_id AS "projectId", end_reason AS "endReason"';

/** A row has `deleted_at` from the moment its browser is gone: it counts no more, though its host may have something left to do. */
export const goneNow = 'deleted_at = coalesce(deleted_at, now()), ending_at = coalesce(ending_at, now())';

/**
 * Gives the slots of ended rows back and tells who waits: the second half of every end. Row first, slot second, so that a crash between the
 * two leaves a slot that lapses, never a browser that is not counted.
 */
export async function settleEnded(ports: EndingPorts, rows: readonly EndedRow[]): Promise<void> {
  await Promise.all(
    rows.map(async (row) => {
      try {
        await ports.admissions.release(row, [row.id]);
      } catch (error) {
        ports.onReleaseFailed?.(row.id, error);
      }
      await announceSession(ports.redis, { sessionId: row.id, status: 'ended' });
    }),
  );
}

export interface EndOfRow {
  /** `ending`: its host has yet to keep what it was told to keep, and says `ended` after that. Default `ended`. */
  readonly status?: 'ending' | 'ended';
  /** For a host, which ends nothing that is another's by now. Default whoever has it. */
  readonly hostId?: string;
}

/**
 * Ends a row whose browser is gone or never was, frees its slot and tells who waits. The reason asked for first wins: a row that is
 * `ending` keeps the one it has. May be called again. Answers false when it was ended before.
 */
export async function endRow(
  ports: EndingPorts,
  sessionId: string,
  reason: EndReason,
  { status = 'ended', hostId }: EndOfRow = {},
): Promise<boolean> {
  const { rows } = await ports.access.pool.query<EndedRow>({
    name: 'fleet-end-row',
    text: `UPDATE browser_sessions SET status = $3, ${goneNow}, end_reason = coalesce(end_reason, $2)
           WHERE id = $1 AND status <> 'ended' AND ($4::text IS NULL OR host_id = $4) RETURNING ${endedColumns}`,
    values: [sessionId, reason, status, hostId ?? null],
  });
  await settleEnded(ports, rows);
  return rows.length > 0;
}

/**
 * Asks for the end of sessions: unlisted at once, still counted until their host has killed them (then the rows are `ended`; wait with
 * `SessionWatcher.waitUntilEnded`). A row that no host has claimed is ended here and now. Ids that are ending or ended are left alone.
 * Callers pass only ids of their tenant. When `idle` ones are meant, those that somebody has leased meanwhile are left alone too. Answers
 * the ids it changed.
 */
export async function requestEnd(
  ports: EndingPorts,
  sessionIds: readonly string[],
  reason: EndReason,
  which: 'any' | 'idle' = 'any',
): Promise<readonly string[]> {
  if (sessionIds.length === 0) return [];
  const { rows } = await ports.access.pool.query<EndedRow & { status: 'ending' | 'ended'; hostId: string | null }>({
    name: 'fleet-request-end',
    text: `UPDATE browser_sessions
           SET status = CASE WHEN host_id IS NULL THEN 'ended' ELSE 'ending' END::"SessionStatus",
               ending_at = now(), end_reason = $2, deleted_at = CASE WHEN host_id IS NULL THEN now() END
           WHERE id = ANY($1) AND status IN ('starting', 'running') AND ($3 = 'any' OR leased_at IS NULL)
           RETURNING ${endedColumns}, status, host_id AS "hostId"`,
    values: [sessionIds, reason, which],
  });
  await settleEnded(
    ports,
    rows.filter((row) => row.status === 'ended'),
  );
  await Promise.all(rows.flatMap(({ hostId, id }) => (hostId === null ? [] : [notifyHost(ports.redis, hostId, id)])));
  return rows.map((row) => row.id);
}

/**
 * Frees the slots of those sessions that have ended. Whoever ends a row frees its slot right after, so for a moment the row can be seen
 * ended with its slot still taken: who is about to answer that a session is over calls this first. Idempotent; slots of pool browsers are
 * their pool's.
 */
export async function freeEnded(ports: EndingPorts, sessionIds: readonly string[]): Promise<void> {
  const { rows } = await ports.access.pool.query<EndedRow>({
    name: 'fleet-ended-of',
    text: `SELECT ${endedColumns} FROM browser_sessions WHERE id = ANY($1) AND deleted_at IS NOT NULL AND kind <> 'pool'`,
    values: [sessionIds],
  });
  await Promise.all(
    rows.map(async (row) => {
      try {
        await ports.admissions.release(row, [row.id]);
      } catch (error) {
        ports.onReleaseFailed?.(row.id, error);
      }
    }),
  );
}
