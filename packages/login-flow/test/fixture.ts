import { randomBytes } from 'node:crypto';
import { Database, newId, type ProjectScope } from '@berth/database';
import { projectScope, unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { Sealer } from '@berth/secrets';
import { createTenant, freshStores } from '@berth/testkit';
import { type BrowserToEnd, type FlowStore, startFlow, type StateMessage } from '../src/index.js';

export interface FlowWorld {
  readonly store: FlowStore;
  readonly scope: ProjectScope;
  readonly databaseUrl: string;
  readonly prisma: UnscopedAccess['prisma'];
  readonly pool: UnscopedAccess['pool'];
  /** What followers were told, oldest first. */
  readonly published: StateMessage[];
  /** Browsers that were asked to end. */
  readonly ended: BrowserToEnd[];
  addConnection(): Promise<string>;
  /** A LOGIN flow on a new connection. */
  start(type?: 'LOGIN' | 'REAUTH'): Promise<{ readonly connectionId: string; readonly flowId: string }>;
  close(): Promise<void>;
}

/** One project on stores of its own, with followers and browsers written down instead of reached. */
export async function flowWorld(times: { readonly pauseMs?: number; readonly totalMs?: number } = {}): Promise<FlowWorld> {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl });
  const { prisma, pool } = unscoped(database);
  const { organizationId, defaultProjectId: projectId } = await createTenant(database);
  const published: StateMessage[] = [];
  const ended: BrowserToEnd[] = [];
  const store: FlowStore = {
    database,
    sealer: new Sealer({ current: randomBytes(32).toString('hex') }),
    publicUrl: 'https://berth.test',
    pauseMs: times.pauseMs ?? 600_000,
    totalMs: times.totalMs ?? 1_200_000,
    publisher: { publish: (message) => void published.push(message) },
    endBrowser: async (browser) => {
      ended.push(browser);
      await prisma.browserSession.update({ where: { id: browser.sessionId }, data: { status: 'ended', deletedAt: new Date() } });
    },
  };
  const scope = projectScope(organizationId, projectId);
  const addConnection = async (): Promise<string> => {
    const [profileId, id] = [newId(), newId()];
    await prisma.profile.create({ data: { id: profileId, organizationId, projectId } });
    await prisma.authConnection.create({ data: { id, organizationId, projectId, profileId, domain: 'site.test', allowedDomains: [] } });
    return id;
  };
  return {
    store,
    scope,
    databaseUrl: stores.databaseUrl,
    prisma,
    pool,
    published,
    ended,
    addConnection,
    start: async (type = 'LOGIN') => {
      const connectionId = await addConnection();
      const started = await startFlow(store, scope, { connectionId, type, sessionId: newId(), headless: true });
      if (started.kind !== 'started') throw new Error(`the flow did not start: ${started.kind}`);
      return { connectionId, flowId: started.flow.id };
    },
    close: async () => {
      await database.close();
      await stores.drop();
    },
  };
}
