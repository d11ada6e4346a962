import type { LoginFlowRow } from '@berth/database';
import type { LoginJob } from '../queue.js';
import { access, type FlowStore } from './flow-store.js';
import { connectionColumns, connectionOf, type FlowConnection, flowColumns, flowOf, type ReadFlowAndConnection } from './rows.js';

/** The flow is no longer this worker's: another one took it over, or it has ended. The worker drops it and touches nothing. */
export class FlowLost extends Error {
  override readonly name = 'FlowLost';
  constructor(flowId: string) {
    super(`login flow ${flowId} has another owner or has ended`);
  }
}

export interface ClaimedFlow {
  readonly flow: LoginFlowRow;
  readonly connection: FlowConnection;
}

const claim = {
  name: 'login-flow-claim',
  text: `UPDATE login_flows f SET owner_epoch = f.owner_epoch + 1, owner_seen_at = now() FROM auth_connections c
          WHERE f.id = $1 AND f.owner_epoch = $2 AND f.status = 'IN_PROGRESS' AND c.id = f.connection_id RETURNING ${flowColumns}, ${connectionColumns}`,
};

/**
 * Takes a flow over from the owner the job names (D41: an owner epoch keeps a stalled worker out). @returns null when it has ended or
 * someone else was faster.
 */
export async function claimFlow(store: FlowStore, job: LoginJob): Promise<ClaimedFlow | null> {
  const {
    rows: [read],
  } = await access(store).pool.query<ReadFlowAndConnection>({ ...claim, values: [job.flowId, job.epoch] });
  return read === undefined ? null : { flow: flowOf(read), connection: connectionOf(read) };
}

export interface OwnedFlow {
  readonly flowId: string;
  readonly epoch: number;
}

/** How an owned flow stands in Postgres. A sequence that the owner did not write means an answer or an end. */
export interface FlowPulse extends OwnedFlow {
  readonly sequence: bigint;
  /** The login browser is ending or gone. */
  readonly browserGone: boolean;
}

/**
 * Says for all flows of a worker at once that it lives, and tells how they stand; a flow missing from the answer is no longer its own. One
 * statement, however many flows, so parked flows cost nothing apart.
 */
export async function renewOwnership(store: FlowStore, owned: readonly OwnedFlow[]): Promise<readonly FlowPulse[]> {
  const { rows } = await access(store).pool.query<{ id: string; owner_epoch: number; sequence: string; browser_gone: boolean }>({
    name: 'login-flow-renew',
    text: `
      UPDATE login_flows f SET owner_seen_at = now()
      FROM unnest($1::text[], $2::int[]) AS owned (id, epoch) LEFT JOIN login_flows mine ON mine.id = owned.id LEFT JOIN browser_sessions s ON s.id = mine.browser_session_id
      WHERE f.id = owned.id AND f.owner_epoch = owned.epoch AND f.status = 'IN_PROGRESS'
      RETURNING f.id, f.owner_epoch, f.sequence, coalesce(s.status IN ('ending', 'ended'), true) AS browser_gone`,
    values: [owned.map(({ flowId }) => flowId), owned.map(({ epoch }) => epoch)],
  });
  return rows.map((row) => ({ flowId: row.id, epoch: row.owner_epoch, sequence: BigInt(row.sequence), browserGone: row.browser_gone }));
}

/**
 * Gives a flow up without ending it (D55). @returns the job that lets another worker take it over at once, or null when it was not this
 * worker's any more.
 */
export async function handOver(store: FlowStore, { flowId, epoch }: OwnedFlow): Promise<LoginJob | null> {
  const { rowCount } = await access(store).pool.query(
    `UPDATE login_flows SET owner_seen_at = NULL WHERE id = $1 AND owner_epoch = $2 AND status = 'IN_PROGRESS'`,
    [flowId, epoch],
  );
  return rowCount === 1 ? { flowId, epoch } : null;
}
