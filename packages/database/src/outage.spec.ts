import { describe, expect, it } from '@jest/globals';
import { databaseOutage } from './outage.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('databaseOutage', () => {
  it.each([
    ['ECONNREFUSED', 'unreachable'],
    ['P1001', 'unreachable'],
    ['57P03', 'unreachable'],
    ['53300', 'unreachable'],
    ['40P01', 'unreachable'],
    ['P2034', 'unreachable'],
    ['P2028', 'unreachable'],
    ['ECONNRESET', 'unanswered'],
    ['ETIMEDOUT', 'unanswered'],
    ['P1017', 'unanswered'],
    ['57P01', 'unanswered'],
    ['08006', 'unanswered'],
  ] as const)('D8: %s means that PostgreSQL is %s', (code, outage) => {
    expect(databaseOutage(coded(code))).toBe(outage);
    expect(databaseOutage(new Error('the query failed', { cause: coded(code) }))).toBe(outage);
  });

  it.each([
    ['Connection terminated unexpectedly', 'unanswered'],
    ['Connection terminated due to connection timeout', 'unreachable'],
    ['timeout exceeded when trying to connect', 'unreachable'],
    ['Client has encountered a connection error and is not queryable', 'unreachable'],
  ] as const)('D8: so does "%s"', (message, outage) => {
    expect(databaseOutage(new Error(message))).toBe(outage);
  });

  it('D8: a connection that could not be had was not asked, whatever broke it', () => {
    expect(
      databaseOutage(
        new Error('Connection terminated due to connection timeout', { cause: new Error('Connection terminated unexpectedly') }),
      ),
    ).toBe('unreachable');
  });

  it.each(['23505', '42P01', '57014', 'P2002', 'P2025', 'BTH01', ''])('D8: %s is a fault of another kind', (code) => {
    expect(databaseOutage(coded(code))).toBeUndefined();
  });

  it('D8: what is no error says nothing', () => {
    for (const value of [undefined, null, 'ECONNREFUSED', {}, { code: 5 }]) expect(databaseOutage(value)).toBeUndefined();
  });
});
