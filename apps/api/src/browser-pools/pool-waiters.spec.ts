import { describe, expect, it } from '@jest/globals';
import type { Fleet } from '../admission/fleet.js';
import type { ApiConfig } from '../config.js';
import { Drain } from '../health/drain.js';
import type { HostDoors } from './host-doors.js';
import { type LeaseRequest, PoolWaiters } from './pool-waiters.js';
import type { PlacedSession, PoolsRepository } from './pools.repository.js';

const request = { poolId: 'pool', isWanted: () => true } as unknown as LeaseRequest;
const browser = { id: 'session' } as PlacedSession;

/** Waiters of a pool whose answers are given by the test. */
function waiting(lease: () => Promise<PlacedSession | undefined>): { readonly waiters: PoolWaiters; readonly drain: Drain } {
  const drain = new Drain({ stopNoticeSeconds: 0 } as ApiConfig);
  const waiters = new PoolWaiters({ lease } as unknown as PoolsRepository, {} as HostDoors, {} as Fleet, drain);
  return { waiters, drain };
}

describe('who waits for a browser of a pool when the process stops (D55)', () => {
  it('gets the browser that is just being leased, which would be leased to nobody otherwise; the next one gets none', async () => {
    let answer: (leased: PlacedSession | undefined) => void = () => undefined;
    const { waiters, drain } = waiting(() => new Promise((resolve) => (answer = resolve)));
    const both = [waiters.lease(request, 60_000), waiters.lease(request, 60_000)];
    await drain.beforeApplicationShutdown('SIGTERM');
    answer(browser);
    expect(await both[0]).toBe(browser);
    answer(undefined);
    expect(await both[1]).toBeUndefined();
  });

  it('is told that there is none where the pool is empty, and so is whoever comes later', async () => {
    const { waiters, drain } = waiting(() => Promise.resolve(undefined));
    const early = waiters.lease(request, 60_000);
    await drain.beforeApplicationShutdown('SIGTERM');
    expect(await early).toBeUndefined();
    expect(await waiters.lease(request, 60_000)).toBeUndefined();
  });
});
