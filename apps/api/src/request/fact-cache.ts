import type { Soon } from './at-once.js';

/** One thing known about an organization, or known to be absent. */
export interface Fact<T> {
  readonly value: T | undefined;
  /** Whose fact it is; undefined when nothing was found that could have an owner. */
  readonly organizationId: string | undefined;
  /** Epoch ms from which on the fact is no longer true by itself: a key's expiry. */
  readonly endsAt?: number;
}

interface Entry {
  readonly fact: Fact<unknown>;
  readonly trustedUntil: number;
}

export interface FactCacheOptions {
  /** How long a fact is trusted without hearing of a change; 0 keeps nothing. */
  readonly ttlMs: number;
  readonly now?: () => number;
}

/** Absence is trusted briefly: it stops a caller with a wrong key from costing a query each time, and a key made elsewhere works soon. */
const absentMs = 1_000;
/** Memory bound: some 300 bytes an entry. The oldest goes first. */
const mostEntries = 50_000;

/**
 * Facts that every request needs, kept for a while. Many callers of a missing fact share one load. A drop also disowns the loads under way,
 * because what they bring may be older than the change that was announced. Knows neither the database nor Redis.
 */
export class FactCache {
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Fact<unknown>>>();
  readonly #keysOf = new Map<string | undefined, Set<string>>();
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor({ ttlMs, now = Date.now }: FactCacheOptions) {
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** The fact under `key`: at once when it is known, else loaded. A load that fails is not kept. */
  get<T>(key: string, load: () => Promise<Fact<T>>): Soon<T | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.trustedUntil > this.#now()) return this.#still<T>(known.fact);
    return this.#loadOnce(key, load).then((fact) => this.#still<T>(fact));
  }

  #still<T>(fact: Fact<unknown>): T | undefined {
    return fact.endsAt === undefined || fact.endsAt > this.#now() ? (fact.value as T | undefined) : undefined;
  }

  /** Forgets what is known of the organization, and every absence. */
  drop(organizationId: string): void {
    for (const owner of [organizationId, undefined]) {
      for (const key of this.#keysOf.get(owner) ?? []) this.#entries.delete(key);
      this.#keysOf.delete(owner);
    }
    this.#loading.clear();
  }

  dropAll(): void {
    this.#entries.clear();
    this.#keysOf.clear();
    this.#loading.clear();
  }

  async #loadOnce(key: string, load: () => Promise<Fact<unknown>>): Promise<Fact<unknown>> {
    const shared = this.#loading.get(key);
    if (shared !== undefined) return shared;
    const loading = load();
    this.#loading.set(key, loading);
    try {
      const fact = await loading;
      if (this.#loading.get(key) === loading) this.#keep(key, fact);
      return fact;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  #keep(key: string, fact: Fact<unknown>): void {
    const forMs = fact.value === undefined ? Math.min(absentMs, this.#ttlMs) : this.#ttlMs;
    if (forMs === 0) return;
    this.#forget(key);
    this.#entries.set(key, { fact, trustedUntil: this.#now() + forMs });
    const keys = this.#keysOf.get(fact.organizationId) ?? new Set();
    this.#keysOf.set(fact.organizationId, keys.add(key));
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostEntries && oldest !== undefined) this.#forget(oldest);
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const keys = this.#keysOf.get(entry.fact.organizationId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(entry.fact.organizationId);
  }
}
