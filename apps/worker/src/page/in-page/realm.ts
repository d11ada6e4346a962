/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Websites put things of their own in the place of what the browser builds in: an `Array.prototype.find` that takes a value, a `Map` of streets,
 * MooTools' `Event`. What runs inside a page is given the browser's own here, and the page keeps its.
 */

export interface Realm {
  /** What it was made for: a worker of another version may have left it in the document. */
  readonly names: string;
  /** The browser's own by the names of `builtins`. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly methods: readonly Method[];
  /** The browser's own methods stand in place of the page's just now. */
  isIn: boolean;
}

/** What the browser has at `holder[name]`; undefined where it has nothing. */
export interface Method {
  readonly holder: object;
  readonly name: string;
  readonly native: unknown;
}

/** A method that was put out of its place, and how it stood there. */
export interface Displaced {
  readonly holder: object;
  readonly name: string;
  readonly before: PropertyDescriptor | undefined;
}

/** Globals that the functions of this folder name, each with the members of it that they use. Told in brackets alone: `split` may be the page's. */
export function builtins(): [name: string, members: string[]][] {
  return [
    ['Array', []],
    ['CSS', ['escape']],
    ['Document', []],
    ['DocumentFragment', []],
    ['Element', []],
    ['Event', []],
    ['HTMLElement', []],
    ['HTMLFormElement', []],
    ['HTMLImageElement', []],
    ['HTMLInputElement', []],
    ['HTMLLabelElement', []],
    ['HTMLLinkElement', []],
    ['HTMLSelectElement', []],
    ['HTMLSlotElement', []],
    ['HTMLTextAreaElement', []],
    ['InputEvent', []],
    ['JSON', ['parse', 'stringify']],
    ['KeyboardEvent', []],
    ['Map', []],
    ['Math', ['max', 'min', 'round']],
    ['MouseEvent', []],
    ['MutationObserver', []],
    ['Node', []],
    ['NodeFilter', []],
    ['Number', []],
    ['Object', ['keys']],
    ['PointerEvent', []],
    ['Promise', []],
    ['RegExp', []],
    ['Set', []],
    ['ShadowRoot', []],
    ['String', []],
    ['Symbol', ['for']],
    ['Text', []],
    ['TreeWalker', []],
    ['URL', []],
    ['WeakSet', []],
    ['getComputedStyle', []],
    ['matchMedia', []],
    ['performance', ['getEntriesByType', 'now']],
  ];
}

/** Methods that they use of what a page may have changed, by the class that has them. */
export function builtinMethods(): [type: string, names: string[]][] {
  const query = ['querySelector', 'querySelectorAll'];
  const root = [...query, 'elementFromPoint', 'getElementById'];
  const node = ['compareDocumentPosition', 'contains', 'getRootNode'];
  const element = [...query, 'checkVisibility', 'closest', 'getAttribute', 'getBoundingClientRect', 'matches'];
  const text = ['endsWith', 'includes', 'indexOf', 'match', 'replace', 'slice', 'split', 'startsWith', 'toLowerCase', 'trim'];
  const list = ['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'map', 'pop', 'push'];
  return [
    ['Array', [...list, 'reverse', 'slice', 'some', 'sort', 'unshift']],
    ['String', text],
    ['RegExp', ['exec', 'test']],
    ['Map', ['get', 'has', 'keys', 'set']],
    ['Set', ['add', 'delete', 'has']],
    ['WeakSet', ['add', 'has']],
    ['Node', node],
    ['Element', element],
    ['HTMLElement', [...node, ...element]],
    ['HTMLSlotElement', ['assignedElements', 'assignedNodes']],
    ['Document', [...root, 'createTreeWalker']],
    ['DocumentFragment', query],
    ['ShadowRoot', root],
    ['TreeWalker', ['nextNode', 'previousNode']],
  ];
}

/** Symbols that are the same for every script of a document. Plain names do where a page has a `Symbol` of its own. */
export function keyOf(name: string): PropertyKey {
  return (window as { Symbol?: Partial<SymbolConstructor> }).Symbol?.for?.(name) ?? name;
}

/** A function that is bound, or made by a page, is written otherwise. */
export function isNative(value: unknown, name: string): boolean {
  return typeof value === 'function' && Function.prototype.toString.call(value) === `function ${name}() { [native code] }`;
}

/** Whether a global is the browser's: a class or a function, or an object whose members are. */
export function isIntact(value: unknown, name: string, members: readonly string[]): boolean {
  const isNamespace = typeof value === 'object' && value !== null && members.length > 0;
  if (!isNamespace && !isNative(value, name)) return false;
  for (const member of members) if (!isNative((value as Record<string, unknown>)[member], member)) return false;
  return true;
}

/** One of each kind, made without a name of a class that a page may have taken. */
export function things(): object[] {
  const host = document.createElement('div');
  const made: object[] = [
    [],
    /x/,
    Object('') as object,
    Object(0) as object,
    (async () => undefined)(),
    document,
    document.createTextNode(''),
    document.createDocumentFragment(),
    host.attachShadow({ mode: 'open' }),
    document.createEvent('Event'),
    document.createTreeWalker(host),
  ];
  for (const tag of ['form', 'img', 'input', 'label', 'link', 'select', 'slot', 'textarea'] as const)
    made[made.length] = document.createElement(tag);
  return made;
}

/** The page's own class of that name, found by what is of it: also a wrapper of it, with which `instanceof` is as true. */
export function classAmong(made: readonly object[], name: string, members: readonly string[]): unknown {
  const named = (window as unknown as Record<string, { prototype?: unknown } | undefined>)[name];
  for (const thing of made) {
    for (let type = Object.getPrototypeOf(thing) as object | null; type !== null; type = Object.getPrototypeOf(type) as object | null) {
      if (isIntact(type.constructor, name, members)) return type.constructor;
      if (type === named?.prototype && members.length === 0) return named;
    }
  }
  return undefined;
}

/** What another window has by that name, for use in this one. */
export function lend(other: Window, name: string): unknown {
  const found = Object.getOwnPropertyDescriptor(other, name);
  if (found?.get) return found.get.call(window);
  const value: unknown = found?.value;
  const isPlain = typeof value === 'function' && !Object.getOwnPropertyDescriptor(value, 'prototype');
  return isPlain ? value.bind(window) : value;
}

/**
 * Finds the browser's own. For what the page has replaced it borrows from an empty frame, which is in the document no longer than this takes:
 * nothing is put into a page that has left all of it alone.
 */
export function makeRealm(names: string): Realm {
  const own = window as unknown as Record<string, unknown>;
  let made: object[] | undefined;
  let frame: HTMLIFrameElement | undefined;
  const fresh = (): Window => {
    if (!frame) {
      frame = document.createElement('iframe');
      frame.hidden = true;
      document.documentElement.appendChild(frame);
    }
    return frame.contentWindow ?? window;
  };
  const globals: Record<string, unknown> = {};
  const methods: Method[] = [];
  const note = (holder: object, type: string, name: string): void => {
    const present = (holder as Record<string, unknown>)[name];
    const borrowed = (): unknown => (lend(fresh(), type) as { prototype: Record<string, unknown> }).prototype[name];
    methods[methods.length] = { holder, name, native: isNative(present, name) ? present : borrowed() };
  };
  try {
    for (const [name, members] of builtins())
      globals[name] = isIntact(own[name], name, members)
        ? own[name]
        : (classAmong((made ??= things()), name, members) ?? lend(fresh(), name));
    for (const [type, names] of builtinMethods()) {
      const { prototype } = globals[type] as { prototype: object };
      for (const name of names) {
        note(prototype, type, name);
        if (type === 'Document') note(document, type, name);
      }
    }
    // The browser has none, and old libraries one of another meaning.
    for (const thing of [{}, [], '', 0])
      methods[methods.length] = { holder: Object.getPrototypeOf(thing) as object, name: 'toJSON', native: undefined };
  } finally {
    if (frame) document.documentElement.removeChild(frame);
  }
  return { names, globals, methods, isIn: false };
}

/** Made once a document, and kept there. */
export function realmOf(names: string): Realm {
  const key = keyOf('page.realm');
  const present = (document as unknown as Record<PropertyKey, Realm | undefined>)[key];
  if (present?.names === names) return present;
  const realm = makeRealm(names);
  Object.defineProperty(document, key, { value: realm, enumerable: false, configurable: true });
  return realm;
}

/** A place that a page has locked keeps what is in it. */
export function put({ holder, name }: Method | Displaced, as: PropertyDescriptor | undefined): void {
  try {
    if (as) Object.defineProperty(holder, name, as);
    else Reflect.deleteProperty(holder, name);
  } catch {
    // There is nothing better than what is there.
  }
}

/** Puts the browser's own methods in place of the page's. @returns what has to be put back */
export function putIn(realm: Realm): Displaced[] {
  const displaced: Displaced[] = [];
  for (const method of realm.methods) {
    const { holder, name, native } = method;
    if ((holder as Record<string, unknown>)[name] === native) continue;
    const before = Object.getOwnPropertyDescriptor(holder, name);
    displaced[displaced.length] = { holder, name, before };
    const kind = before && 'value' in before ? before : { writable: true, enumerable: false, configurable: true };
    put(method, native === undefined ? undefined : { ...kind, value: native });
  }
  return displaced;
}

/**
 * A function that reads the page and runs none of its code, with the browser's own methods in place while it runs. What makes the page's
 * code run (an event, a focus) must not be among these: that code counts on its own.
 */
export function reading<Given extends unknown[], Result>(realm: Realm, run: (...given: Given) => Result): (...given: Given) => Result {
  return (...given) => {
    if (realm.isIn) return run(...given);
    const displaced = putIn(realm);
    realm.isIn = true;
    try {
      return run(...given);
    } finally {
      realm.isIn = false;
      for (const place of displaced) put(place, place.before);
    }
  };
}
