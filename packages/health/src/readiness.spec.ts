import { describe, expect, it } from '@jest/globals';
import { readinessOf } from './readiness.js';

const store = (state: 'up' | 'down') => ({ ping: async () => (state === 'up' ? 1 : Promise.reject(new Error('refused'))) });

describe('readiness', () => {
  it.each([
    { stopping: false, postgres: 'up', redis: 'up', status: 'ok' },
    { stopping: false, postgres: 'up', redis: 'down', status: 'degraded' },
    { stopping: false, postgres: 'down', redis: 'up', status: 'unavailable' },
    { stopping: true, postgres: 'up', redis: 'up', status: 'unavailable' },
  ] as const)('D53: stopping $stopping, PostgreSQL $postgres, Redis $redis is $status', async ({ stopping, postgres, redis, status }) => {
    const readiness = await readinessOf({ name: 'worker', stopping, stores: { postgres: store(postgres), redis: store(redis) } });
    expect(readiness).toEqual({ status, checks: { worker: stopping ? 'stopping' : 'up', postgres, redis } });
  });
});
