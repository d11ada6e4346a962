import { describe, expect, it } from '@jest/globals';
import type { FieldFinding } from '../discovery/verdict.js';
import { enter, entryFor } from './entries.js';

describe('D60: what is entered for a value', () => {
  const field = (accepts: FieldFinding['accepts']): FieldFinding =>
    ({ type: 'text', ref: 'word', rules: [], accepts }) as unknown as FieldFinding;
  const tenants = field({
    kind: 'option',
    options: [
      { text: 'North', value: '1' },
      { text: 'Süd Ost', value: 'se' },
    ],
  });

  it.each([
    ['an option by its name', tenants, ' north ', 'North'],
    ['an option by its value', tenants, 'SE', 'Süd Ost'],
    ['a day', field({ kind: 'date' }), '1815-12-10', '1815-12-10'],
    ['a day as it is written elsewhere', field({ kind: 'date' }), '9.2.1815', '1815-02-09'],
    ['a month', field({ kind: 'month' }), '2027-03', '2027-03'],
    ['characters', field({ kind: 'characters', count: 3 }), 'pÄ7', 'pÄ7'],
    ['any text', field(undefined), ' as it is ', ' as it is '],
  ])('%s', (_name, asked, value, typed) => {
    expect(entryFor(asked, value)).toEqual({ typed });
  });

  it.each([
    ['an option that is not there', tenants, 'West'],
    ['a day that is not in the calendar', field({ kind: 'date' }), '2027-02-30'],
    ['a day that could be two', field({ kind: 'date' }), '02/03/1990'],
    ['a month that is none', field({ kind: 'month' }), '2027-13'],
    ['too few characters', field({ kind: 'characters', count: 3 }), 'pa'],
  ])('%s is refused in our words', (_name, asked, value) => {
    const entry = entryFor(asked, value);
    expect('refused' in entry && entry.refused).toBeTruthy();
    expect(JSON.stringify(entry)).not.toContain(value);
  });
});

describe('D60: a code in groups', () => {
  const code = { type: 'code', ref: 'code', rules: [], inputMode: 'numeric' } as unknown as FieldFinding;
  const known = { waitFor: (): number => 0, valueOf: (): undefined => undefined };

  it.each([
    ['is one number where digits are asked for', code, ' 123 456 ', '123456'],
    ['with a dash as well', code, '123-456', '123456'],
    ['stays as it is with a dash of a longer one', code, '1234-5678', '1234-5678'],
    ['stays as it is with letters in it', code, 'G-123 456', 'G-123 456'],
    ['stays as it is where letters may be in it', { ...code, inputMode: 'text' as const }, '1234 5678', '1234 5678'],
    ['is none in any other field', { ...code, type: 'password' as const }, '123 456', '123 456'],
  ])('%s', async (_name, field, given, typed) => {
    expect(await enter([field], [given], known)).toMatchObject([{ value: typed, entry: { typed } }]);
  });
});

describe('D60: codes that are made from a seed', () => {
  const code = { type: 'totp_code', ref: 'code', rules: [] } as unknown as FieldFinding;

  it('are made once the one that is about to lapse has lapsed, not before', async () => {
    const order: string[] = [];
    const known = {
      waitFor: (): number => {
        setTimeout(() => order.push('lapsed'), 5);
        return 5;
      },
      valueOf: (): string => {
        order.push('made');
        return '287082';
      },
    };
    expect(await enter([code], [undefined], known)).toMatchObject([{ value: '287082', entry: { typed: '287082' } }]);
    expect(order).toEqual(['lapsed', 'made']);
  });

  it('are not made where a person has given one', async () => {
    expect(await enter([code], ['111111'], { waitFor: () => 0, valueOf: () => '287082' })).toMatchObject([{ value: '111111' }]);
  });
});
