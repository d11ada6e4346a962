import type { AuthConnectionRow, LoginFlowRow, ProjectScope } from '@berth/database';
import { hashHostedToken } from '../hosted-link.js';
import { access, type FlowStore } from './flow-store.js';

/** The connection's newest flow, running or ended; null before the first. */
export async function readCurrentFlow(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<LoginFlowRow | null> {
  return store.database.project(scope).loginFlow.findFirst({ where: { connectionId }, orderBy: [{ createdAt: 'desc' }, { sequence: 'desc' }] });
}

/** The newest flows of several connections, by connection id: for lists. */
export async function readCurrentFlows(store: FlowStore, scope: ProjectScope, connectionIds: readonly string[]): Promise<ReadonlyMap<string, LoginFlowRow>> {
  const connections = await store.database.project(scope).authConnection.findMany({ where: { id: { in: [...connectionIds] }, currentFlowId: { not: null } }, select: { currentFlowId: true } });
  const flows = await store.database.project(scope).loginFlow.findMany({ where: { id: { in: connections.flatMap(({ currentFlowId }) => currentFlowId ?? []) } } });
  return new Map(flows.map((flow) => [flow.connectionId, flow]));
}

/** A flow with what its page tells of the connection. */
export type HostedFlow = LoginFlowRow & { readonly connection: Pick<AuthConnectionRow, 'domain' | 'saveCredentials'> };

/** The flow that a hosted link opens; null for an unknown token. The link is the credential (D58), so no scope is named. */
export async function readHostedFlow(store: FlowStore, token: string): Promise<HostedFlow | null> {
  return access(store).prisma.loginFlow.findUnique({ where: { hostedTokenHash: hashHostedToken(token) }, include: { connection: { select: { domain: true, saveCredentials: true } } } });
}

/** A flow by its id, for workers, sweeps and the hosted page's cookie. */
export async function readFlow(store: FlowStore, flowId: string): Promise<LoginFlowRow | null> {
  return access(store).prisma.loginFlow.findUnique({ where: { id: flowId } });
}
