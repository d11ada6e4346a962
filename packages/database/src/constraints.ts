import { Prisma } from './generated/prisma/client.js';

interface DriverCause {
  readonly originalCode?: string;
  readonly kind?: string;
  readonly constraint?: { readonly fields?: readonly string[]; readonly index?: string };
  readonly originalMessage?: string;
}

/**
 * Whether `error` is PostgreSQL's refusal of a second row in the named unique index. Works for Prisma's errors (which name fields or
 * the index, depending on the index) and for plain `pg` errors.
 */
export function violatesUnique(error: unknown, index: string): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    const cause = (error.meta?.['driverAdapterError'] as { cause?: DriverCause } | undefined)?.cause;
    return cause?.constraint?.index === index || (cause?.originalMessage ?? '').includes(`"${index}"`);
  }
  return error instanceof Error && 'code' in error && error.code === '23505' && 'constraint' in error && error.constraint === index;
}

/** Whether `error` is the refusal of a row in a project that was deleted meanwhile (SQLSTATE BTH01), through Prisma or plain `pg`. */
export function isInsertIntoDeletedProject(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'BTH01') return true;
  const meta = 'meta' in error ? (error.meta as { driverAdapterError?: { cause?: DriverCause } } | undefined) : undefined;
  const cause = meta?.driverAdapterError?.cause ?? (error.cause as DriverCause | undefined);
  return cause?.originalCode === 'BTH01';
}
