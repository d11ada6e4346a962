import { describe, expect, it } from '@jest/globals';
import { outside } from './spans.js';

describe('outside', () => {
  it('D57: counts what no span covers, once, whatever the order, overlap and reach of the spans', () => {
    expect(outside([0, 100], [])).toBe(100);
    expect(
      outside(
        [0, 100],
        [
          [50, 60],
          [10, 20],
          [15, 30],
        ],
      ),
    ).toBe(70);
    expect(
      outside(
        [0, 100],
        [
          [-20, 5],
          [95, 130],
          [200, 210],
        ],
      ),
    ).toBe(90);
    expect(outside([0, 100], [[-1, 101]])).toBe(0);
  });
});
