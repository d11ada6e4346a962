import fc, { type Arbitrary } from 'fast-check';

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '🚀'.repeat(255),
    'x'.repeat(5_000),
    -1,
    -0,
    0.5,
    2 ** 53,
    1e300,
    '5',
    true,
    [],
    {},
    '__proto__',
    [[[]]],
    { toString: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const words = fc.oneof(
  fc.constantFrom('a', 'name-1', 'https://example.com/', 'example.com', 'cuid0000000000000000000a', '2026-01-01T00:00:00Z', '10', 'true'),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/**
 * Values that mostly have the shape that a JSON Schema asks for, with a fault here and there: what is wholly wrong is refused before
 * anything interesting runs.
 */
export function shapedLike(root: object): Arbitrary<unknown> {
  const { $defs = {} } = root as JsonSchema;
  const faulty = (schema: JsonSchema): Arbitrary<unknown> =>
    fc.oneof({ weight: 7, arbitrary: like(schema) }, { weight: 1, arbitrary: junk });

  function like(schema: JsonSchema): Arbitrary<unknown> {
    if (schema.$ref !== undefined) return like($defs[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const options = schema.anyOf ?? schema.allOf;
    if (options !== undefined) return fc.oneof(...options.map(like));
    const [type] = [schema.type].flat();
    return byType[type ?? 'any']?.(schema) ?? junk;
  }

  const byType: Readonly<Record<string, (schema: JsonSchema) => Arbitrary<unknown>>> = {
    null: () => fc.constant(null),
    boolean: () => fc.boolean(),
    string: () => words,
    integer: ({ minimum = -5, maximum = 1_000 }) =>
      fc.integer({ min: Math.max(minimum, -1_000), max: Math.max(Math.min(maximum, 1_000_000), minimum) }),
    number: () => fc.double({ noNaN: true }),
    array: ({ items = {} }) => fc.array(faulty(items), { maxLength: 3 }),
    object: ({ properties = {}, required = [], additionalProperties }) => {
      const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, faulty(property)])), {
        requiredKeys: [...required],
      });
      if (typeof additionalProperties !== 'object')
        return fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: known.map((value) => ({ ...value, extra: 1 })) });
      return fc
        .tuple(known, fc.dictionary(words, faulty(additionalProperties), { maxKeys: 3 }))
        .map(([value, more]) => ({ ...more, ...value }));
    },
  };

  return faulty(root);
}
