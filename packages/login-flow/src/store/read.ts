import type { AuthConnectionRow, LoginFlowRow, ProjectScope } from '@berth/database';
import { hashHostedToken } from '../hosted-link.js';
import { flowDeadline } from '../view.js';
import { access, type FlowStore } from './flow-store.js';
import { flowColumns, flowOf, type ReadFlow } from './rows.js';

const byId = { name: 'login-flow-by-id', text: `SELECT ${flowColumns} FROM login_flows f WHERE f.id = $1` };

const newestOf = {
  name: 'login-flow-newest',
  text: `SELECT ${flowColumns} FROM login_flows f WHERE f.project_id = $1 AND f.connection_id = $2 ORDER BY f.created_at DESC, f.sequence DESC LIMIT 1`,
};

const currentOf = {
  name: 'login-flow-current',
  text: `SELECT c.id AS "current", c.status AS "connectionStatus", c.last_auth_at AS "lastAuthAt", c.last_auth_check_at AS "lastAuthCheckAt", c.requirements,
                c.sso_provider AS "ssoProvider", c.credential_id AS "credentialId", ${flowColumns}
           FROM auth_connections c LEFT JOIN login_flows f ON f.id = c.current_flow_id WHERE c.project_id = $1 AND c.id = ANY($2)`,
};

/** A connection, and its newest flow, as they stand. */
export interface Standing {
  readonly connectionId: string;
  readonly domain: string;
  readonly loginUrl: string | null;
  /** Of the connection: raised by whatever becomes of its flows. */
  readonly sequence: bigint;
  /** Running or ended; null before the first. */
  readonly flow: LoginFlowRow | null;
  /** When it was looked at, on PostgreSQL's clock. */
  readonly at: Date;
}

type ReadStanding = Pick<Standing, 'connectionId' | 'domain' | 'loginUrl' | 'at'> & { readonly connectionSequence: string };

const standingOf = {
  name: 'login-flow-standing',
  text: `SELECT c.id AS "connectionId", c.sequence AS "connectionSequence", c.domain, c.login_url AS "loginUrl", now() AS at, ${flowColumns}
           FROM auth_connections c LEFT JOIN login_flows f ON f.id = c.current_flow_id
          WHERE c.project_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
};

/** Null when there is no such connection. */
export async function readStanding(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<Standing | null> {
  const [read] = await store.database.queryProject<ReadStanding & (ReadFlow | { readonly id: null })>(scope, standingOf, connectionId);
  if (read === undefined) return null;
  const { domain, loginUrl, at } = read;
  return { connectionId, domain, loginUrl, at, sequence: BigInt(read.connectionSequence), flow: read.id === null ? null : flowOf(read) };
}

/** One past its deadline runs no more, whoever is to close it (D39). */
export const isRunning = ({ flow, at }: Standing): boolean => flow?.status === 'IN_PROGRESS' && flowDeadline(flow) > at;

/** The connection's newest flow, running or ended; null before the first. */
export async function readCurrentFlow(store: FlowStore, scope: ProjectScope, connectionId: string): Promise<LoginFlowRow | null> {
  const [read] = await store.database.queryProject<ReadFlow>(scope, newestOf, connectionId);
  return read === undefined ? null : flowOf(read);
}

/** What flows write of a connection, and the newest of them, as both stood at one moment. */
export interface CurrentState {
  readonly written: Pick<AuthConnectionRow, 'status' | 'lastAuthAt' | 'lastAuthCheckAt' | 'requirements' | 'ssoProvider' | 'credentialId'>;
  /** Running or ended; null before the first. */
  readonly flow: LoginFlowRow | null;
}

type ReadCurrent = Omit<CurrentState['written'], 'status'> & {
  readonly current: string;
  readonly connectionStatus: AuthConnectionRow['status'];
} & (ReadFlow | { readonly id: null });

/** Of several connections, by connection id. */
export async function readCurrentStates(
  store: FlowStore,
  scope: ProjectScope,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, CurrentState>> {
  const rows = await store.database.queryProject<ReadCurrent>(scope, currentOf, connectionIds);
  return new Map(
    rows.map((read) => {
      const { connectionStatus: status, lastAuthAt, lastAuthCheckAt, requirements, ssoProvider, credentialId } = read;
      const written = { status, lastAuthAt, lastAuthCheckAt, requirements, ssoProvider, credentialId };
      return [read.current, { written, flow: read.id === null ? null : flowOf(read) }];
    }),
  );
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
