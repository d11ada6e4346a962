import type { Database, LoginFlowRow } from '@berth/database';
import { unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import type { Publisher } from '../publisher.js';
import { eventOf, type ViewContext } from '../view.js';

/** A login or health-check browser that nobody needs any more. */
export interface BrowserToEnd {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly projectId: string;
}

/** What every verb of this package works on. One a process. */
export interface FlowStore extends ViewContext {
  readonly database: Database;
  readonly publisher: Publisher;
  /** Milliseconds that a pause may last (`BERTH_FLOW_PAUSE_SECONDS`, D39). */
  readonly pauseMs: number;
  /** Milliseconds that a flow may take overall (`BERTH_FLOW_TOTAL_SECONDS`, D39). */
  readonly totalMs: number;
  /**
   * Ends a browser and frees its slot; idempotent. Called after the commit that makes it needless, and again by the sweep until it is gone.
   */
  endBrowser(browser: BrowserToEnd): Promise<void>;
}

export type Pool = UnscopedAccess['pool'];
/** The pool, or one connection of it inside of a transaction. */
export type Queryable = Pick<Pool, 'query'>;

export const access = (store: FlowStore): UnscopedAccess => unscoped(store.database);

/** Runs `work` in one transaction on a connection of its own; whatever it throws undoes all of it. */
export async function inTransaction<T>(pool: Pool, work: (client: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection whose transaction is in doubt is not given back to the pool.
    client.release(true);
    throw error;
  }
}

/** Tells the world what was just committed. */
export function announce(store: FlowStore, flow: LoginFlowRow): void {
  store.publisher.publish({ connectionId: flow.connectionId, flowId: flow.id, sequence: flow.sequence, state: eventOf(flow, store) });
}

/** Tells the world that a flow has ended, and ends its browser. */
export async function announceEnd(store: FlowStore, flow: LoginFlowRow): Promise<void> {
  announce(store, flow);
  if (flow.browserSessionId === null) return;
  const { browserSessionId: sessionId, organizationId, projectId } = flow;
  await store.endBrowser({ sessionId, organizationId, projectId });
}
