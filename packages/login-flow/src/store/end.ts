import { type LoginFlowRow, newId, type ProjectScope } from '@berth/database';
import { type FlowEvent, step } from '../step.js';
import { flowDeadline, stateOf } from '../view.js';
import { commitState } from './commit.js';
import { access, announceEnd, type FlowStore } from './flow-store.js';
import { readCurrentFlow, readFlow } from './read.js';

type End = Extract<FlowEvent, { kind: 'expire' | 'cancel' | 'fail' }>;

/** Ends a flow from outside, whoever owns it. @returns the ended row, or null when it had ended already. */
export async function closeFlow(store: FlowStore, flow: LoginFlowRow, end: End): Promise<LoginFlowRow | null> {
  let current: LoginFlowRow | null = flow;
  while (current !== null && current.status === 'IN_PROGRESS') {
    if (end.kind === 'expire' && flowDeadline(current) > new Date()) return null;
    const closed = await commitState(access(store).pool, current, step(stateOf(current), end, newId), store.pauseMs);
    if (closed !== null) {
      await announceEnd(store, closed);
      return closed;
    }
    current = await readFlow(store, flow.id);
  }
  return null;
}

export const expire = (store: FlowStore, flow: LoginFlowRow): Promise<LoginFlowRow | null> => closeFlow(store, flow, { kind: 'expire' });

/** Closes the connection's flow EXPIRED if it is past its deadline (D39). @returns it, or null when there was nothing to close. */
export async function closeOverdue(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<LoginFlowRow | null> {
  const flow = await readCurrentFlow(store, scope, connectionId);
  return flow !== null && flow.status === 'IN_PROGRESS' && flowDeadline(flow) <= new Date() ? expire(store, flow) : null;
}

/**
 * Ends the connection's running flow CANCELED (D41). @returns it, or null when none was running; one past its deadline counts as ended and
 * is closed EXPIRED.
 */
export async function cancelFlow(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<LoginFlowRow | null> {
  await closeOverdue(store, scope, connectionId);
  const flow = await readCurrentFlow(store, scope, connectionId);
  return flow === null ? null : closeFlow(store, flow, { kind: 'cancel' });
}

/**
 * Deletes a connection; a running flow ends CANCELED (D40). Soft delete first, then the flow: no flow can start on a deleted connection, so
 * none is missed. The profile and the credential stay (D44). @returns false when there is no such connection.
 */
export async function retireConnection(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<boolean> {
  const { count } = await store.database
    .project(scope)
    .authConnection.updateMany({ where: { id: connectionId, deletedAt: null }, data: { deletedAt: new Date(), nextCheckAt: null } });
  if (count === 0) return false;
  await cancelFlow(store, scope, connectionId);
  return true;
}
