/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The two functions that run inside a page of an origin. They are sent as text, so each must hold all it uses.
 * Values of IndexedDB are written as JSON: what JSON says itself stays as it is, all else is `{t: kind, …}`.
 */

interface Options {
  /** Characters of IndexedDB that are kept of one origin; beyond it none of it is, because half a database is worse than none. */
  readonly limit: number;
}

/** Reads localStorage and IndexedDB of the page's origin. */
export async function readStorage({ limit }: Options): Promise<string> {
  const base64 = (bytes: Uint8Array): string => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return btoa(text);
  };

  async function encode(value: unknown, seen: Map<object, number>): Promise<unknown> {
    if (value === undefined) return { t: 'undefined' };
    if (typeof value === 'bigint') return { t: 'bigint', v: value.toString() };
    if (typeof value === 'number')
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { t: 'number', v: Object.is(value, -0) ? '-0' : String(value) };
    if (value === null || typeof value !== 'object') return value;
    const known = seen.get(value);
    if (known !== undefined) return { t: 'again', v: known };
    seen.set(value, seen.size);
    const all = async (values: Iterable<unknown>): Promise<unknown[]> => {
      const encoded: unknown[] = [];
      for (const one of values) encoded.push(await encode(one, seen));
      return encoded;
    };
    if (value instanceof Date) return { t: 'date', v: value.getTime() };
    if (value instanceof RegExp) return { t: 'regexp', v: value.source, f: value.flags };
    if (value instanceof ArrayBuffer) return { t: 'bytes', k: 'ArrayBuffer', v: base64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value))
      return { t: 'bytes', k: value.constructor.name, v: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    if (value instanceof Blob) {
      const name = value instanceof File ? { n: value.name, m: value.lastModified } : {};
      return { t: 'blob', k: value.type, v: base64(new Uint8Array(await value.arrayBuffer())), ...name };
    }
    if (value instanceof Map) return { t: 'map', k: await all(value.keys()), v: await all(value.values()) };
    if (value instanceof Set) return { t: 'set', v: await all(value) };
    if (Array.isArray(value)) return { t: 'array', v: await all(value) };
    if (value instanceof Error) return { t: 'error', k: value.name, v: value.message };
    if (Object.prototype.toString.call(value) !== '[object Object]' || Object.getPrototypeOf(value) !== Object.prototype)
      throw new TypeError('no copy of this kind of object can be made');
    return { t: 'object', k: Object.keys(value), v: await all(Object.values(value)) };
  }

  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('IndexedDB did not answer'));
    });

  async function readStore(store: IDBObjectStore): Promise<object> {
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done<unknown[]>(store.getAll())]);
    const indexes = [...store.indexNames].map((name) => {
      const { keyPath, unique, multiEntry } = store.index(name);
      return { name, keyPath, unique, multiEntry };
    });
    return {
      name: store.name,
      keyPath: store.keyPath,
      autoIncrement: store.autoIncrement,
      indexes,
      raw: keys.map((key, at) => [key, values[at]]),
    };
  }

  async function encodeRecords({ raw, ...store }: { raw?: [unknown, unknown][] }): Promise<object> {
    const records: unknown[] = [];
    for (const [key, value] of raw ?? []) {
      try {
        records.push([await encode(key, new Map()), await encode(value, new Map())]);
      } catch {
        // A key that cannot leave the browser, such as one of WebCrypto: the website makes a new one.
      }
    }
    return { ...store, records };
  }

  async function readDatabase(name: string, version: number): Promise<object> {
    const database = await done(indexedDB.open(name));
    try {
      const names = [...database.objectStoreNames];
      // All reads are begun in one turn: a transaction that waits for anything else is closed.
      const transaction = names.length === 0 ? undefined : database.transaction(names, 'readonly');
      const stores = await Promise.all(names.map((store) => readStore((transaction as IDBTransaction).objectStore(store))));
      const encoded: object[] = [];
      for (const store of stores) encoded.push(await encodeRecords(store));
      return { name, version, stores: encoded };
    } finally {
      database.close();
    }
  }

  const result: { localStorage: [string, string][]; indexedDB: object[] } = { localStorage: [], indexedDB: [] };
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at) ?? '';
      result.localStorage.push([key, localStorage.getItem(key) ?? '']);
    }
    for (const { name, version } of await indexedDB.databases()) {
      if (name !== undefined && version !== undefined) result.indexedDB.push(await readDatabase(name, version));
    }
  } catch {
    // Storage is closed to this origin (a browser setting, a broken database): what was read so far is what there is.
  }
  if (JSON.stringify(result.indexedDB).length > limit) result.indexedDB = [];
  return JSON.stringify(result);
}

interface Written {
  readonly localStorage: readonly (readonly [string, string])[];
  readonly indexedDB: readonly {
    readonly name: string;
    readonly version: number;
    readonly stores: readonly {
      readonly name: string;
      readonly keyPath: string | readonly string[] | null;
      readonly autoIncrement: boolean;
      readonly indexes: readonly {
        readonly name: string;
        readonly keyPath: string | readonly string[];
        readonly unique: boolean;
        readonly multiEntry: boolean;
      }[];
      readonly records: readonly (readonly [unknown, unknown])[];
    }[];
  }[];
}

/** Writes what `readStorage` has read into the page's origin, in a browser that has nothing of it yet. */
export async function writeStorage({ localStorage: items, indexedDB: databases }: Written): Promise<void> {
  interface Tagged {
    readonly t: string;
    readonly v: never;
    readonly k: never;
    readonly f?: string;
    readonly n?: string;
    readonly m?: number;
  }
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const views: Record<string, new (buffer: ArrayBuffer) => unknown> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  };
  const errors: Record<string, new (message: string) => Error> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };

  const decoders: Record<string, (tagged: Tagged, seen: unknown[], remember: <T>(value: T) => T) => unknown> = {
    undefined: () => undefined,
    bigint: ({ v }) => BigInt(v),
    number: ({ v }) => Number(v),
    again: ({ v }, seen) => seen[v],
    date: ({ v }, _, remember) => remember(new Date(v)),
    regexp: ({ v, f }, _, remember) => remember(new RegExp(v, f)),
    bytes: ({ k, v }, _, remember) => {
      const { buffer } = bytesOf(v);
      const View = views[k];
      return remember(View === undefined ? buffer : new View(buffer));
    },
    blob: ({ k, v, n, m }, _, remember) =>
      remember(n === undefined ? new Blob([bytesOf(v)], { type: k }) : new File([bytesOf(v)], n, { type: k, lastModified: m ?? 0 })),
    error: ({ k, v }, _, remember) => remember(new (errors[k] ?? Error)(v)),
    map: ({ k, v }, seen, remember) => {
      const map = remember(new Map<unknown, unknown>());
      const keys = (k as unknown[]).map((key) => decode(key, seen));
      (v as unknown[]).forEach((value, at) => map.set(keys[at], decode(value, seen)));
      return map;
    },
    set: ({ v }, seen, remember) => {
      const set = remember(new Set<unknown>());
      for (const value of v as unknown[]) set.add(decode(value, seen));
      return set;
    },
    array: ({ v }, seen, remember) => {
      const array = remember<unknown[]>([]);
      for (const value of v as unknown[]) array.push(decode(value, seen));
      return array;
    },
    object: ({ k, v }, seen, remember) => {
      const object = remember<Record<string, unknown>>({});
      (v as unknown[]).forEach((value, at) => {
        object[(k as string[])[at] ?? ''] = decode(value, seen);
      });
      return object;
    },
  };

  function decode(value: unknown, seen: unknown[]): unknown {
    if (value === null || typeof value !== 'object') return value;
    const tagged = value as Tagged;
    return decoders[tagged.t]?.(tagged, seen, (made) => {
      seen.push(made);
      return made;
    });
  }

  function create(database: IDBDatabase, stores: Written['indexedDB'][number]['stores']): void {
    for (const { name, keyPath, autoIncrement, indexes } of stores) {
      const store = database.createObjectStore(name, { keyPath: keyPath as string | null, autoIncrement });
      for (const index of indexes)
        store.createIndex(index.name, index.keyPath as string, { unique: index.unique, multiEntry: index.multiEntry });
    }
  }

  function open({ name, version, stores }: Written['indexedDB'][number]): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version);
      request.onupgradeneeded = () => create(request.result, stores);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('the database did not open'));
    });
  }

  function fill(database: IDBDatabase, stores: Written['indexedDB'][number]['stores']): Promise<void> {
    if (stores.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(
        stores.map(({ name }) => name),
        'readwrite',
      );
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the database was not filled'));
      for (const { name, keyPath, records } of stores) {
        const store = transaction.objectStore(name);
        for (const [key, value] of records) store.put(decode(value, []), keyPath === null ? (decode(key, []) as IDBValidKey) : undefined);
      }
    });
  }

  for (const [key, value] of items) localStorage.setItem(key, value);
  for (const database of databases) {
    const opened = await open(database);
    await fill(opened, database.stores);
    opened.close();
  }
}
