import { checkedId } from './keys.js';
import type { Held } from './types.js';

/**
 * A member is stored as `<projectId>:<member>` in both sets, so that whoever finds it in the organization's set
 * (sweep, reconcile) knows which project's set holds its other half.
 */
export function stored(projectId: string, member: string): string {
  return `${projectId}:${member}`;
}

export function heldBy(storedMember: string): Held {
  const colon = storedMember.indexOf(':');
  return { projectId: storedMember.slice(0, colon), member: storedMember.slice(colon + 1) };
}

const poolPrefix = (poolId: string): string => `pool:${checkedId(poolId)}:`;

/** What the script appends slot numbers to. */
export function storedPoolPrefix(projectId: string, poolId: string): string {
  return stored(projectId, poolPrefix(poolId));
}

/** The members a pool of this size holds: what a pool's row expands to in `LiveRows` (with `leaseMs: null`). */
export function poolMembers(poolId: string, size: number): string[] {
  return Array.from({ length: size }, (_, index) => `${poolPrefix(poolId)}${index + 1}`);
}

export function byProject<T extends { readonly projectId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.projectId);
    if (group) group.push(item);
    else groups.set(item.projectId, [item]);
  }
  return groups;
}

/** Scripts hold up every tenant while they run, so long lists go in pieces: 500 members are about 1 ms of Redis. */
export function inChunks<T>(items: readonly T[], size = 500): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}
