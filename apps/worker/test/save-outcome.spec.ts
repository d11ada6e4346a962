import { randomBytes } from 'node:crypto';
import { openProfile, type ProfileDocument, type ProfileReading } from '@berth/browser-fleet';
import { Database, newId } from '@berth/database';
import { projectScope, unscoped } from '@berth/database/unscoped';
import { advance, claimFlow, FlowLost, type FlowStore, startFlow } from '@berth/login-flow';
import { Sealer } from '@berth/secrets';
import { createTenant, type FreshStores, freshStores } from '@berth/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoginOutcome } from '../src/login/run-login.js';
import { credentialPurposes, saveOutcome } from '../src/login/save-outcome.js';

let stores: FreshStores;
let store: FlowStore;
let tenant: { readonly organizationId: string; readonly projectId: string };
beforeAll(async () => {
  stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl });
  const { organizationId, defaultProjectId } = await createTenant(database);
  tenant = { organizationId, projectId: defaultProjectId };
  store = {
    database,
    sealer: new Sealer({ current: randomBytes(32).toString('hex') }),
    publicUrl: 'https://berth.test',
    pauseMs: 600_000,
    totalMs: 1_200_000,
    publisher: { publish: () => undefined },
    endBrowser: async () => undefined,
  };
});
afterAll(async () => {
  await store.database.close();
  await stores.drop();
});

const prisma = () => unscoped(store.database).prisma;

async function addProfile(name: string): Promise<string> {
  const id = newId();
  await prisma().profile.create({ data: { ...tenant, id, name } });
  return id;
}

/** A claimed flow of a new connection. */
async function flowOn(profileId: string, domain: string) {
  const connectionId = newId();
  await prisma().authConnection.create({ data: { ...tenant, id: connectionId, profileId, domain, allowedDomains: [] } });
  const scope = projectScope(tenant.organizationId, tenant.projectId);
  const started = await startFlow(store, scope, { connectionId, type: 'LOGIN', sessionId: newId(), headless: true });
  if (started.kind !== 'started') throw new Error(started.kind);
  const claimed = await claimFlow(store, { flowId: started.flow.id, epoch: 0 });
  if (claimed === null) throw new Error('the flow was not free to claim');
  return claimed.flow;
}

const holding = (...cookies: readonly (readonly [domain: string, value: string])[]): ProfileDocument => ({
  version: 1,
  cookies: cookies.map(([domain, value]) => ({ name: 'sid', value, domain, path: '/', httpOnly: true, secure: true })),
  origins: [],
});
const captured = (domain: string): Promise<ProfileReading> => Promise.resolve({ captured: holding([domain, domain]), loaded: null });

const outcome = (password: string): LoginOutcome => ({
  postLoginUrl: 'https://site.test/home',
  values: { save: { username: 'jane', password }, masked: [], open: [] },
  requirements: { fields: [], picks: [], external: false },
  complete: true,
});

async function domainsIn(profileId: string): Promise<string[]> {
  const state = await prisma().profileState.findUnique({ where: { profileId } });
  return state === null ? [] : openProfile(store.sealer, state.sealed).cookies.map(({ domain }) => domain);
}

describe('saveOutcome', () => {
  it('D44: what another has saved of its host while a login paused stays, though the browser of the login was given it before', async () => {
    const profileId = await addProfile('paused');
    const [one, other] = [await flowOn(profileId, 'one.test'), await flowOn(profileId, 'other.test')];
    const loaded = holding(['other.test', 'old']);
    await saveOutcome(store, other, Promise.resolve({ captured: holding(['other.test', 'new']), loaded }), outcome('hunter2 hunter2'));
    const reading = { captured: holding(['one.test', 'in'], ['other.test', 'old']), loaded };
    await saveOutcome(store, one, Promise.resolve(reading), outcome('hunter2 hunter2'));
    const { sealed } = await prisma().profileState.findUniqueOrThrow({ where: { profileId } });
    expect(openProfile(store.sealer, sealed).cookies.map(({ domain, value }) => [domain, value])).toEqual([
      ['one.test', 'in'],
      ['other.test', 'new'],
    ]);
  });

  it('D44: connections of one profile that succeed at once merge, and every flow is saved with a credential of its own', async () => {
    const profileId = await addProfile('shared');
    const domains = Array.from({ length: 6 }, (_, place) => `site-${place}.test`);
    const flows = await Promise.all(domains.map((domain) => flowOn(profileId, domain)));
    await Promise.all(flows.map((flow, place) => saveOutcome(store, flow, captured(domains[place] ?? ''), outcome('hunter2 hunter2'))));
    expect(await domainsIn(profileId)).toEqual(domains);
    const rows = await prisma().loginFlow.findMany({ where: { id: { in: flows.map(({ id }) => id) } } });
    expect(rows.filter(({ savedAt, postLoginUrl }) => savedAt !== null && postLoginUrl === 'https://site.test/home')).toHaveLength(6);
    const connections = await prisma().authConnection.findMany({ where: { profileId } });
    expect(new Set(connections.map(({ credentialId }) => credentialId)).size).toBe(6);
  });

  it('D44: two credentials that would get the same name, saved at once, are each kept under one of their own', async () => {
    const flows = [await flowOn(await addProfile('a'), 'b-c.test'), await flowOn(await addProfile('a-b'), 'c.test')];
    await Promise.all(flows.map((flow) => saveOutcome(store, flow, captured('any.test'), outcome('hunter2 hunter2'))));
    const credentials = await prisma().credential.findMany({ where: { domain: { in: ['b-c.test', 'c.test'] } } });
    expect(credentials.map(({ name }) => name).sort()).toEqual(['a-b-c.test', 'a-b-c.test-2']);
  });

  it('D41: a flow that has another owner, or has moved on, keeps nothing', async () => {
    const profileId = await addProfile('lost');
    const flow = await flowOn(profileId, 'lost.test');
    await claimFlow(store, { flowId: flow.id, epoch: flow.ownerEpoch });
    await expect(saveOutcome(store, flow, captured('lost.test'), outcome('hunter2 hunter2'))).rejects.toThrow(FlowLost);
    const moved = await flowOn(profileId, 'moved.test');
    await advance(store, moved, { kind: 'submit' });
    await expect(saveOutcome(store, moved, captured('moved.test'), outcome('hunter2 hunter2'))).rejects.toThrow(FlowLost);
    expect(await domainsIn(profileId)).toEqual([]);
    expect(await prisma().credential.count({ where: { domain: { in: ['lost.test', 'moved.test'] } } })).toBe(0);
  });

  it('D44: what is submitted is kept under the names that the owner of the credential gave', async () => {
    const flow = await flowOn(await addProfile('named'), 'named.test');
    const values = { email: 'jane', pass: 'old' };
    const id = newId();
    await prisma().credential.create({
      data: {
        ...tenant,
        id,
        name: 'own',
        domain: 'named.test',
        sealedValues: store.sealer.sealJson(credentialPurposes.values, values),
        valueKeys: Object.keys(values),
      },
    });
    await prisma().authConnection.update({ where: { id: flow.connectionId }, data: { credentialId: id } });
    await saveOutcome(store, flow, captured('named.test'), outcome('new'));
    const { sealedValues, valueKeys } = await prisma().credential.findUniqueOrThrow({ where: { id } });
    expect(valueKeys).toEqual(['email', 'pass']);
    expect(store.sealer.openJson(credentialPurposes.values, sealedValues ?? new Uint8Array())).toEqual({ email: 'jane', pass: 'new' });
  });

  it('D44: a second password, or a name beside an address, is kept beside the first, not in its place', async () => {
    const flow = await flowOn(await addProfile('second'), 'second.test');
    const id = newId();
    const values = { email: 'jane', pass: 'first' };
    await prisma().credential.create({
      data: {
        ...tenant,
        id,
        name: 'two',
        domain: 'second.test',
        sealedValues: store.sealer.sealJson(credentialPurposes.values, values),
        valueKeys: Object.keys(values),
      },
    });
    await prisma().authConnection.update({ where: { id: flow.connectionId }, data: { credentialId: id } });
    const save = { email: 'jane@second.test', username: 'j.doe', password_2: 'second' };
    await saveOutcome(store, flow, captured('second.test'), { ...outcome(''), values: { save, masked: [], open: [] } });
    const { sealedValues } = await prisma().credential.findUniqueOrThrow({ where: { id } });
    expect(store.sealer.openJson(credentialPurposes.values, sealedValues ?? new Uint8Array())).toEqual({ ...values, ...save });
  });

  it('D44: nothing is made of what nobody submitted', async () => {
    const flow = await flowOn(await addProfile('quiet'), 'quiet.test');
    await saveOutcome(store, flow, captured('quiet.test'), { ...outcome(''), values: { save: {}, masked: [], open: [] } });
    expect(await prisma().credential.count({ where: { domain: 'quiet.test' } })).toBe(0);
  });
});
