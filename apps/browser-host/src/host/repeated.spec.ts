import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Repeated } from './repeated.js';

describe('Repeated', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['in a quarter of the time', 8_000, 2_000],
    ['in a second at the soonest', 2_000, 1_000],
    ['never later than it would have come', 500, 500],
  ])('house: a round that failed is told and comes again %s, until one succeeds', async (_how, everyMs, againMs) => {
    const told: unknown[] = [];
    let rounds = 0;
    const repeated = new Repeated(
      everyMs,
      async () => {
        rounds += 1;
        if (rounds < 3) throw new Error(`failure ${rounds}`);
      },
      (error) => told.push((error as Error).message),
    );
    const after = async (ms: number): Promise<number> => {
      await jest.advanceTimersByTimeAsync(ms);
      return rounds;
    };
    expect([await after(everyMs - 1), await after(1)]).toEqual([0, 1]);
    expect([await after(againMs - 1), await after(1)]).toEqual([1, 2]);
    expect([await after(againMs), told]).toEqual([3, ['failure 1', 'failure 2']]);
    expect([await after(everyMs - 1), await after(1)]).toEqual([3, 4]);
    await repeated.stop();
    expect(await after(10 * everyMs)).toBe(4);
  });
});
