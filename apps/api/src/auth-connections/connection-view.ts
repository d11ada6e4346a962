import type { AuthConnectionRow, CredentialRow, LoginFlowRow, ProfileRow } from '@berth/database';
import { canReauth, recordPartOf, Requirements, type ViewContext } from '@berth/login-flow';
import type { AuthConnection } from '@berth/schema';

/** A connection with what its record shows of others. */
export interface ConnectionFacts {
  readonly connection: AuthConnectionRow;
  readonly profile: Pick<ProfileRow, 'id' | 'name'>;
  /** Null when it has none, or the one it had is deleted. */
  readonly credential: Pick<CredentialRow, 'name' | 'valueKeys' | 'sealedTotpSecret'> | null;
  readonly flow: LoginFlowRow | null;
}

function reauthPart({ connection, credential }: ConnectionFacts): Pick<AuthConnection, 'can_reauth' | 'can_reauth_reason'> {
  const { can, reason } = canReauth({
    lastAuthAt: connection.lastAuthAt,
    credential: credential === null ? null : { valueKeys: credential.valueKeys, hasTotpSecret: credential.sealedTotpSecret !== null },
    requirements: Requirements.nullable().parse(connection.requirements),
  });
  return { can_reauth: can, can_reauth_reason: reason };
}

/** The record as it goes out, with the part of its newest flow (D32, D37, D58). */
export function connectionView(facts: ConnectionFacts, context: ViewContext): AuthConnection {
  const { connection, profile, credential, flow } = facts;
  const { loginUrl, ssoProvider, lastAuthAt, lastAuthCheckAt } = connection;
  return {
    id: connection.id,
    domain: connection.domain,
    profile_name: profile.name ?? profile.id,
    record_session: connection.recordSession,
    save_credentials: connection.saveCredentials,
    status: connection.status,
    allowed_domains: connection.allowedDomains,
    auto_reauth: connection.autoReauth,
    ...reauthPart(facts),
    ...(credential !== null && { credential: { name: credential.name } }),
    health_checks: connection.healthChecks,
    health_check_interval: connection.healthCheckInterval,
    ...(loginUrl !== null && { login_url: loginUrl }),
    ...(ssoProvider !== null && { sso_provider: ssoProvider }),
    ...(lastAuthAt !== null && { last_auth_at: lastAuthAt.toISOString() }),
    ...(lastAuthCheckAt !== null && { last_auth_check_at: lastAuthCheckAt.toISOString() }),
    ...recordPartOf(flow, context),
  };
}
