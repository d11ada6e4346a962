import { Database } from '@berth/database';
import { type PrismaClient, unscoped } from '@berth/database/unscoped';
import type { Deployment } from '../deployment.js';

/** Runs an operator's verb on the database itself, and lets go of it. */
export async function onDatabase<T>(deployment: Deployment, work: (prisma: PrismaClient) => Promise<T>): Promise<T> {
  const database = new Database({ url: deployment.databaseUrl(), maxConnections: 2, applicationName: 'berth-cli' });
  try {
    return await work(unscoped(database).prisma);
  } finally {
    await database.close();
  }
}
