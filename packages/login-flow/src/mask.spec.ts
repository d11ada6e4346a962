import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mask } from './mask.js';

describe('mask', () => {
  it('D45: no secret is left in any text it was put into', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 3 }).filter((secret) => secret.trim().length > 2 && !secret.includes('•')),
          { minLength: 1, maxLength: 4 },
        ),
        fc.string(),
        fc.string(),
        (secrets, before, after) => {
          for (const secret of secrets) expect(mask(`${before} ${secret} ${after}`, secrets)).not.toContain(secret);
        },
      ),
    );
  });

  it.each([
    ['a part of an address', (secret: string) => encodeURIComponent(secret)],
    ['an address', (secret: string) => encodeURI(secret)],
    ['a form', (secret: string) => new URLSearchParams({ p: secret }).toString()],
    ['a form, in small letters', (secret: string) => new URLSearchParams({ p: secret }).toString().toLowerCase()],
    ['an address within an address', (secret: string) => encodeURIComponent(`/home?p=${encodeURIComponent(secret)}`)],
  ])('D45: finds a secret that is spelled as in %s', (_name, spell) => {
    const secret = 'P@ss wörd/+%&é1*!';
    const shown = mask(`https://a.test/?${spell(secret)}#end`, [secret]);
    expect(shown).toContain('••••#end');
    expect(shown).not.toMatch(/ss|rd|%C3/i);
  });

  it('D45: finds a code that the page prints in groups, and a password in other case', () => {
    expect(mask('Code 123 456 is wrong; HUNTER-TWO too', ['123456', 'hunter-two'])).toBe('Code •••• is wrong; •••• too');
  });

  it('D45: finds a secret without the line breaks that a box of one line leaves out', () => {
    expect(mask('correcthorse, 123 456 and hunter-two?', ['correct\r\nhorse', '123456\n', '\nhunter-two\n'])).toBe('••••, •••• and ••••?');
    expect(mask('correct\nhorse /?p=correct%0D%0Ahorse', ['correct\r\nhorse'])).toBe('•••• /?p=••••');
    expect(mask('about a b', ['a\nb'])).toBe('about ••••');
    expect(mask('hunter-two', ['hunter\n\n\n\n\n', 'hunter-two'])).toBe('••••');
  });

  it('D45: the longer secret goes first, so that no rest of it stays', () => {
    expect(mask('secret-word', ['secret', 'secret-word'])).toBe('••••');
  });

  it('leaves text readable when a secret is a single letter', () => {
    expect(mask('a bad answer: a', ['a'])).toBe('•••• bad answer: ••••');
  });
});
