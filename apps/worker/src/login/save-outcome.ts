import { mergeProfiles, openProfile, type ProfileDocument, sealProfile } from '@berth/browser-fleet';
import { credentialPurposes, FlowLost, type FlowStore } from '@berth/login-flow';
import { type AuthConnectionRow, type LoginFlowRow, newId } from '@berth/database';
import { unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { isIdShaped } from '@berth/schema';
import type { LoginOutcome } from './run-login.js';

export { credentialPurposes } from '@berth/login-flow';

type Inside = Parameters<Parameters<UnscopedAccess['prisma']['$transaction']>[0]>[0];

/**
 * Keeps what a login has won, in one transaction: the profile's state (merged with what other connections of the profile have stored), the credential, what the
 * website asked for, and the mark that from now on the flow can only succeed (D44).
 * @throws {FlowLost} when the flow has another owner or has ended; then nothing is kept.
 */
export async function saveOutcome(store: FlowStore, flow: LoginFlowRow, captured: ProfileDocument, outcome: LoginOutcome): Promise<LoginFlowRow> {
  return unscoped(store.database).prisma.$transaction(async (transaction) => {
    const connection = await transaction.authConnection.findUniqueOrThrow({ where: { id: flow.connectionId } });
    // Connections that share the profile wait here for each other, or one would write over what the other has just merged.
    await transaction.$queryRaw`SELECT 1 FROM profiles WHERE id = ${connection.profileId} FOR UPDATE`;
    const stored = await transaction.profileState.findUnique({ where: { profileId: connection.profileId } });
    const sealed = sealProfile(store.sealer, mergeProfiles(stored === null ? null : openProfile(store.sealer, stored.sealed), captured));
    const savedAt = new Date();
    await transaction.profileState.upsert({ where: { profileId: connection.profileId }, create: { profileId: connection.profileId, sealed, savedAt }, update: { sealed, savedAt } });
    await transaction.profile.update({ where: { id: connection.profileId }, data: { lastUsedAt: savedAt } });
    const credentialId = await saveCredential(transaction, store, connection, outcome);
    await transaction.authConnection.update({
      where: { id: connection.id },
      data: { ...(credentialId !== null && { credentialId }), ...(outcome.complete && { requirements: outcome.requirements }) },
    });
    const saved = { savedAt, postLoginUrl: outcome.postLoginUrl };
    const { count } = await transaction.loginFlow.updateMany({
      where: { id: flow.id, status: 'IN_PROGRESS', ownerEpoch: flow.ownerEpoch, sequence: flow.sequence }, data: saved,
    });
    if (count !== 1) throw new FlowLost(flow.id);
    return { ...flow, ...saved };
  }, { timeout: 15_000 });
}

/** @returns the id of the credential that now holds the values, or null when there is nothing to keep. */
async function saveCredential(transaction: Inside, { sealer }: FlowStore, connection: AuthConnectionRow, { values }: LoginOutcome): Promise<string | null> {
  const { totp_secret: totpSecret, ...save } = values.save;
  if (!connection.saveCredentials || Object.keys(values.save).length === 0) return null;
  const existing = connection.credentialId === null ? null : await transaction.credential.findFirst({ where: { id: connection.credentialId, projectId: connection.projectId, deletedAt: null } });
  const old: Record<string, string> = existing?.sealedValues == null ? {} : sealer.openJson(credentialPurposes.values, existing.sealedValues);
  const merged = { ...old, ...save };
  const data = {
    sealedValues: sealer.sealJson(credentialPurposes.values, merged), valueKeys: Object.keys(merged).sort(),
    ...(totpSecret !== undefined && { sealedTotpSecret: sealer.seal(credentialPurposes.totpSecret, totpSecret.replace(/[\s-]/g, '').toUpperCase()) }),
  };
  if (existing !== null) {
    await transaction.credential.update({ where: { id: existing.id }, data });
    return existing.id;
  }
  const profile = await transaction.profile.findUniqueOrThrow({ where: { id: connection.profileId } });
  const { id, organizationId, projectId, domain } = { ...connection, id: newId() };
  await transaction.credential.create({ data: { id, organizationId, projectId, domain, name: await freeName(transaction, projectId, credentialName(profile.name ?? profile.id, domain)), ...data } });
  return id;
}

/** Legal for a credential (D30): at most 250 characters, so that a number still fits behind it. */
export function credentialName(profile: string, domain: string): string {
  const name = `${profile}-${domain}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 250);
  return isIdShaped(name) ? `${name}-login` : name;
}

async function freeName(transaction: Inside, projectId: string, wanted: string): Promise<string> {
  const taken = new Set((await transaction.credential.findMany({ where: { projectId, deletedAt: null, name: { startsWith: wanted } }, select: { name: true } })).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}-${n}`;
  return name;
}
