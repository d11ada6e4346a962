import { describe, expect, it } from '@jest/globals';
import { BrowserTime } from './browser-time.js';

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('BrowserTime', () => {
  it('joins calls that overlap, and counts a call that fails', async () => {
    const time = new BrowserTime();
    const [first, second] = [gate(), gate()];
    const calls = [time.spend(() => first.opened), time.spend(() => second.opened)];
    first.open();
    await calls[0];
    expect(time.spans).toEqual([]);
    second.open();
    await calls[1];
    await expect(time.spend(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(time.spans).toHaveLength(2);
    for (const [from, to] of time.spans) expect(to).toBeGreaterThanOrEqual(from);
  });
});
