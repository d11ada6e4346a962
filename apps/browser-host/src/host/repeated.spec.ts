import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Repeated } from './repeated.js';

describe('Repeated', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('house: a round that failed is told and comes again in a quarter of the time, until one succeeds', async () => {
    const told: unknown[] = [];
    let rounds = 0;
    const repeated = new Repeated(
      1_000,
      async () => {
        rounds += 1;
        if (rounds < 3) throw new Error(`failure ${rounds}`);
      },
      (error) => told.push((error as Error).message),
    );
    await jest.advanceTimersByTimeAsync(999);
    expect(rounds).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(500);
    expect([rounds, told]).toEqual([3, ['failure 1', 'failure 2']]);
    await jest.advanceTimersByTimeAsync(999);
    expect(rounds).toBe(3);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(4);
    await repeated.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(rounds).toBe(4);
  });
});
