import { describe, expect, it } from '@jest/globals';
import { canReauth, credentialKeyFor, type ReauthFacts, type Requirements } from './can-reauth.js';

const credential = { valueKeys: ['email', 'password'], hasTotpSecret: false };
const login: Requirements['fields'] = [
  { type: 'identifier', ref: 'username' },
  { type: 'password', ref: 'password' },
];
const needs = (...more: Requirements['fields']): Requirements => ({ fields: [...login, ...more], picks: [], external: false });
const known = { lastAuthAt: new Date(), credential, requirements: needs() };

describe('canReauth', () => {
  const rows: readonly (readonly [ReauthFacts, boolean, string])[] = [
    [{ ...known, lastAuthAt: null }, false, 'no_prior_successful_login'],
    [{ ...known, credential: null }, false, 'no_credential'],
    [{ ...known, requirements: null }, true, 'no_requirements_recorded'],
    [known, true, 'requirements_satisfiable'],
    [{ ...known, requirements: { ...needs(), external: true } }, false, 'requires_external_action'],
    [{ ...known, requirements: needs({ type: 'totp_code', ref: 'code' }) }, false, 'requires_totp_without_secret'],
    [
      { ...known, credential: { ...credential, hasTotpSecret: true }, requirements: needs({ type: 'totp_code', ref: 'code' }) },
      true,
      'requirements_satisfiable',
    ],
    [{ ...known, requirements: needs({ type: 'code', ref: 'code', channel: 'sms' }) }, false, 'requires_sms_code'],
    [{ ...known, requirements: needs({ type: 'code', ref: 'code', channel: 'email' }) }, false, 'requires_email_code'],
    [{ ...known, requirements: needs({ type: 'text', ref: 'memorable_word' }) }, false, 'no_viable_plans'],
  ];
  it.each(rows)('D44: row %# answers %s %s', (facts, can, reason) => {
    expect(canReauth(facts)).toEqual({ can, reason });
  });
});

describe('credentialKeyFor', () => {
  it('prefers the ref itself, then a usual name, in any case', () => {
    expect(credentialKeyFor('username', ['Email', 'username'])).toBe('username');
    expect(credentialKeyFor('username', ['Email'])).toBe('Email');
    expect(credentialKeyFor('username_2', ['email'])).toBe('email');
    expect(credentialKeyFor('memorable_word', ['email'])).toBeUndefined();
  });
});
