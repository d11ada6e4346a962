/**
 * Why PostgreSQL gave no answer. `unreachable`: it was not asked, or has undone what was. `unanswered`: it was, and what was asked may
 * have been done, or may still be: a connection can break between a commit and its answer.
 */
export type DatabaseOutage = 'unreachable' | 'unanswered';

/**
 * How Prisma, the system, and PostgreSQL itself say it: no connection to be had, none free, starting up, taken back because of a deadlock
 * or because its transaction took too long;
 * closed, silent, shutting down, crashed.
 */
const codes: Readonly<Record<DatabaseOutage, RegExp>> = {
  unreachable: /^(P1001|P1002|P2024|P2028|P2034|40P01|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|53300|57P03)$/,
  unanswered: /^(P1008|P1017|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0[12])$/,
};
/** `pg` has no codes for these. */
const messages: Readonly<Record<DatabaseOutage, RegExp>> = {
  unreachable:
    /^(Connection terminated due to connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/,
  unanswered: /^Connection terminated/,
};
const kinds = ['unreachable', 'unanswered'] as const;

/** Whether `error`, or what caused it, says that PostgreSQL is away, through Prisma or plain `pg`; undefined for any other fault. */
export function databaseOutage(error: unknown): DatabaseOutage | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  // Not `instanceof Error`: what the system throws may be of another realm.
  const { code, message, cause } = error as { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown };
  const says = (kind: DatabaseOutage): boolean =>
    (typeof code === 'string' && codes[kind].test(code)) || (typeof message === 'string' && messages[kind].test(message));
  return kinds.find(says) ?? databaseOutage(cause);
}
