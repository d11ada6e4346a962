import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Sealer } from './sealer.js';

const first = 'a1'.repeat(32);
const second = 'b2'.repeat(32);

describe('Sealer', () => {
  it('D45: opens what it sealed, and the sealed bytes do not hold the secret', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (secret) => {
        const sealer = new Sealer({ current: first });
        const sealed = sealer.seal('values', secret);
        expect(sealer.open('values', sealed).toString('utf8')).toBe(Buffer.from(secret).toString('utf8'));
        expect(sealed.includes(Buffer.from(secret))).toBe(false);
      }),
    );
  });

  it('refuses a value sealed for another purpose', () => {
    const sealer = new Sealer({ current: first });
    expect(() => sealer.open('totp', sealer.seal('values', 'x'))).toThrow();
  });

  it('refuses a value of which any single byte was changed', () => {
    const sealer = new Sealer({ current: first });
    const sealed = sealer.seal('values', 'secret');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      expect(() => sealer.open('values', changed)).toThrow();
    }
  });

  it('house: sealed blobs carry a key id, so a key can be replaced while old values still open', () => {
    const sealed = new Sealer({ current: first }).seal('values', 'secret');
    const signature = new Sealer({ current: first }).sign('cdp', 'session');
    const rotated = new Sealer({ current: second, previous: [first] });
    expect(rotated.open('values', sealed).toString()).toBe('secret');
    expect(rotated.verify('cdp', 'session', signature)).toBe(true);
    expect(() => new Sealer({ current: second }).open('values', sealed)).toThrow('key that is not configured');
  });

  it('a signature holds for its purpose and message alone', () => {
    const sealer = new Sealer({ current: first });
    const signature = sealer.sign('cdp', 'session');
    expect(sealer.verify('cdp', 'session', signature)).toBe(true);
    expect(sealer.verify('cdp', 'other', signature)).toBe(false);
    expect(sealer.verify('bidi', 'session', signature)).toBe(false);
    expect(sealer.verify('cdp', 'session', 'AAAA')).toBe(false);
  });
});
