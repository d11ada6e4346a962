import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a high-entropy secret: what is stored instead of it (D10). */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time, so that the answer's delay tells nothing about the stored value. */
export function matchesDigest(secret: string, stored: Uint8Array): boolean {
  const given = digest(secret);
  return given.length === stored.length && timingSafeEqual(given, stored);
}
