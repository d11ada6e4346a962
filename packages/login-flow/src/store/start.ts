import { type AuthConnectionRow, type LoginFlowRow, newId, type Prisma, type ProjectScope } from '@berth/database';
import type { FlowType } from '@berth/schema';
import { mintHostedToken } from '../hosted-link.js';
import { firstState } from '../state.js';
import { step } from '../step.js';
import { flowDeadline, stateOf } from '../view.js';
import { access, announce, announceEnd, type FlowStore } from './flow-store.js';

export interface StartRequest {
  readonly connectionId: string;
  readonly type: FlowType;
  /** Session id under which the slot was acquired before this call; the row made here confirms it. */
  readonly sessionId: string;
  readonly headless: boolean;
  readonly telemetry?: Prisma.InputJsonValue | undefined;
  readonly proxyId?: string | undefined;
}

export type Started =
  | { readonly kind: 'started'; readonly flow: LoginFlowRow }
  | { readonly kind: 'flow_in_progress' }
  | { readonly kind: 'not_found' };

interface Written {
  readonly outcome: Started;
  readonly expired: LoginFlowRow | null;
}

/**
 * Starts a flow: flow and login-browser rows in one transaction, under the connection's lock (D38). A flow past its deadline is closed EXPIRED in the same
 * transaction. The caller has acquired the slot, and on any other outcome than `started` releases it; on `started` it enqueues the launch and then the flow.
 */
export async function startFlow(store: FlowStore, scope: ProjectScope, request: StartRequest): Promise<Started> {
  const { prisma } = access(store);
  const { outcome, expired } = await prisma.$transaction(async (transaction): Promise<Written> => {
    const [locked] = await transaction.$queryRaw<{ sequence: bigint; now: Date }[]>`
      SELECT sequence, now() AS now FROM auth_connections WHERE id = ${request.connectionId} AND project_id = ${scope.projectId} AND deleted_at IS NULL FOR UPDATE`;
    if (locked === undefined) return { outcome: { kind: 'not_found' }, expired: null };
    const running = await transaction.loginFlow.findFirst({ where: { connectionId: request.connectionId, status: 'IN_PROGRESS' } });
    if (running !== null && flowDeadline(running) > locked.now) return { outcome: { kind: 'flow_in_progress' }, expired: null };
    const expired = running === null ? null : await expireInside(transaction, running, locked.sequence + 1n, locked.now);
    const connection = await transaction.authConnection.findUniqueOrThrow({ where: { id: request.connectionId } });
    const flow = await insert(transaction, store, connection, request, locked.now, locked.sequence + (expired === null ? 1n : 2n));
    return { outcome: { kind: 'started', flow }, expired };
  });
  if (expired !== null) await announceEnd(store, expired);
  if (outcome.kind === 'started') await announce(store, outcome.flow);
  return outcome;
}

type Inside = Parameters<Parameters<ReturnType<typeof access>['prisma']['$transaction']>[0]>[0];

/** Under the connection's lock no one else can be writing the flow's state, so no guard is needed. */
async function expireInside(transaction: Inside, flow: LoginFlowRow, sequence: bigint, now: Date): Promise<LoginFlowRow> {
  const state = step(stateOf(flow), { kind: 'expire' }, newId);
  await transaction.loginFlowEvent.create({ data: { connectionId: flow.connectionId, sequence, flowId: flow.id, status: state.status, step: state.step, detail: {}, createdAt: now } });
  return transaction.loginFlow.update({
    where: { id: flow.id },
    data: {
      sequence, status: state.status, state, interactionId: null, sealedAnswer: null, sealedValues: null, pauseExpiresAt: null, finishedAt: now, updatedAt: now,
    },
  });
}

async function insert(transaction: Inside, store: FlowStore, connection: AuthConnectionRow, request: StartRequest, now: Date, sequence: bigint): Promise<LoginFlowRow> {
  const tenant = { organizationId: connection.organizationId, projectId: connection.projectId };
  const flowId = newId();
  await transaction.browserSession.create({
    data: {
      ...tenant, id: request.sessionId, kind: 'login', headless: request.headless, createdAt: now,
      // The browser's idle limit is the flow's deadline: while the flow lives nothing else may end it.
      timeoutSeconds: Math.ceil(store.totalMs / 1000) + 60,
      profileId: connection.profileId,
      ...(request.telemetry !== undefined && { telemetry: request.telemetry }),
      ...(request.proxyId !== undefined && { proxyId: request.proxyId }),
    },
  });
  const flow = await transaction.loginFlow.create({
    data: {
      ...tenant, id: flowId, connectionId: connection.id, type: request.type, sequence, state: firstState, memory: {}, browserSessionId: request.sessionId,
      ...mintHostedToken(store.sealer), expiresAt: new Date(now.getTime() + store.totalMs), createdAt: now, updatedAt: now,
    },
  });
  await transaction.loginFlowEvent.create({ data: { connectionId: connection.id, sequence, flowId, status: flow.status, step: flow.step, detail: {}, createdAt: now } });
  await transaction.authConnection.update({ where: { id: connection.id }, data: { currentFlowId: flowId, sequence } });
  return flow;
}

