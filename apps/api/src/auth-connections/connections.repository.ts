import { Inject, Injectable } from '@nestjs/common';
import { type AuthConnectionRow, Database, newId, type ProjectScope } from '@berth/database';
import { isIdShaped } from '@berth/schema';
import { type Page, rowsOf } from '../request/paging.js';
import { textFilter } from '../request/text-filter.js';
import type { ChosenColumns } from './connection-choices.js';

export interface ConnectionFilter {
  /** The whole domain, any case. */
  readonly domain: string | undefined;
  readonly profileName: string | undefined;
  /** Part of domain or profile name, any case, or the whole id. */
  readonly query: string | undefined;
}

export interface NewConnection extends ChosenColumns {
  readonly domain: string;
  /** Name, or id, of the project's profile that it is for; made when there is none. */
  readonly profileName: string;
  readonly credentialId: string | null;
}

/** A connection that was just made, and the profile it is for. */
export interface MadeConnection {
  readonly connection: AuthConnectionRow;
  readonly profile: { readonly id: string; readonly name: string | null };
}

export type ChangedColumns = ChosenColumns & { readonly credentialId?: string; readonly nextCheckAt?: Date | null };

const pageOfConnections = {
  name: 'page-of-connections',
  text: `SELECT c.id FROM auth_connections c JOIN profiles p ON p.id = c.profile_id
          WHERE c.project_id = $1 AND c.deleted_at IS NULL AND ($2::text IS NULL OR c.domain = $2) AND ($3::text IS NULL OR p.name = $3)
            AND ($4::text IS NULL OR strpos(c.domain, $4) > 0 OR strpos(lower(p.name COLLATE "C"), $4) > 0 OR c.id = $4)
          ORDER BY c.created_at, c.id LIMIT $5 OFFSET $6`,
};

const columns = `c.id, c.organization_id AS "organizationId", c.project_id AS "projectId", c.domain, c.profile_id AS "profileId", c.login_url AS "loginUrl",
  c.allowed_domains AS "allowedDomains", c.auto_reauth AS "autoReauth", c.health_checks AS "healthChecks", c.health_check_interval AS "healthCheckInterval",
  c.record_session AS "recordSession", c.save_credentials AS "saveCredentials", c.credential_id AS "credentialId", c.browser_telemetry AS "browserTelemetry",
  c.proxy_id AS "proxyId", c.status, c.sequence, c.current_flow_id AS "currentFlowId", c.requirements, c.sso_provider AS "ssoProvider", c.post_login_url AS "postLoginUrl",
  c.last_auth_at AS "lastAuthAt", c.last_auth_check_at AS "lastAuthCheckAt", c.next_check_at AS "nextCheckAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.deleted_at AS "deletedAt"`;

/** A connection as `pg` reads it: a number that may be large comes as text. */
type ReadConnection = Omit<AuthConnectionRow, 'sequence'> & { readonly sequence: string };

const connectionById = {
  name: 'connection-by-id',
  text: `SELECT ${columns} FROM auth_connections c WHERE c.project_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
};

// The profile's update changes nothing: its lock keeps whoever is deleting the profile out until the connection is there, and waits for
// whoever was faster.
const makeConnection = {
  name: 'make-connection',
  text: `WITH held AS (
           UPDATE profiles SET updated_at = updated_at WHERE project_id = $1 AND deleted_at IS NULL AND (name = $4 OR id = $4) RETURNING id, name
         ), made AS (
           INSERT INTO profiles (id, organization_id, project_id, name) SELECT $3, $5, $1, $4 WHERE NOT EXISTS (SELECT 1 FROM held) RETURNING id, name
         ), profile AS (
           SELECT id, name FROM held UNION ALL SELECT id, name FROM made
         ), c AS (
           INSERT INTO auth_connections (id, organization_id, project_id, domain, profile_id, credential_id, login_url, allowed_domains, auto_reauth, health_checks,
                                         health_check_interval, save_credentials)
           SELECT $2, $5, $1, $6, profile.id, $7, $8, coalesce($9, '{}'::text[]), coalesce($10, true), coalesce($11, true), coalesce($12, 3600), coalesce($13, true) FROM profile
           RETURNING *
         )
         SELECT ${columns}, profile.name AS "profileName" FROM c JOIN profile ON profile.id = c.profile_id`,
};

const undeleted = { deletedAt: null };

@Injectable()
export class ConnectionsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One row more than the page, in the order of D15. */
  async page(scope: ProjectScope, { domain, profileName, query }: ConnectionFilter, page: Page): Promise<AuthConnectionRow[]> {
    const { take, skip } = rowsOf(page);
    const ids = (
      await this.database.queryProject<{ id: string }>(
        scope,
        pageOfConnections,
        textFilter(domain),
        profileName ?? null,
        textFilter(query),
        take,
        skip,
      )
    ).map(({ id }) => id);
    return this.database
      .project(scope)
      .authConnection.findMany({ where: { ...undeleted, id: { in: ids } }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  }

  async find(scope: ProjectScope, id: string): Promise<AuthConnectionRow | undefined> {
    if (!isIdShaped(id)) return undefined;
    const [read] = await this.database.queryProject<ReadConnection>(scope, connectionById, id);
    return read && rowOf(read);
  }

  /**
   * In one statement with its profile. Rejects with `auth_connections_one_per_profile_and_domain` when there is one already, and with
   * `profiles_name_among_undeleted` when another request makes the profile at the same moment: try again.
   */
  async create(scope: ProjectScope, id: string, made: NewConnection): Promise<MadeConnection> {
    const {
      profileName: wanted,
      domain,
      credentialId,
      loginUrl,
      allowedDomains,
      autoReauth,
      healthChecks,
      healthCheckInterval,
      saveCredentials,
    } = made;
    const [read] = await this.database.queryProject<ReadConnection & { readonly profileName: string | null }>(
      scope,
      makeConnection,
      id,
      newId(),
      wanted,
      scope.organizationId,
      domain,
      credentialId,
      loginUrl,
      allowedDomains,
      autoReauth,
      healthChecks,
      healthCheckInterval,
      saveCredentials,
    );
    if (read === undefined) throw new Error('a connection was neither made nor refused');
    const { profileName: name, ...connection } = read;
    return { connection: rowOf(connection), profile: { id: connection.profileId, name } };
  }

  async update(scope: ProjectScope, id: string, data: ChangedColumns): Promise<AuthConnectionRow | undefined> {
    const [row] = await this.database.project(scope).authConnection.updateManyAndReturn({ where: { ...undeleted, id }, data });
    return row;
  }
}

const rowOf = (read: ReadConnection): AuthConnectionRow => ({ ...read, sequence: BigInt(read.sequence) });
