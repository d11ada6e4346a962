import { describe, expect, it } from '@jest/globals';
import { launchLeaseMs } from './launch-queue.js';

describe('launchLeaseMs', () => {
  it.each([
    ['a lease that outlives the launch is as long as any', 30, 10, 30_000],
    ['a shorter one is as long as the launch may take, and 2 s more', 2, 10, 12_000],
    ['as long as the launch alone would lapse while it is being given up', 10, 10, 12_000],
  ])('issue 4: %s', (_says, leaseSeconds, launchTimeoutSeconds, expected) => {
    expect(launchLeaseMs({ leaseSeconds, launchTimeoutSeconds })).toBe(expected);
  });
});
