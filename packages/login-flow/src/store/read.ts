import type { AuthConnectionRow, LoginFlowRow, ProjectScope } from '@berth/database';
import { hashHostedToken } from '../hosted-link.js';
import { access, type FlowStore } from './flow-store.js';
import { flowColumns, flowOf, type ReadFlow } from './rows.js';

const byId = { name: 'login-flow-by-id', text: `SELECT ${flowColumns} FROM login_flows f WHERE f.id = $1` };

const newestOf = {
  name: 'login-flow-newest',
  text: `SELECT ${flowColumns} FROM login_flows f WHERE f.project_id = $1 AND f.connection_id = $2 ORDER BY f.created_at DESC, f.sequence DESC LIMIT 1`,
};

const currentOf = {
  name: 'login-flow-current',
  text: `SELECT ${flowColumns} FROM auth_connections c JOIN login_flows f ON f.id = c.current_flow_id WHERE c.project_id = $1 AND c.id = ANY($2)`,
};

/** The connection's newest flow, running or ended; null before the first. */
export async function readCurrentFlow(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<LoginFlowRow | null> {
  const [read] = await store.database.queryProject<ReadFlow>(scope, newestOf, connectionId);
  return read === undefined ? null : flowOf(read);
}

/** The newest flows of several connections, by connection id: for lists. */
export async function readCurrentFlows(
  store: FlowStore,
  scope: ProjectScope,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, LoginFlowRow>> {
  const rows = await store.database.queryProject<ReadFlow>(scope, currentOf, connectionIds);
  return new Map(rows.map((read) => [read.connectionId, flowOf(read)]));
}

/** A flow with what its page tells of the connection. */
export type HostedFlow = LoginFlowRow & { readonly connection: Pick<AuthConnectionRow, 'domain' | 'saveCredentials'> };

/** The flow that a hosted link opens; null for an unknown token. The link is the credential (D58), so no scope is named. */
export async function readHostedFlow(store: FlowStore, token: string): Promise<HostedFlow | null> {
  return access(store).prisma.loginFlow.findUnique({
    where: { hostedTokenHash: hashHostedToken(token) },
    include: { connection: { select: { domain: true, saveCredentials: true } } },
  });
}

/** A flow by its id, for workers, sweeps and the hosted page's cookie. */
export async function readFlow(store: FlowStore, flowId: string): Promise<LoginFlowRow | null> {
  const {
    rows: [read],
  } = await access(store).pool.query<ReadFlow>({ ...byId, values: [flowId] });
  return read === undefined ? null : flowOf(read);
}
