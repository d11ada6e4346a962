import { Injectable } from '@nestjs/common';
import type { PathRecord } from '@berth/schema';
import type { RequestContext } from './context.js';

/** Finds what `{id}` names within the caller's reach, or answers undefined (404). `wanted` is percent-decoded. */
export type PathLookup = (wanted: string, context: RequestContext) => Promise<unknown>;

/**
 * Features register how their `{id}` is looked up, because the corridor must answer 404 before it reads query and body (D7).
 * Boot fails when an endpoint names a record that no feature looks up.
 */
@Injectable()
export class PathLookups {
  readonly #lookups = new Map<PathRecord, PathLookup>();

  register(record: PathRecord, lookup: PathLookup): void {
    if (this.#lookups.has(record)) throw new Error(`two features look up ${record}`);
    this.#lookups.set(record, lookup);
  }

  get(record: PathRecord): PathLookup {
    const lookup = this.#lookups.get(record);
    if (lookup === undefined) throw new Error(`no feature looks up ${record}`);
    return lookup;
  }

  has(record: PathRecord): boolean {
    return this.#lookups.has(record);
  }
}
