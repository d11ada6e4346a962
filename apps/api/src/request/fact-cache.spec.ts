import { describe, expect, it } from '@jest/globals';
import { type Fact, FactCache } from './fact-cache.js';

const ttlMs = 30_000;

function world() {
  let now = 1_000_000;
  let loads = 0;
  const cache = new FactCache({ ttlMs, now: () => now });
  const loading =
    <T>(fact: Fact<T>) =>
    async (): Promise<Fact<T>> => {
      loads += 1;
      return fact;
    };
  return { cache, loading, loads: () => loads, pass: (ms: number) => void (now += ms), now: () => now };
}

const known: Fact<string> = { value: 'key', organizationId: 'acme' };
const absent: Fact<string> = { value: undefined, organizationId: undefined };

describe('FactCache', () => {
  it('D10: what is known is answered at once, without a promise, until its time is over', async () => {
    const { cache, loading, loads, pass } = world();
    expect(await cache.get('k', loading(known))).toBe('key');
    pass(ttlMs - 1);
    expect(cache.get('k', loading(known))).toBe('key');
    expect(loads()).toBe(1);
    pass(1);
    expect(cache.get('k', loading(known))).toBeInstanceOf(Promise);
    expect(loads()).toBe(2);
  });

  it('D10: absence is trusted for a second alone', async () => {
    const { cache, loading, loads, pass } = world();
    await cache.get('k', loading(absent));
    pass(999);
    expect(cache.get('k', loading(known))).toBeUndefined();
    pass(1);
    expect(await cache.get('k', loading(known))).toBe('key');
    expect(loads()).toBe(2);
  });

  it('D10: an expiry ends a fact to the millisecond, cached or not', async () => {
    const { cache, loading, pass, now } = world();
    const ending: Fact<string> = { ...known, endsAt: now() + 10 };
    expect(await cache.get('k', loading(ending))).toBe('key');
    pass(9);
    expect(cache.get('k', loading(ending))).toBe('key');
    pass(1);
    expect(cache.get('k', loading(ending))).toBeUndefined();
  });

  it('D10: a drop forgets the organization and every absence, and nothing of others', async () => {
    const { cache, loading, loads } = world();
    await cache.get('acme', loading(known));
    await cache.get('other', loading({ value: 'key', organizationId: 'other' }));
    await cache.get('nobody', loading(absent));
    cache.drop('acme');
    expect(cache.get('other', loading(known))).toBe('key');
    await Promise.all([cache.get('acme', loading(known)), cache.get('nobody', loading(known))]);
    expect(loads()).toBe(5);
  });

  it('D10: what a load brings that began before a drop is answered and not kept', async () => {
    const { cache, loading, loads } = world();
    let finish: (fact: Fact<string>) => void = () => undefined;
    const early = cache.get('k', () => new Promise<Fact<string>>((resolve) => (finish = resolve)));
    cache.drop('acme');
    finish(known);
    expect(await early).toBe('key');
    expect(await cache.get('k', loading({ value: 'changed', organizationId: 'acme' }))).toBe('changed');
    expect(loads()).toBe(1);
  });

  it('D10: many callers share one load; a load that fails is not kept', async () => {
    const { cache, loading, loads } = world();
    const failing = () => Promise.reject(new Error('no database'));
    await expect(Promise.all([cache.get('k', failing)])).rejects.toThrow('no database');
    expect(await Promise.all(Array.from({ length: 10 }, async () => cache.get('k', loading(known))))).toEqual(
      Array<string>(10).fill('key'),
    );
    expect(loads()).toBe(1);
  });

  it('D10: a time of 0 keeps nothing', async () => {
    const cache = new FactCache({ ttlMs: 0 });
    let loads = 0;
    const load = async (): Promise<Fact<number>> => ({ value: (loads += 1), organizationId: 'acme' });
    expect([await cache.get('k', load), await cache.get('k', load)]).toEqual([1, 2]);
  });
});
