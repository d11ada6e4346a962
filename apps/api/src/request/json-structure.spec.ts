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

  it('D8: 100 levels are read, one more is not', () => {
    expect([structureFault(nested(100)), structureFault(nested(101))]).toEqual([
      undefined,
      { field: 'body', message: 'must not be nested deeper than 100 levels' },
    ]);
  });
});
