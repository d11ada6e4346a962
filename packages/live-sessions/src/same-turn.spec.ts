import { describe, expect, it } from '@jest/globals';
import { SameTurn } from './same-turn.js';

describe('calls of one turn', () => {
  function recording(): { readonly sent: (readonly string[])[]; readonly calls: SameTurn<string, string> } {
    const sent: (readonly string[])[] = [];
    const calls = new SameTurn<string, string>(async (items) => {
      sent.push(items);
      if (items.includes('bad')) throw new Error('refused');
      return items.map((item) => `answer to ${item}`);
    });
    return { sent, calls };
  }

  it('go out as one, in their order, and each hears its own answer', async () => {
    const { sent, calls } = recording();
    expect(await Promise.all(['a', 'b', 'c'].map((item) => calls.ask('key', item)))).toEqual(['answer to a', 'answer to b', 'answer to c']);
    expect(sent).toEqual([['a', 'b', 'c']]);
  });

  it('go out apart by key', async () => {
    const { sent, calls } = recording();
    await Promise.all([calls.ask('one', 'a'), calls.ask('two', 'b'), calls.ask('one', 'c')]);
    expect(sent).toEqual([['a', 'c'], ['b']]);
  });

  it('are joined by those that the last answers wake', async () => {
    const { sent, calls } = recording();
    const twice = async (item: string): Promise<void> => {
      await calls.ask('key', `${item}1`);
      await calls.ask('key', `${item}2`);
    };
    await Promise.all([twice('a'), twice('b')]);
    expect(sent).toEqual([
      ['a1', 'b1'],
      ['a2', 'b2'],
    ]);
  });

  it('are at most a hundred at once', async () => {
    const { sent, calls } = recording();
    await Promise.all(Array.from({ length: 250 }, (_, index) => calls.ask('key', String(index))));
    expect(sent.map((items) => items.length)).toEqual([100, 100, 50]);
    expect(sent.flat()).toEqual(Array.from({ length: 250 }, (_, index) => String(index)));
  });

  it('fail together, and the next turn starts anew', async () => {
    const { calls } = recording();
    const outcomes = await Promise.allSettled([calls.ask('key', 'a'), calls.ask('key', 'bad')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await calls.ask('key', 'b')).toBe('answer to b');
  });
});
