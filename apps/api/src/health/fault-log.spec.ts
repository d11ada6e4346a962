import { describe, expect, it } from '@jest/globals';
import { bounded } from './fault-log.js';

describe('faults that nobody is answered with', () => {
  it('issue 6: the first is told at once, then at most one in ten seconds with the number of those left out', () => {
    let now = 0;
    const said: [unknown, number][] = [];
    const fault = bounded(
      (error, unsaid) => said.push([error, unsaid]),
      () => now,
    );
    for (now = 0; now <= 20_000; now += 1_000) fault(now);
    expect(said).toEqual([
      [0, 0],
      [10_000, 9],
      [20_000, 9],
    ]);
  });
});
