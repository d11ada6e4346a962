const dayMs = 86_400_000;
const defaultOverlapDays = 7;

/** When a key ends that was asked to live so many days (D10: 1–3650); null and absent: never. */
export function expiryOf(days: number | null | undefined, now: Date): Date | null {
  return days === null || days === undefined ? null : new Date(now.getTime() + days * dayMs);
}

/** When the old secret of a rotated key ends: after the overlap, 0 at once, and never later than it would have ended anyway (D10). */
export function overlapEnd(days: number | null | undefined, now: Date, formerEnd: Date | null): Date {
  const end = new Date(now.getTime() + (days ?? defaultOverlapDays) * dayMs);
  return formerEnd !== null && formerEnd < end ? formerEnd : end;
}

/** When a rotated key ends: as asked, or, when nothing is asked, after as long as it was to live before. */
export function renewedExpiry(days: number | null | undefined, now: Date, formerLifetimeMs: number | null): Date | null {
  if (days !== undefined || formerLifetimeMs === null) return expiryOf(days, now);
  return new Date(now.getTime() + formerLifetimeMs);
}
