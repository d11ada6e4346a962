import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { createTenant, freshStores, type FreshStores } from '@berth/testkit';
import { poolSweep } from '../src/maintenance/pool-sweep.js';

let stores: FreshStores;
let database: Database;
beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl });
});
afterAll(async () => {
  await database.close();
  await stores.drop();
});

describe('the sweep of pools', () => {
  it('D34: looks after the browsers of every pool before it gives slots back, which Redis may not allow', async () => {
    const { organizationId, defaultProjectId: projectId } = await createTenant(database);
    const pools = [newId(), newId()].sort();
    for (const id of pools)
      await unscoped(database).prisma.browserPool.create({ data: { id, organizationId, projectId, size: 1, reserved: 2, config: {} } });
    const tended: string[] = [];
    const sweep = poolSweep(
      database,
      {
        tend: async (_scope, id) => {
          tended.push(id);
          return [];
        },
        settle: async () => Promise.reject(new Error('Redis is away')),
      },
      1_000,
    );
    await expect(sweep.run()).rejects.toThrow('Redis is away');
    expect(tended.sort()).toEqual(pools);
  });
});
