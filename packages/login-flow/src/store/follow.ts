import type { LoginFlowRow } from '@berth/database';
import { access, type FlowStore } from './flow-store.js';

/** What a follower needs of a flow's row: enough for `eventOf`. */
export type FollowedFlow = Pick<LoginFlowRow, 'id' | 'type' | 'status' | 'state' | 'updatedAt' | 'sealedHostedToken'> & {
  readonly sequence: number;
};

/** A connection as its followers see it. */
export interface Followed {
  readonly connectionId: string;
  readonly deleted: boolean;
  /** Number of the newest stored state, 0 before the first. */
  readonly sequence: number;
  /** The newest flow, and those asked for by id; oldest state first. */
  readonly flows: readonly FollowedFlow[];
}

interface ConnectionRow {
  readonly connection_id: string;
  readonly deleted: boolean;
  readonly connection_sequence: string;
}

interface FollowedRow extends ConnectionRow, Omit<FollowedFlow, 'id' | 'sequence'> {
  /** Null where the connection has no flow; the other columns of the flow then are too. */
  readonly id: string | null;
  readonly sequence: string;
}

const followed = {
  name: 'login-flow-followed',
  text: `SELECT c.id AS connection_id, c.deleted_at IS NOT NULL AS deleted, c.sequence AS connection_sequence,
                f.id, f.type, f.status, f.state, f.sequence, f.updated_at AS "updatedAt", f.sealed_hosted_token AS "sealedHostedToken"
           FROM auth_connections c LEFT JOIN login_flows f ON f.connection_id = c.id AND (f.id = c.current_flow_id OR f.id = ANY($2))
          WHERE c.id = ANY($1) ORDER BY f.sequence`,
};

const changed = {
  name: 'login-flow-changed',
  text: `SELECT c.id FROM unnest($1::text[], $2::bigint[]) AS known (id, sequence) JOIN auth_connections c ON c.id = known.id
          WHERE c.sequence > known.sequence OR c.deleted_at IS NOT NULL`,
};

/**
 * Connections and their newest flows, in one statement; flows of `flowIds` as well, whatever runs by now. The ids come from requests whose
 * scope was checked, or from a hosted link, so no scope is named.
 */
export async function readFollowed(
  store: FlowStore,
  connectionIds: readonly string[],
  flowIds: readonly string[] = [],
): Promise<ReadonlyMap<string, Followed>> {
  const { rows } = await access(store).pool.query<FollowedRow>({ ...followed, values: [connectionIds, flowIds] });
  const found = new Map<string, Followed & { readonly flows: FollowedFlow[] }>();
  for (const { connection_id: connectionId, deleted, connection_sequence, id, ...flow } of rows) {
    const entry = found.get(connectionId) ?? { connectionId, deleted, sequence: Number(connection_sequence), flows: [] };
    found.set(connectionId, entry);
    if (id !== null) entry.flows.push({ ...flow, id, sequence: Number(flow.sequence) });
  }
  return found;
}

/** Which connections have a newer state than the given sequence, or are deleted. Cheap however many are asked for: no state is read. */
export async function connectionsChangedSince(store: FlowStore, known: ReadonlyMap<string, number>): Promise<readonly string[]> {
  if (known.size === 0) return [];
  const { rows } = await access(store).pool.query<{ id: string }>({ ...changed, values: [[...known.keys()], [...known.values()]] });
  return rows.map(({ id }) => id);
}
