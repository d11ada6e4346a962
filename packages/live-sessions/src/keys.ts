/**
 * Every Redis key of admission. One hash tag per organization, so all keys of a script live in one slot of a cluster.
 *
 * `live` and `live:<project>` are sorted sets: member → end of its lease in ms of Redis' clock (`+inf`: held by a pool).
 */
const ID = /^[A-Za-z0-9_-]+$/;

/** Ids become parts of keys and members: one with a `:` or a brace could name someone else's. */
export function checkedId(id: string): string {
  if (!ID.test(id)) throw new TypeError(`not an id: ${JSON.stringify(id)}`);
  return id;
}

const tag = (organizationId: string): string => `berth:{${checkedId(organizationId)}}`;

export const keys = {
  organization: (organizationId: string): string => `${tag(organizationId)}:live`,
  project: (organizationId: string, projectId: string): string => `${tag(organizationId)}:live:${checkedId(projectId)}`,
  /** Holds the `run_id` of the Redis its members were built in. Missing or another one: rebuild before admitting. */
  ready: (organizationId: string): string => `${tag(organizationId)}:ready`,
  /** Held by the one process that rebuilds or reconciles this organization. */
  lock: (organizationId: string): string => `${tag(organizationId)}:rebuild`,
  /** Members seen without a row, scored by when first seen. */
  suspects: (organizationId: string): string => `${tag(organizationId)}:suspects`,
} as const;

export interface ScopeKeys {
  readonly organization: string;
  readonly project: string;
  readonly ready: string;
}

/** Enough for every project that is busy at once; past it the memory starts anew. */
const REMEMBERED_SCOPES = 10_000;
const remembered = new Map<string, ScopeKeys>();

/** The keys of the hot calls, checked and built once per project instead of once per call. */
export function scopeKeys(organizationId: string, projectId: string): ScopeKeys {
  const scope = `${organizationId}:${projectId}`;
  const known = remembered.get(scope);
  if (known !== undefined) return known;
  const built = {
    organization: keys.organization(organizationId),
    project: keys.project(organizationId, projectId),
    ready: keys.ready(organizationId),
  };
  if (remembered.size >= REMEMBERED_SCOPES) remembered.clear();
  remembered.set(scope, built);
  return built;
}
