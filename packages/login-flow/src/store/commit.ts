import type { LoginFlowRow } from '@berth/database';
import { type FlowState, summaryOf } from '../state.js';
import { isPause, isTerminal } from '../transitions.js';
import type { Queryable } from './flow-store.js';
import { jsonOf, wellFormed } from './rows.js';

/** What a commit changes besides the state. Absent keeps what the row in hand holds. */
export interface Changes {
  readonly memory?: LoginFlowRow['memory'];
  readonly intent?: LoginFlowRow['intent'];
  readonly sealedAnswer?: Uint8Array | null;
  readonly answeredInteractionId?: string | null;
  readonly sealedValues?: Uint8Array | null;
}

/** What a flow's end means for the session that its connection keeps: logged in (and where that led), or over. */
export type SessionNow = { readonly status: 'AUTHENTICATED'; readonly postLoginUrl: string } | { readonly status: 'NEEDS_AUTH' };

// One statement, so one round trip and one atomic step. The connection's row is updated first: everyone who writes a flow takes that lock
// first, so nobody waits in a circle. A flow that has moved on meanwhile matches neither update, and nothing is written.
const statement = `
WITH connection AS (
  UPDATE auth_connections c SET
    sequence = c.sequence + 1, status = coalesce($17::"AuthStatus", c.status), updated_at = CASE WHEN $17 IS NULL THEN c.updated_at ELSE now() END,
    post_login_url = coalesce($18, c.post_login_url),
    last_auth_at = CASE WHEN $17 = 'AUTHENTICATED' THEN now() ELSE c.last_auth_at END, last_auth_check_at = CASE WHEN $17 = 'AUTHENTICATED' THEN now() ELSE c.last_auth_check_at END,
    next_check_at = CASE WHEN $17 IS DISTINCT FROM 'AUTHENTICATED' THEN c.next_check_at
      WHEN c.health_checks AND c.deleted_at IS NULL THEN now() + c.health_check_interval * interval '1 second' END
  FROM login_flows f
  WHERE f.id = $1 AND c.id = f.connection_id AND f.status = 'IN_PROGRESS' AND f.sequence = $2 AND f.owner_epoch = $3
  RETURNING c.id, c.sequence
), flow AS (
  UPDATE login_flows f SET
    sequence = connection.sequence, status = $4::"FlowStatus", step = $5::"FlowStep", state = $6::jsonb, interaction_id = $7, memory = $8::jsonb, intent = $9::jsonb,
    sealed_answer = $10, answered_interaction_id = $11, sealed_values = $12,
    pause_expires_at = CASE WHEN $13::bigint IS NULL THEN NULL WHEN $14 THEN now() + $13::bigint * interval '1 millisecond' ELSE f.pause_expires_at END,
    finished_at = CASE WHEN $15 THEN now() END, updated_at = now()
  FROM connection
  WHERE f.id = $1 AND f.status = 'IN_PROGRESS' AND f.sequence = $2 AND f.owner_epoch = $3
  RETURNING f.id, f.connection_id, f.sequence, f.status, f.step, f.updated_at, f.pause_expires_at, f.finished_at
), event AS (
  INSERT INTO login_flow_events (connection_id, sequence, flow_id, status, step, detail, created_at)
  SELECT connection_id, sequence, id, status, step, $16::jsonb, updated_at FROM flow
)
SELECT sequence, updated_at, pause_expires_at, finished_at FROM flow`;

interface Written {
  readonly sequence: string;
  readonly updated_at: Date;
  readonly pause_expires_at: Date | null;
  readonly finished_at: Date | null;
}

const bytes = (value: Uint8Array | null): Buffer | null => (value === null ? null : Buffer.from(value));

/** A pause's deadline starts anew whenever something else is asked (D39); it ends with the pause. */
function pauseOf(flow: LoginFlowRow, next: FlowState, pauseMs: number): { readonly length: number | null; readonly starts: boolean } {
  if (isTerminal(next.status) || !isPause(next.step)) return { length: null, starts: false };
  return {
    length: pauseMs,
    starts: flow.pauseExpiresAt === null || flow.step !== next.step || flow.interactionId !== (next.interactionId ?? null),
  };
}

/**
 * Writes the state after `flow`, which must be the row as last read: guarded by its sequence and owner epoch. Takes the connection's next
 * sequence and keeps an event for the timeline. An end leaves no secret in the row; `session` is what it means for the connection, written
 * with it.
 * @returns the row as it is now, or null when it has moved on meanwhile (another owner, an answer, an end) and nothing was written.
 */
export async function commitState(
  client: Queryable,
  flow: LoginFlowRow,
  next: FlowState,
  pauseMs: number,
  changes: Changes = {},
  session: SessionNow | null = null,
): Promise<LoginFlowRow | null> {
  const ended = isTerminal(next.status);
  const kept = JSON.stringify(next, wellFormed);
  const row: LoginFlowRow = {
    ...flow,
    ...changes,
    status: next.status,
    step: next.step,
    // What is told of it next is what is kept.
    state: JSON.parse(kept) as LoginFlowRow['state'],
    interactionId: next.interactionId ?? null,
    ...(ended && { sealedAnswer: null, sealedValues: null, intent: null }),
  } as LoginFlowRow;
  const pause = pauseOf(flow, next, pauseMs);
  const { rows } = await client.query<Written>({
    name: 'login-flow-commit',
    text: statement,
    values: [
      flow.id,
      flow.sequence.toString(),
      flow.ownerEpoch,
      row.status,
      row.step,
      kept,
      row.interactionId,
      jsonOf(row.memory),
      jsonOf(row.intent),
      bytes(row.sealedAnswer),
      row.answeredInteractionId,
      bytes(row.sealedValues),
      pause.length,
      pause.starts,
      ended,
      jsonOf(summaryOf(next)),
      session?.status ?? null,
      session?.status === 'AUTHENTICATED' ? session.postLoginUrl : null,
    ],
  });
  const [written] = rows;
  if (written === undefined) return null;
  return {
    ...row,
    sequence: BigInt(written.sequence),
    updatedAt: written.updated_at,
    pauseExpiresAt: written.pause_expires_at,
    finishedAt: written.finished_at,
  };
}
