import { type LoginFlowRow, newId, type ProjectScope } from '@berth/database';
import type { FlowType } from '@berth/schema';
import { mintHostedToken } from '../hosted-link.js';
import { startAddress } from '../start-address.js';
import { firstState } from '../state.js';
import { step } from '../step.js';
import { stateOf } from '../view.js';
import { commitState } from './commit.js';
import { access, announce, announceEnd, type FlowStore, inTransaction, type Queryable } from './flow-store.js';
import { isRunning, readStanding, type Standing } from './read.js';
import { flowColumns, flowOf, type ReadFlow } from './rows.js';

export interface StartRequest {
  readonly connectionId: string;
  readonly type: FlowType;
  /** Session id under which the slot was acquired before this call; the row made here confirms it. */
  readonly sessionId: string;
  readonly headless: boolean;
}

export type Started =
  { readonly kind: 'started'; readonly flow: LoginFlowRow } | { readonly kind: 'flow_in_progress' } | { readonly kind: 'not_found' };

// One statement, so one round trip and one atomic step. Whatever becomes of a flow raises its connection's sequence, so a sequence that is
// still the one that was read says that no other flow has started and the connection was not deleted with one.
const statement = `
WITH connection AS (
  UPDATE auth_connections c SET current_flow_id = $4, sequence = c.sequence + 1, updated_at = now()
  WHERE c.project_id = $1 AND c.id = $2 AND c.sequence = $3 AND c.deleted_at IS NULL
  RETURNING c.id, c.organization_id, c.project_id, c.profile_id, c.sequence
), session AS (
  INSERT INTO browser_sessions (id, organization_id, project_id, kind, headless, timeout_seconds, start_url, profile_id)
  SELECT $5, organization_id, project_id, 'login', $6, $7, $8, profile_id FROM connection
), f AS (
  INSERT INTO login_flows (id, organization_id, project_id, connection_id, type, sequence, state, memory, browser_session_id, hosted_token_hash, sealed_hosted_token, expires_at)
  SELECT $4, organization_id, project_id, id, $9::"FlowType", sequence, $10::jsonb, '{}', $5, $11, $12, now() + $13::bigint * interval '1 millisecond' FROM connection
  RETURNING *
), event AS (
  INSERT INTO login_flow_events (connection_id, sequence, flow_id, status, step, detail) SELECT connection_id, sequence, id, status, step, '{}' FROM f
)
SELECT ${flowColumns} FROM f`;

/**
 * Starts a flow: flow and login-browser rows in one statement, guarded by the connection's sequence (D38). A flow past its deadline is
 * closed EXPIRED in the same transaction. The caller has acquired the slot, and on any other outcome than `started` releases it; on
 * `started` it enqueues the launch and then the flow. `seen`: how the connection stood when the caller looked.
 */
export async function startFlow(store: FlowStore, scope: ProjectScope, request: StartRequest, seen?: Standing): Promise<Started> {
  // The guard refuses only when another state was written meanwhile, so every round meets a newer one.
  for (let standing = seen ?? (await readStanding(store, scope, request.connectionId)); ;) {
    if (standing === null) return { kind: 'not_found' };
    if (isRunning(standing)) return { kind: 'flow_in_progress' };
    const written = await write(store, scope, request, standing);
    if (written !== null) {
      if (written.expired !== null) await announceEnd(store, written.expired);
      announce(store, written.flow);
      return { kind: 'started', flow: written.flow };
    }
    standing = await readStanding(store, scope, request.connectionId);
  }
}

interface Written {
  /** The flow past its deadline that the new one replaces. */
  readonly expired: LoginFlowRow | null;
  readonly flow: LoginFlowRow;
}

/** @returns null when the connection has moved on; then nothing is kept. */
async function write(store: FlowStore, scope: ProjectScope, request: StartRequest, standing: Standing): Promise<Written | null> {
  const { flow: former, sequence } = standing;
  if (former?.status === 'IN_PROGRESS') return replace(store, scope, request, standing, former);
  const flow = await insert(access(store).pool, store, scope, request, standing, sequence);
  return flow && { expired: null, flow };
}

/** Nothing is kept when either half meets a row that has moved on. */
async function replace(
  store: FlowStore,
  scope: ProjectScope,
  request: StartRequest,
  standing: Standing,
  overdue: LoginFlowRow,
): Promise<Written | null> {
  try {
    return await inTransaction(access(store).pool, async (client) => {
      const expired = await commitState(client, overdue, step(stateOf(overdue), { kind: 'expire' }, newId), store.pauseMs);
      if (expired === null) throw new MovedOn();
      const flow = await insert(client, store, scope, request, standing, expired.sequence);
      if (flow === null) throw new MovedOn();
      return { expired, flow };
    });
  } catch (error) {
    if (error instanceof MovedOn) return null;
    throw error;
  }
}

/** Undoes the transaction. */
class MovedOn extends Error {}

async function insert(
  client: Queryable,
  store: FlowStore,
  scope: ProjectScope,
  { connectionId, type, sessionId, headless }: StartRequest,
  connection: Standing,
  sequence: bigint,
): Promise<LoginFlowRow | null> {
  const { hostedTokenHash, sealedHostedToken } = mintHostedToken(store.sealer);
  const {
    rows: [read],
  } = await client.query<ReadFlow>({
    name: 'login-flow-start',
    text: statement,
    values: [
      scope.projectId,
      connectionId,
      sequence.toString(),
      newId(),
      sessionId,
      headless,
      // The browser's idle limit is the flow's deadline: while the flow lives nothing else may end it.
      Math.ceil(store.totalMs / 1000) + 60,
      startAddress(connection),
      type,
      JSON.stringify(firstState),
      Buffer.from(hostedTokenHash),
      Buffer.from(sealedHostedToken),
      store.totalMs,
    ],
  });
  return read === undefined ? null : flowOf(read);
}
