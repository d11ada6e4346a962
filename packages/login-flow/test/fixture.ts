import { readdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database, newId, type ProjectScope } from '@berth/database';
import { projectScope, unscoped, type UnscopedAccess } from '@berth/database/unscoped';
import { Sealer } from '@berth/secrets';
import type { BrowserToEnd, FlowStore, StateMessage } from '../src/index.js';

const migrations = join(dirname(fileURLToPath(import.meta.url)), '../../database/prisma/migrations');

/** An empty database of its own with every migration applied, on the run's PostgreSQL. */
export async function freshDatabase(): Promise<{ readonly database: Database; readonly close: () => Promise<void> }> {
  const server = process.env['BERTH_TEST_POSTGRES_URL'];
  if (server === undefined) throw new Error('the run has no PostgreSQL; start it through jest.config.mjs');
  const name = `t_${randomBytes(8).toString('hex')}`;
  const admin = new Database({ url: server, maxConnections: 1 });
  await unscoped(admin).pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = new Database({ url: url.href });
  for (const folder of readdirSync(migrations, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort()) {
    await unscoped(database).pool.query(readFileSync(join(migrations, folder, 'migration.sql'), 'utf8'));
  }
  return {
    database,
    close: async () => {
      await database.close();
      await unscoped(admin).pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.close();
    },
  };
}

export interface FlowWorld {
  readonly store: FlowStore;
  readonly scope: ProjectScope;
  readonly prisma: UnscopedAccess['prisma'];
  /** What followers were told, oldest first. */
  readonly published: StateMessage[];
  /** Browsers that were asked to end. */
  readonly ended: BrowserToEnd[];
  addConnection(): Promise<string>;
  close(): Promise<void>;
}

/** One project on a fresh database, with followers and browsers written down instead of reached. */
export async function flowWorld(times: { readonly pauseMs?: number; readonly totalMs?: number } = {}): Promise<FlowWorld> {
  const { database, close } = await freshDatabase();
  const { prisma } = unscoped(database);
  const [organizationId, projectId] = [newId(), newId()];
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await prisma.project.create({ data: { id: projectId, organizationId, name: 'Default', nameFolded: 'default' } });
  const published: StateMessage[] = [];
  const ended: BrowserToEnd[] = [];
  const store: FlowStore = {
    database, sealer: new Sealer({ current: randomBytes(32).toString('hex') }), publicUrl: 'https://berth.test',
    pauseMs: times.pauseMs ?? 600_000, totalMs: times.totalMs ?? 1_200_000,
    publisher: { publish: async (message) => void published.push(message) },
    endBrowser: async (browser) => {
      ended.push(browser);
      await prisma.browserSession.update({ where: { id: browser.sessionId }, data: { status: 'ended', deletedAt: new Date() } });
    },
  };
  return {
    store, scope: projectScope(organizationId, projectId), prisma, published, ended, close,
    addConnection: async () => {
      const [profileId, id] = [newId(), newId()];
      await prisma.profile.create({ data: { id: profileId, organizationId, projectId } });
      await prisma.authConnection.create({ data: { id, organizationId, projectId, profileId, domain: 'site.test', allowedDomains: [] } });
      return id;
    },
  };
}
