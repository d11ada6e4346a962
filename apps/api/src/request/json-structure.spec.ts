import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { structureFault } from './json-structure.js';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('structureFault', () => {
  it('D8: whatever JSON.stringify writes has no fault, however its strings look', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, spaces) => {
        expect(structureFault(JSON.stringify(value, null, spaces))).toBeUndefined();
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{"x":{"b" : 1, "c":[{}], "b"\n:2}}', 'b'],
    ['[{"":1,"":1}]', ''],
    ['{"q\\"":1,"q\\"":1}', 'q"'],
    ['{"\\\\":1,"\\\\":1}', '\\'],
  ])('D8: in %s the name "%s" is given twice', (text, field) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(structureFault(text)).toEqual({ field, message: 'must be given once' });
  });

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}},"b":["a","a"]}',
    '[{"a":1},{"a":1}]',
    '{"a":"{\\"a\\":1,\\"a\\":1}"}',
    '"[[["',
    '{"a\\\\":1,"a":"\\\\"}',
  ])('D8: %s names nothing twice', (text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(structureFault(text)).toBeUndefined();
  });

  it('D8: 2000 fields and entries are read, one more is not, and a comma in a text is none', () => {
    const list = (entries: number): string => `{"a":[${Array.from({ length: entries }, () => '1').join()}]}`;
    const fault = { field: 'body', message: 'must not have more than 2000 fields and entries in all' };
    expect([structureFault(list(1_999)), structureFault(list(2_000)), structureFault(`["${','.repeat(9_000)}"]`)]).toEqual([
      undefined,
      fault,
      undefined,
    ]);
  });

  it.each(['', '"', '{"a', '{"a\\', ']]}}', '{"\\x":1,"b":2}'])('D8: of %j, which is no JSON, nothing is said here', (text) => {
    expect(structureFault(text)).toBeUndefined();
  });

  it('D8: 100 levels are read, one more is not', () => {
    expect([structureFault(nested(100)), structureFault(nested(101))]).toEqual([
      undefined,
      { field: 'body', message: 'must not be nested deeper than 100 levels' },
    ]);
  });
});
