import { mergeProfiles, openProfile, type ProfileDocument, sealProfile } from '@berth/browser-fleet';
import { credentialPurposes, FlowLost, type FlowStore, inTransaction, type Queryable } from '@berth/login-flow';
import { type LoginFlowRow, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { isIdShaped } from '@berth/schema';
import type { LoginOutcome } from './run-login.js';

export { credentialPurposes } from '@berth/login-flow';

/** What is stored now and the outcome is merged into. */
interface Stored {
  readonly profileId: string;
  readonly profileName: string | null;
  readonly sealedState: Uint8Array | null;
  readonly projectId: string;
  readonly domain: string;
  readonly saveCredentials: boolean;
  readonly credentialId: string | null;
  readonly credentialName: string | null;
  readonly sealedValues: Uint8Array | null;
}

interface WrittenCredential {
  readonly id: string;
  readonly name: string;
  readonly sealedValues: Buffer;
  readonly valueKeys: readonly string[];
  readonly sealedTotpSecret: Buffer | null;
}

const lockProfile = `SELECT 1 FROM profiles p JOIN auth_connections c ON c.profile_id = p.id WHERE c.id = $1 FOR UPDATE OF p`;

const readStored = `
SELECT c.profile_id AS "profileId", p.name AS "profileName", s.sealed AS "sealedState", c.project_id AS "projectId", c.domain, c.save_credentials AS "saveCredentials",
  k.id AS "credentialId", k.name AS "credentialName", k.sealed_values AS "sealedValues"
FROM auth_connections c JOIN profiles p ON p.id = c.profile_id LEFT JOIN profile_states s ON s.profile_id = p.id
  LEFT JOIN credentials k ON k.id = c.credential_id AND k.project_id = c.project_id AND k.deleted_at IS NULL
WHERE c.id = $1`;

// The connection's row before the flow's, as everywhere (see login-flow's commit); all hangs on the flow being this owner's still.
const write = `
WITH connection AS (
  UPDATE auth_connections c SET credential_id = coalesce($7, c.credential_id), requirements = coalesce($12::jsonb, c.requirements), updated_at = now()
  FROM login_flows f
  WHERE f.id = $1 AND c.id = f.connection_id AND f.status = 'IN_PROGRESS' AND f.owner_epoch = $2 AND f.sequence = $3
  RETURNING c.id, c.profile_id, c.organization_id, c.project_id, c.domain
), flow AS (
  UPDATE login_flows f SET saved_at = $4, post_login_url = $5 FROM connection
  WHERE f.id = $1 AND f.status = 'IN_PROGRESS' AND f.owner_epoch = $2 AND f.sequence = $3
  RETURNING f.id
), state AS (
  INSERT INTO profile_states (profile_id, sealed, saved_at) SELECT profile_id, $6, $4 FROM connection
  ON CONFLICT (profile_id) DO UPDATE SET sealed = excluded.sealed, saved_at = excluded.saved_at
), profile AS (
  UPDATE profiles p SET last_used_at = $4, updated_at = now() FROM connection WHERE p.id = connection.profile_id
), credential AS (
  INSERT INTO credentials (id, organization_id, project_id, domain, name, sealed_values, value_keys, sealed_totp_secret)
  SELECT $7, organization_id, project_id, domain, $8, $9, $10, $11 FROM connection WHERE $7::text IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET sealed_values = excluded.sealed_values, value_keys = excluded.value_keys,
    sealed_totp_secret = coalesce(excluded.sealed_totp_secret, credentials.sealed_totp_secret), updated_at = now()
)
SELECT 1 FROM flow`;

/**
 * Keeps what a login has won, in one transaction: the profile's state (merged with what other connections of the profile have stored), the credential, what the
 * website asked for, and the mark that from now on the flow can only succeed (D44).
 * @throws {FlowLost} when the flow has another owner or has ended; then nothing is kept.
 */
export async function saveOutcome(
  store: FlowStore,
  flow: LoginFlowRow,
  captured: ProfileDocument,
  outcome: LoginOutcome,
): Promise<LoginFlowRow> {
  return inTransaction(unscoped(store.database).pool, async (client) => {
    // Connections that share the profile wait here for each other, or one would write over what the other has just merged. Read after the lock, not with it:
    // whoever waited would read what was there before.
    await client.query({ name: 'login-save-lock', text: lockProfile, values: [flow.connectionId] });
    const {
      rows: [stored],
    } = await client.query<Stored>({ name: 'login-save-read', text: readStored, values: [flow.connectionId] });
    if (stored === undefined) throw new FlowLost(flow.id);
    const sealed = sealProfile(
      store.sealer,
      mergeProfiles(stored.sealedState === null ? null : openProfile(store.sealer, stored.sealedState), captured),
    );
    const credential = await credentialOf(client, store, stored, outcome);
    const saved = { savedAt: new Date(), postLoginUrl: outcome.postLoginUrl };
    const { rowCount } = await client.query({
      name: 'login-save-write',
      text: write,
      values: [
        flow.id,
        flow.ownerEpoch,
        flow.sequence.toString(),
        saved.savedAt,
        saved.postLoginUrl,
        sealed,
        credential?.id ?? null,
        credential?.name ?? null,
        credential?.sealedValues ?? null,
        credential?.valueKeys ?? null,
        credential?.sealedTotpSecret ?? null,
        outcome.complete ? JSON.stringify(outcome.requirements) : null,
      ],
    });
    if (rowCount !== 1) throw new FlowLost(flow.id);
    return { ...flow, ...saved };
  });
}

/** The credential that from now on holds the values; null when there is nothing to keep. */
async function credentialOf(
  client: Queryable,
  { sealer }: FlowStore,
  stored: Stored,
  { values }: LoginOutcome,
): Promise<WrittenCredential | null> {
  const { totp_secret: totpSecret, ...save } = values.save;
  if (!stored.saveCredentials || Object.keys(values.save).length === 0) return null;
  const old: Record<string, string> = stored.sealedValues === null ? {} : sealer.openJson(credentialPurposes.values, stored.sealedValues);
  const merged = { ...old, ...save };
  return {
    id: stored.credentialId ?? newId(),
    name:
      stored.credentialName ??
      (await freeName(client, stored.projectId, credentialName(stored.profileName ?? stored.profileId, stored.domain))),
    sealedValues: sealer.sealJson(credentialPurposes.values, merged),
    valueKeys: Object.keys(merged).sort(),
    sealedTotpSecret:
      totpSecret === undefined ? null : sealer.seal(credentialPurposes.totpSecret, totpSecret.replace(/[\s-]/g, '').toUpperCase()),
  };
}

/** Legal for a credential (D30): at most 250 characters, so that a number still fits behind it. */
export function credentialName(profile: string, domain: string): string {
  const name = `${profile}-${domain}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 250);
  return isIdShaped(name) ? `${name}-login` : name;
}

async function freeName(client: Queryable, projectId: string, wanted: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>({
    name: 'login-save-names',
    text: 'SELECT name FROM credentials WHERE project_id = $1 AND deleted_at IS NULL AND starts_with(name, $2)',
    values: [projectId, wanted],
  });
  const taken = new Set(rows.map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}-${n}`;
  return name;
}
