import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IdleClock } from './idle-clock.js';

describe('IdleClock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('D33: counts from the last disconnect, of several connections too', () => {
    let idle = 0;
    const clock = new IdleClock(1_000, () => (idle += 1));
    clock.start();
    jest.advanceTimersByTime(900);
    const [first, second] = [clock.connect(), clock.connect()];
    jest.advanceTimersByTime(5_000);
    first();
    first();
    jest.advanceTimersByTime(5_000);
    expect([idle, clock.connections]).toEqual([0, 1]);
    second();
    jest.advanceTimersByTime(1_000);
    expect(idle).toBe(0);
    jest.advanceTimersByTime(1);
    expect(idle).toBe(1);
  });

  it('D34: does not count before it is started, and goes on where a lease began', () => {
    let idle = 0;
    const clock = new IdleClock(1_000, () => (idle += 1));
    clock.connect()();
    jest.advanceTimersByTime(5_000);
    expect(idle).toBe(0);
    clock.start(700);
    jest.advanceTimersByTime(299);
    expect(idle).toBe(0);
    jest.advanceTimersByTime(2);
    expect(idle).toBe(1);
  });
});
