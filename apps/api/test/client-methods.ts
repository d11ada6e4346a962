import type Kernel from '@onkernel/sdk';

type Method = (...given: unknown[]) => unknown;
type Resource = Record<string, unknown>;

const isResource = (value: unknown): value is Resource => typeof value === 'object' && value !== null && '_client' in value;

/** The resources of a client and their own resources, each with its path: `browsers`, `browsers.fs`. */
function* resourcesOf(parent: object, path: readonly string[] = []): Generator<readonly [path: string, resource: Resource]> {
  for (const [name, value] of Object.entries(parent)) {
    if (name === '_client' || !isResource(value)) continue;
    yield [[...path, name].join('.'), value];
    yield* resourcesOf(value, [...path, name]);
  }
}

/** Every method that the published client has, by its name as it is written: `browsers.fs.readFile`. */
export function methodsOf(client: Kernel): ReadonlyMap<string, Method> {
  const own = (resource: Resource) => Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');
  return new Map(
    [...resourcesOf(client)].flatMap(([path, resource]) =>
      own(resource).map((name) => [`${path}.${name}`, (resource[name] as Method).bind(resource)] as const),
    ),
  );
}

/** Notes in `used` which methods are called from now on; they work as before. */
export function noteUses(client: Kernel, used: Set<string>): void {
  for (const [name, method] of methodsOf(client)) {
    const path = name.split('.');
    const resource = path.slice(0, -1).reduce<unknown>((at, part) => (at as Resource)[part], client) as Resource;
    resource[path.at(-1) ?? ''] = (...given: unknown[]) => {
      used.add(name);
      return method(...given);
    };
  }
}
