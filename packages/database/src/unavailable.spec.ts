import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from './unavailable.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'P1001', 'P1017', '57P01', '57P03', '08006', '53300'])('D8: %s means that PostgreSQL cannot be asked', (code) => {
    expect(isDatabaseUnavailable(coded(code))).toBe(true);
    expect(isDatabaseUnavailable(new Error('the query failed', { cause: coded(code) }))).toBe(true);
  });

  it.each(['Connection terminated unexpectedly', 'Connection terminated due to connection timeout', 'timeout exceeded when trying to connect'])('D8: so does "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it.each(['23505', '42P01', '57014', 'P2002', 'P2025', 'BTH01', ''])('D8: %s is a fault of another kind', (code) => {
    expect(isDatabaseUnavailable(coded(code))).toBe(false);
  });

  it('D8: what is no error says nothing', () => {
    for (const value of [undefined, null, 'ECONNREFUSED', {}, { code: 5 }]) expect(isDatabaseUnavailable(value)).toBe(false);
  });
});
