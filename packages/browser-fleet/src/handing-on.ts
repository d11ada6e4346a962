/**
 * Launches whose host is gone: each is placed once more while somebody may still wait for it. The row decides as ever. It is taken from the
 * old host before another one can claim it, and whatever is left of the old one may neither announce, nor end, a session whose row is not
 * its own.
 */
import type { UnscopedAccess } from '@berth/database/unscoped';
import { knock, lifeUrl } from './knock.js';

/** From standby a browser is there after some 30 ms; a launch that has taken this long is worth a look at its host. */
const promptSeconds = 1;
/** A machine that lives answers, or refuses, at once. */
const knockWithinMs = 500;

/**
 * Takes launches that hold `where` (over `s`, with `values` from `$1`) from their hosts. Only in their first generation: one that has cost
 * two hosts their lives is not tried on a third. Answers their ids; `waitingAgain` finds them too.
 */
export async function handOn(access: UnscopedAccess, where: string, ...values: readonly unknown[]): Promise<readonly string[]> {
  const { rows } = await access.pool.query<{ id: string }>(
    `UPDATE browser_sessions s SET host_id = NULL, host_internal_url = NULL, host_public_url = NULL, generation = s.generation + 1
      WHERE s.status = 'starting' AND s.generation = 1 AND ${where} RETURNING s.id`,
    [...values],
  );
  return rows.map(({ id }) => id);
}

/** Launches that were handed on and that no host has claimed since: they belong into the queue. */
export async function waitingAgain(access: UnscopedAccess): Promise<readonly string[]> {
  const { rows } = await access.pool.query<{ id: string }>(
    `SELECT id FROM browser_sessions WHERE status = 'starting' AND generation > 1 AND host_id IS NULL`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Hands on what dead hosts were launching, long before they miss a heartbeat. Two witnesses must agree, because a host that this process
 * merely cannot reach may be well: its door refuses, and nobody `listens` on its channel. A host whose machine is gone is silent instead,
 * and its launches are lost.
 */
export async function handOnFromDeadHosts(access: UnscopedAccess, listens: (hostId: string) => Promise<boolean>): Promise<void> {
  const { rows: launching } = await access.pool.query<{ id: string; internalUrl: string }>(
    `SELECT DISTINCT host_id AS id, host_internal_url AS "internalUrl" FROM browser_sessions
      WHERE status = 'starting' AND generation = 1 AND host_id IS NOT NULL AND created_at < now() - make_interval(secs => ${promptSeconds})`,
  );
  await Promise.all(
    launching.map(async ({ id, internalUrl }) => {
      const dead = (await knock(lifeUrl(internalUrl), knockWithinMs)) === 'refused' && !(await listens(id));
      if (dead) await handOn(access, 's.host_id = $1', id);
    }),
  );
}
