import { randomBytes } from 'node:crypto';
import { digest } from './digest.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 32;
/** ceil(256 / log2(62)): every value of 32 bytes fits. */
const secretLength = 43;

export interface ApiKeySecret {
  /** Shown once, to whoever made the key. */
  readonly secret: string;
  /** What lists show instead. */
  readonly masked: string;
  /** What is stored (D10). */
  readonly hash: Buffer;
}

function base62(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (value > 0n) {
    text = `${alphabet[Number(value % 62n)] as string}${text}`;
    value /= 62n;
  }
  return text.padStart(secretLength, '0');
}

/** The stored and shown forms of a secret in Berth's format: `bk_` and at least 32 base62 characters (D1). */
export function describeApiKey(secret: string): ApiKeySecret {
  return { secret, masked: `${secret.slice(0, 7)}…${secret.slice(-4)}`, hash: digest(secret) };
}

/** A new API key secret: `bk_` and 32 random bytes in base62. */
export function newApiKeySecret(): ApiKeySecret {
  return describeApiKey(`bk_${base62(randomBytes(secretBytes))}`);
}
