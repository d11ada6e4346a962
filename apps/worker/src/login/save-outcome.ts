import { mergeProfiles, openProfile, type ProfileReading, sealProfile } from '@berth/browser-fleet';
import { credentialKeyFor, credentialPurposes, FlowLost, type FlowStore, wellFormed } from '@berth/login-flow';
import { type LoginFlowRow, newId, onDiskLater, violatesUnique } from '@berth/database';
import { unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { isIdShaped } from '@berth/schema';
import type { Sealer } from '@berth/secrets';
import type { LoginOutcome } from './run-login.js';

export { credentialPurposes } from '@berth/login-flow';

type Pool = UnscopedAccess['pool'];

/** What is stored now and the outcome is merged into. */
interface Stored {
  readonly profileId: string;
  readonly profileName: string | null;
  readonly sealedState: Uint8Array | null;
  /** Which write the state is of; null before the first. */
  readonly stateVersion: string | null;
  readonly projectId: string;
  readonly domain: string;
  readonly saveCredentials: boolean;
  readonly credentialId: string | null;
  /** Of a credential that is still to be made, the name it gets; null when nothing is to be kept. */
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

const read = `
SELECT c.profile_id AS "profileId", p.name AS "profileName", s.sealed AS "sealedState", s.xmin::text AS "stateVersion", c.project_id AS "projectId", c.domain,
  c.save_credentials AS "saveCredentials", k.id AS "credentialId", k.name AS "credentialName", k.sealed_values AS "sealedValues"
FROM login_flows f JOIN auth_connections c ON c.id = f.connection_id JOIN profiles p ON p.id = c.profile_id LEFT JOIN profile_states s ON s.profile_id = p.id
  LEFT JOIN credentials k ON k.id = c.credential_id AND k.project_id = c.project_id AND k.deleted_at IS NULL
WHERE f.id = $1 AND f.status = 'IN_PROGRESS' AND f.owner_epoch = $2 AND f.sequence = $3`;

// One statement, so one round trip and one atomic step; nothing is written unless the flow is this owner's still and the profile's state the
// one that was read. The connection's row is locked before the flow's, as everywhere (see login-flow's commit), and both before anything is
// written; then the profile's, behind which connections that share it, and browsers that save to it, wait for each other. The browser, which
// has all of it still, is ended by the next commit (`finishSaved`).
const write = `
WITH held AS MATERIALIZED (
  SELECT f.id AS flow_id, c.id, c.profile_id, c.organization_id, c.project_id, c.domain
  FROM auth_connections c JOIN login_flows f ON f.connection_id = c.id
  WHERE f.id = $1 AND f.status = 'IN_PROGRESS' AND f.owner_epoch = $2 AND f.sequence = $3
  FOR NO KEY UPDATE OF c, f
), profile AS (
  UPDATE profiles p SET last_used_at = $4, updated_at = now() FROM held WHERE p.id = held.profile_id
  RETURNING p.id
), state AS (
  INSERT INTO profile_states AS s (profile_id, sealed, saved_at) SELECT id, $6, $4 FROM profile
  ON CONFLICT (profile_id) DO UPDATE SET sealed = excluded.sealed, saved_at = excluded.saved_at WHERE s.xmin::text = $13
  RETURNING s.profile_id
), owned AS (
  SELECT held.* FROM held JOIN state ON state.profile_id = held.profile_id
), connection AS (
  UPDATE auth_connections c SET credential_id = coalesce($7, c.credential_id), requirements = coalesce($12::jsonb, c.requirements), updated_at = now()
  FROM owned WHERE c.id = owned.id
), credential AS (
  INSERT INTO credentials (id, organization_id, project_id, domain, name, sealed_values, value_keys, sealed_totp_secret)
  SELECT $7, organization_id, project_id, domain, $8, $9, $10, $11 FROM owned WHERE $7::text IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET sealed_values = excluded.sealed_values, value_keys = excluded.value_keys,
    sealed_totp_secret = coalesce(excluded.sealed_totp_secret, credentials.sealed_totp_secret), updated_at = now()
)
UPDATE login_flows f SET saved_at = $4, post_login_url = $5 FROM owned WHERE f.id = owned.flow_id RETURNING ${onDiskLater}`;

/**
 * Keeps what a login has won, in one step: the profile's state (merged with what other connections of the profile have stored), the
 * credential, what the website asked for, and the mark that from now on the flow can only succeed (D44). What is stored is read while
 * the browser is read.
 * @throws {FlowLost} when the flow has another owner or has ended; then nothing is kept.
 */
export async function saveOutcome(
  store: FlowStore,
  flow: LoginFlowRow,
  reading: Promise<ProfileReading>,
  outcome: LoginOutcome,
): Promise<LoginFlowRow> {
  const { pool } = unscoped(store.database);
  const saved = { savedAt: new Date(), postLoginUrl: outcome.postLoginUrl };
  const [read, first] = await Promise.all([reading, readStored(pool, flow, outcome)]);
  let stored = first;
  // What somebody else has written meanwhile is merged into anew; they have finished then, so nobody waits forever.
  while (!(await keep(store, { ...flow, ...saved }, stored, read, outcome))) stored = await readStored(pool, flow, outcome);
  return { ...flow, ...saved };
}

/** @throws {FlowLost} */
async function readStored(pool: Pool, flow: LoginFlowRow, outcome: LoginOutcome): Promise<Stored> {
  const {
    rows: [stored],
  } = await pool.query<Stored>({ name: 'login-save-read', text: read, values: guardOf(flow) });
  if (stored === undefined) throw new FlowLost(flow.id);
  return stored.credentialName === null && isKept(stored, outcome)
    ? {
        ...stored,
        credentialName: await freeName(pool, stored.projectId, credentialName(stored.profileName ?? stored.profileId, stored.domain)),
      }
    : stored;
}

/** @returns whether it was kept: not when the flow, the profile's state or the credential's name is no longer what was read. */
async function keep(
  { database, sealer }: FlowStore,
  flow: LoginFlowRow,
  stored: Stored,
  { captured, loaded }: ProfileReading,
  outcome: LoginOutcome,
): Promise<boolean> {
  const state = stored.sealedState === null ? null : openProfile(sealer, stored.sealedState);
  const credential = credentialOf(sealer, stored, outcome);
  const { rowCount } = await unscoped(database)
    .pool.query({
      name: 'login-save-write',
      text: write,
      values: [
        ...guardOf(flow),
        flow.savedAt,
        flow.postLoginUrl,
        sealProfile(sealer, mergeProfiles(state, captured, loaded)),
        credential?.id ?? null,
        credential?.name ?? null,
        credential?.sealedValues ?? null,
        credential?.valueKeys ?? null,
        credential?.sealedTotpSecret ?? null,
        outcome.complete ? JSON.stringify(outcome.requirements, wellFormed) : null,
        stored.stateVersion,
      ],
    })
    .catch((error: unknown) => {
      if (violatesUnique(error, 'credentials_name_among_undeleted')) return { rowCount: 0 };
      throw error;
    });
  return rowCount === 1;
}

/** The flow as it is in hand: whoever else moves it changes one of these. */
const guardOf = ({ id, ownerEpoch, sequence }: LoginFlowRow): unknown[] => [id, ownerEpoch, sequence.toString()];

const isKept = ({ saveCredentials }: Stored, { values }: LoginOutcome): boolean => saveCredentials && Object.keys(values.save).length > 0;

/** The credential that from now on holds the values; null when there is nothing to keep. */
function credentialOf(sealer: Sealer, stored: Stored, outcome: LoginOutcome): WrittenCredential | null {
  if (!isKept(stored, outcome) || stored.credentialName === null) return null;
  const { totp_secret: totpSecret, ...save } = outcome.values.save;
  const old: Record<string, string> = stored.sealedValues === null ? {} : sealer.openJson(credentialPurposes.values, stored.sealedValues);
  const given = Object.entries(save).map(([ref, value]) => [keyFor(ref, Object.keys(old), Object.keys(save)), value] as const);
  const merged: Record<string, string> = { ...old, ...Object.fromEntries(given) };
  return {
    id: stored.credentialId ?? newId(),
    name: stored.credentialName,
    sealedValues: sealer.sealJson(credentialPurposes.values, merged),
    valueKeys: Object.keys(merged).sort(),
    sealedTotpSecret:
      totpSecret === undefined ? null : sealer.seal(credentialPurposes.totpSecret, totpSecret.replace(/[\s-]/g, '').toUpperCase()),
  };
}

/**
 * The name that its owner gave to what the website asks for. A name that only stands for it is left to what it is the name of, as the first
 * password's to the first of two: one value would replace the other.
 */
function keyFor(ref: string, keys: readonly string[], given: readonly string[]): string {
  const key = credentialKeyFor(ref, keys);
  const name = key?.toLowerCase();
  const isTaken = name !== ref && (/_\d+$/.test(ref) || given.some((other) => other === name));
  return key === undefined || isTaken ? ref : key;
}

/** Legal for a credential (D30): at most 250 characters, so that a number still fits behind it. */
export function credentialName(profile: string, domain: string): string {
  const name = `${profile}-${domain}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 250);
  return isIdShaped(name) ? `${name}-login` : name;
}

async function freeName(pool: Pool, projectId: string, wanted: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'login-save-names',
    text: 'SELECT name FROM credentials WHERE project_id = $1 AND deleted_at IS NULL AND starts_with(name, $2)',
    values: [projectId, wanted],
  });
  const taken = new Set(rows.map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}-${n}`;
  return name;
}
