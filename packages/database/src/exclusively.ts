import type pg from 'pg';

/**
 * Runs `work` unless some process is at work of this name right now, under an advisory lock of a connection of its own: PostgreSQL lets go of it when this process
 * dies. Answers whether it ran. `work` may need further connections, so never run more of these at once than the pool has to spare.
 */
export async function exclusively(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let broken = true;
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS locked', [name]);
    const locked = rows[0]?.locked === true;
    if (locked) {
      await work();
      await client.query('SELECT pg_advisory_unlock(hashtext($1))', [name]);
    }
    broken = false;
    return locked;
  } finally {
    // Closing the connection lets the lock go whatever happened.
    client.release(broken);
  }
}
