import { Inject, Injectable } from '@nestjs/common';
import type { Publisher } from '@berth/browser-fleet';
import { type AuthConnectionRow, type ProjectScope, violatesUnique } from '@berth/database';
import { connectionChannel, type FlowStore, lookAgain, readCurrentStates, retireConnection } from '@berth/login-flow';
import type { AuthConnection, CreateAuthConnection, UpdateAuthConnection } from '@berth/schema';
import { CredentialsService } from '../credentials/credentials.service.js';
import { ApiError, notFound } from '../errors/api-error.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { PUBLISHER } from '../stores.module.js';
import { chosenColumns, refuseUnsupported } from './connection-choices.js';
import { connectionView } from './connection-view.js';
import { type ChangedColumns, ConnectionsRepository } from './connections.repository.js';
import { FLOW_STORE } from './flow-store.module.js';

/** Auth connections: a profile's way into one domain. */
@Injectable()
export class ConnectionsService {
  constructor(
    @Inject(FLOW_STORE) private readonly store: FlowStore,
    @Inject(ConnectionsRepository) private readonly repository: ConnectionsRepository,
    @Inject(ProfilesService) private readonly profiles: ProfilesService,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(PUBLISHER) private readonly publisher: Publisher,
  ) {}

  /** Makes the profile as well when its name is new (D37). @throws ApiError bad_request, conflict */
  async create(scope: ProjectScope, id: string, body: CreateAuthConnection): Promise<AuthConnection> {
    refuseUnsupported(body);
    const credential =
      body.credential?.name === undefined ? null : await this.credentials.use(scope, body.credential.name, 'credential.name');
    const wanted = { ...chosenColumns(body), domain: body.domain, profileName: body.profile_name, credentialId: credential?.id ?? null };
    const made = await onePerProfileAndDomain(whenProfileIsMadeMeanwhile(() => this.repository.create(scope, id, wanted)));
    return connectionView({ ...made, credential, flow: null }, this.store);
  }

  /** An empty body changes nothing. @throws ApiError bad_request, not_found */
  async update(scope: ProjectScope, connection: AuthConnectionRow, body: UpdateAuthConnection): Promise<AuthConnection> {
    refuseUnsupported(body);
    const credential =
      body.credential?.name === undefined ? undefined : await this.credentials.use(scope, body.credential.name, 'credential.name');
    const changes: ChangedColumns = { ...chosenColumns(body), ...(credential !== undefined && { credentialId: credential.id }) };
    if (Object.keys(changes).length === 0) return this.view(scope, connection);
    const row = await this.repository.update(scope, connection.id, { ...changes, ...nextCheck(connection, changes) });
    if (row === undefined) throw notFound();
    return this.view(scope, row);
  }

  /** Ends a running flow CANCELED; profile and credential stay (D40, D44). */
  async delete(scope: ProjectScope, { id }: AuthConnectionRow): Promise<void> {
    await retireConnection(this.store, scope, id);
    // Followers without a flow are told nothing by the flow's end; lost, their relay sees it at its own next look.
    await this.publisher.publish(connectionChannel(id), lookAgain).catch(() => undefined);
  }

  find(scope: ProjectScope, id: string): Promise<AuthConnectionRow | undefined> {
    return this.repository.find(scope, id);
  }

  async view(scope: ProjectScope, connection: AuthConnectionRow): Promise<AuthConnection> {
    const [view] = await this.views(scope, [connection]);
    return view as AuthConnection;
  }

  /**
   * Records in the order given; three questions to the database, however many. What flows write of a connection is taken as it stands beside
   * the flow that wrote it: a row that was read earlier would be older than its own flow.
   */
  async views(scope: ProjectScope, rows: readonly AuthConnectionRow[]): Promise<AuthConnection[]> {
    const current = await readCurrentStates(
      this.store,
      scope,
      rows.map(({ id }) => id),
    );
    const connections = rows.map((row) => ({ ...row, ...current.get(row.id)?.written }));
    const [profiles, credentials] = await Promise.all([
      this.profiles.byId(
        scope,
        connections.map(({ profileId }) => profileId),
      ),
      this.credentials.byId(
        scope,
        connections.flatMap(({ credentialId }) => credentialId ?? []),
      ),
    ]);
    return connections.map((connection) => {
      const profile = profiles.get(connection.profileId) ?? { id: connection.profileId, name: null };
      const credential = credentials.get(connection.credentialId ?? '') ?? null;
      return connectionView({ connection, profile, credential, flow: current.get(connection.id)?.flow ?? null }, this.store);
    });
  }
}

/** A check that is switched on, or whose interval changes, is due one interval from now; only a session that is logged in is checked. */
function nextCheck(
  { status, healthChecks: was, healthCheckInterval: interval }: AuthConnectionRow,
  { healthChecks = was, healthCheckInterval = interval }: ChangedColumns,
): ChangedColumns {
  if (healthChecks === was && healthCheckInterval === interval) return {};
  return { nextCheckAt: healthChecks && status === 'AUTHENTICATED' ? new Date(Date.now() + healthCheckInterval * 1_000) : null };
}

/** Two creates that name the same new profile: the one that comes second uses the first one's. */
async function whenProfileIsMadeMeanwhile<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (violatesUnique(error, 'profiles_name_among_undeleted')) return insert();
    throw error;
  }
}

async function onePerProfileAndDomain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!violatesUnique(error, 'auth_connections_one_per_profile_and_domain')) throw error;
    throw new ApiError('conflict', 'The profile already has an auth connection for this domain; use that one, or another profile.', {
      cause: error,
    });
  }
}
