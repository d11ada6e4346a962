import type { FastifyReply } from 'fastify';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const defaultLimit = 20;

/** The page a list was asked for (D15): `limit` 1–100, default 20; `offset` from 0. */
export function pageOf(query: { readonly limit?: number | undefined; readonly offset?: number | undefined }): Page {
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0 };
}

/** What to ask the database for: one row more than the page, which tells whether there is a further page without counting. */
export function rowsOf(page: Page): { readonly take: number; readonly skip: number } {
  return { take: page.limit + 1, skip: page.offset };
}

/** Cuts the extra row off and sends the paging headers; `X-Next-Offset` is absolute, and 0 on the last page (D15). */
export function cutToPage<T>(reply: FastifyReply, page: Page, rows: readonly T[]): readonly T[] {
  const hasMore = rows.length > page.limit;
  reply.header('X-Has-More', String(hasMore));
  reply.header('X-Next-Offset', String(hasMore ? page.offset + page.limit : 0));
  return rows.slice(0, page.limit);
}
