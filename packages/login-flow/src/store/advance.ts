import { type LoginFlowRow, newId } from '@berth/database';
import { type FlowEvent, step } from '../step.js';
import { isTerminal } from '../transitions.js';
import { stateOf } from '../view.js';
import { type Changes, commitState } from './commit.js';
import { access, announce, announceEnd, type FlowStore } from './flow-store.js';
import { FlowLost } from './ownership.js';
import { readFlow } from './read.js';
import { jsonOf } from './rows.js';

/**
 * The owner's way to move a flow: the step function's next state, written and then published. Nothing is written when the state stays as it
 * is and nothing else changes.
 * @throws {FlowLost} when the row has moved on; an answer that came in meanwhile is one such move, and the owner reads the row again.
 */
export async function advance(store: FlowStore, flow: LoginFlowRow, event: FlowEvent, changes: Changes = {}): Promise<LoginFlowRow> {
  const state = stateOf(flow);
  const next = step(state, event, newId);
  if (next === state) return Object.keys(changes).length === 0 ? flow : remember(store, flow, changes);
  const failsReauth = event.kind === 'fail' && flow.type === 'REAUTH';
  // A REAUTH that fails tells that the session is over: only a person can help now (D44).
  const written = await commitState(access(store).pool, flow, next, store.pauseMs, changes, failsReauth ? { status: 'NEEDS_AUTH' } : null);
  if (written === null) throw new FlowLost(flow.id);
  if (isTerminal(next.status)) await announceEnd(store, written);
  else announce(store, written);
  return written;
}

/** Keeps what the engine must remember, without a new state. @throws {FlowLost} */
export async function remember(store: FlowStore, flow: LoginFlowRow, changes: Changes): Promise<LoginFlowRow> {
  const row = { ...flow, ...changes } as LoginFlowRow;
  const { rowCount } = await access(store).pool.query({
    name: 'login-flow-remember',
    text: `
      UPDATE login_flows SET memory = $4::jsonb, intent = $5::jsonb, sealed_answer = $6, answered_interaction_id = $7, sealed_values = $8
      WHERE id = $1 AND status = 'IN_PROGRESS' AND sequence = $2 AND owner_epoch = $3`,
    values: [
      flow.id,
      flow.sequence.toString(),
      flow.ownerEpoch,
      jsonOf(row.memory),
      jsonOf(row.intent),
      row.sealedAnswer && Buffer.from(row.sealedAnswer),
      row.answeredInteractionId,
      row.sealedValues && Buffer.from(row.sealedValues),
    ],
  });
  if (rowCount !== 1) throw new FlowLost(flow.id);
  return row;
}

/**
 * SUCCESS for a flow whose profile is saved: first the browser is gone and its slot free, then the state says so (D44). Whoever finds a
 * saved flow may do it, the sweep included. @returns null when someone else has ended it.
 */
export async function finishSaved(store: FlowStore, flow: LoginFlowRow): Promise<LoginFlowRow | null> {
  if (flow.savedAt === null) throw new TypeError('only a flow whose profile is saved can succeed');
  if (flow.browserSessionId !== null)
    await store.endBrowser({ sessionId: flow.browserSessionId, organizationId: flow.organizationId, projectId: flow.projectId });
  let current: LoginFlowRow | null = flow;
  while (current !== null && current.status === 'IN_PROGRESS') {
    const postLoginUrl = current.postLoginUrl ?? '';
    const done = await commitState(
      access(store).pool,
      current,
      step(stateOf(current), { kind: 'succeed', postLoginUrl }, newId),
      store.pauseMs,
      {},
      { status: 'AUTHENTICATED', postLoginUrl },
    );
    if (done !== null) {
      announce(store, done);
      return done;
    }
    current = await readFlow(store, flow.id);
  }
  return null;
}
