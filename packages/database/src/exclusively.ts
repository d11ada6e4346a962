import type pg from 'pg';

/** PostgreSQL takes the lock from a process that has not looked after it for this long: one that is suspended, or whose event loop stands. */
const heldMs = 5_000;
const looksAfterMs = heldMs / 5;

// Materialized, so that the lock is tried once.
const take = `
  WITH lock AS MATERIALIZED (SELECT pg_try_advisory_lock(hashtext($1)) AS held)
  SELECT held, CASE WHEN held THEN set_config('idle_session_timeout', '${heldMs}', false) END FROM lock`;
const giveBack = 'SELECT pg_advisory_unlock_all(); RESET idle_session_timeout';

/**
 * Runs `work` unless some process is at work of this name right now, under an advisory lock of a connection of its own. PostgreSQL lets go
 * of it when this process dies, and when it stops to be heard of: then another may begin while `work` is still under way, so what `work`
 * writes must be guarded by itself, and this rejects in the end. Answers whether it ran. `work` may need further connections, so never run
 * more of these at once than the pool has to spare.
 */
export async function exclusively(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let broken = true;
  try {
    const { rows } = await client.query<{ held: boolean }>(take, [name]);
    const held = rows[0]?.held === true;
    if (held) {
      let looked: Promise<unknown> = Promise.resolve();
      const lookingAfter = setInterval(() => {
        looked = looked.then(() => client.query('SELECT 1')).catch(() => undefined);
      }, looksAfterMs);
      await work().finally(() => clearInterval(lookingAfter));
      await looked;
      await client.query(giveBack);
    }
    broken = false;
    return held;
  } finally {
    // Closing the connection lets the lock go whatever happened.
    client.release(broken);
  }
}
