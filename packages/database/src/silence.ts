import type { Socket } from 'node:net';
import type pg from 'pg';
import { databaseOutage } from './outage.js';

/** What a question is answered with when PostgreSQL says nothing: it may have been carried out, or still be. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  readonly code = 'ETIMEDOUT';

  constructor(silentForMs: number) {
    super(`PostgreSQL has said nothing for ${silentForMs} ms`);
  }
}

/**
 * Breaks a connection that has an open question and on which nothing has come or gone for `silentForMs`: the server hangs, or the network
 * swallows packets. Whoever asked hears of it as of any broken connection, and a pool never hands it out again with an answer still to
 * come. (`query_timeout` of `pg` gives the question up and keeps the connection, with its transaction open.)
 */
export function breakWhenSilent(client: pg.Client, silentForMs: number): void {
  const stream = client.connection.stream as Socket;
  // Everything asked so far is answered whenever the client's queue has drained.
  let answered = stream.bytesWritten;
  client.on('drain', () => (answered = stream.bytesWritten));
  stream.setTimeout(silentForMs);
  // Also told of an idle connection, once; whatever is written on it begins the time anew.
  stream.on('timeout', () => {
    const [asked, heard] = [stream.bytesWritten, stream.bytesRead];
    if (asked === answered) return;
    // Timers run before sockets are read: in a process that was busy, an answer that is there counts, and so does what was asked since.
    setImmediate(() => {
      if (asked !== answered && stream.bytesWritten === asked && stream.bytesRead === heard)
        stream.destroy(new DatabaseSilent(silentForMs));
    });
  });
}

const serverSideLimits = [
  'BEGIN',
  // As long as a transaction may take.
  `SET idle_in_transaction_session_timeout = '10s'`,
  'SET tcp_keepalives_idle = 10',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 3',
  'COMMIT',
  // Apart, because not every system that PostgreSQL runs on can: a statement that waits for a lock, or is slow, ends when nobody waits for
  // it any more.
  `SET client_connection_check_interval = '1s'`,
].join(';');

/**
 * The same from the other side: when this process or its network is gone without a word, PostgreSQL lets go of what the connection holds. A
 * row that a transaction has locked would otherwise stay locked, and a sweep's advisory lock held, for the two hours of the system's
 * keepalive. For a pool's `verify`.
 */
export function limitServerSide(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query(serverSideLimits).then(
    () => done(),
    (error: Error) => done(databaseOutage(error) === undefined ? undefined : error),
  );
}
