import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type pg from 'pg';
import { freshStores, type FreshStores } from '../src/index.js';

let stores: FreshStores;
let database: Database;
beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, maxConnections: 1, silentForMs: 100 });
});
afterAll(async () => {
  await database.close();
  await stores.drop();
});

it('D8: a connection that was idle for as long as PostgreSQL may be silent answers what it is asked in that very moment', async () => {
  const { pool } = unscoped(database);
  const connected = new Promise<pg.PoolClient>((resolve) => pool.once('connect', resolve));
  await database.ping();
  const { connection } = (await connected) as unknown as { readonly connection: { readonly stream: Socket } };
  for (let round = 0; round < 5; round += 1) {
    // After the one that judges: what is asked here is asked when it has looked, and before it strikes.
    const answer = await new Promise<pg.QueryResult>((resolve, reject) =>
      connection.stream.once('timeout', () => void pool.query('SELECT 1').then(resolve, reject)),
    );
    expect(answer.rowCount).toBe(1);
  }
});
