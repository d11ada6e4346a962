import { describe, expect, it } from '@jest/globals';
import { DELIVERED } from '../discovery/fields/fields.js';
import type { ChoiceFinding, FieldFinding, Verdict } from '../discovery/verdict.js';
import { codesFromSeed, KnownValues, noValues } from './known-values.js';

const seed = 'JBSWY3DPEHPK3PXP';
const withSeed = new KnownValues(noValues, { values: {}, totpSecret: seed });
const typesIn = (verdict: Verdict): readonly string[] => verdict.fields.map(({ type }) => type);
const asking = (rules: readonly string[]): Verdict =>
  ({ kind: 'code', fields: [{ type: 'code', ref: 'code', rules } as unknown as FieldFinding] }) as unknown as Verdict;

describe('codesFromSeed', () => {
  it('D60: a stored seed is evidence of an authenticator app, whatever the page calls its code', () => {
    const read = codesFromSeed(asking(['code/name']), withSeed);
    expect(typesIn(read)).toEqual(['totp_code']);
    expect(withSeed.valueOf(read.fields[0] as FieldFinding)).toMatch(/^\d{6}$/);
  });

  it('D60: a code that the website says it has sent is asked for', () => {
    expect(typesIn(codesFromSeed(asking(['code/name', DELIVERED]), withSeed))).toEqual(['code']);
  });

  it('without a seed nothing is known of an app', () => {
    expect(typesIn(codesFromSeed(asking(['code/name']), new KnownValues(noValues, null)))).toEqual(['code']);
  });
});

describe("D44: choices that are the person's own", () => {
  const known = new KnownValues(noValues, { values: { username: 'ada@example.com' }, totpSecret: seed });
  const choice = (
    type: ChoiceFinding['type'],
    label: string,
    mfaType: ChoiceFinding['mfaType'] = null,
    description: string | null = null,
  ) => ({ type, label, mfaType, description }) as unknown as ChoiceFinding;

  it.each([
    ['an account under the name that is known', choice('account', 'Ada Lovelace', null, 'Ada@example.com (Signed out)'), true],
    ['an account whose name only begins like it', choice('account', 'ada@example.com.mail.example'), false],
    ['the authenticator app whose seed is stored', choice('mfa_method', 'Authenticator app', 'totp'), true],
    ['a text message', choice('mfa_method', 'Text message', 'sms'), false],
  ])('%s', (_name, offered, isOwn) => {
    expect(known.isOwn(offered)).toBe(isOwn);
    expect(new KnownValues(noValues, null).isOwn(offered)).toBe(false);
  });
});

describe('KnownValues', () => {
  it('D45: the options of a list are no secrets', () => {
    const values = { save: { password: 'hunter2', tenant: 'North' }, masked: [], open: ['tenant'] };
    expect(new KnownValues(values, null).secrets()).toEqual(['hunter2']);
  });
});
