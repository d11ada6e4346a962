import { describe, expect, it } from '@jest/globals';
import { storeChecks } from './store-checks.js';

describe('store checks', () => {
  it('D53: a store that refuses or stays silent is down, and does not hide that the others are up', async () => {
    const stores = {
      postgres: { ping: async () => 1 },
      redis: { ping: () => Promise.reject(new Error('refused')) },
      silent: { ping: () => new Promise<never>(() => undefined) },
    };
    expect(await storeChecks(stores)).toEqual({ postgres: 'up', redis: 'down', silent: 'down' });
  });
});
