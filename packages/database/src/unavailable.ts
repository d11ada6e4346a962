/** How Prisma says that the server cannot be reached, does not take connections, closed the connection, or has none free. */
const prismaCodes: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024']);
/** How the system says it. */
const systemCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/** How PostgreSQL says it: connection exceptions, no connection free, shutting down, crashed, starting up. */
const sqlStates = /^(08...|53300|57P0[123])$/;
/** `pg` has no codes for these. */
const messages = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/;

/**
 * Whether `error`, or what caused it, says that PostgreSQL cannot be asked at all, through Prisma or plain `pg`. What was asked may have been done: a
 * connection can break between a commit and its answer.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Not `instanceof Error`: what the system throws may be of another realm.
  const { code, message, cause } = error as { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown };
  if (typeof code === 'string' && (prismaCodes.has(code) || systemCodes.has(code) || sqlStates.test(code))) return true;
  return (typeof message === 'string' && messages.test(message)) || isDatabaseUnavailable(cause);
}
