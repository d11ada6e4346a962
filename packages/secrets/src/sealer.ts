import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The key that seals now, and older ones that still open what they sealed. Each is 32 random bytes in hex or base64 (`BERTH_SECRET_KEY`).
 */
export interface SecretKeys {
  readonly current: string;
  readonly previous?: readonly string[];
}

interface Key {
  readonly id: Buffer;
  readonly bytes: Buffer;
  readonly signing: Buffer;
}

const version = 1;
const keyIdLength = 4;
const nonceLength = 12;
const tagLength = 16;
const headerLength = 1 + keyIdLength + nonceLength;

function keyFrom(text: string): Key {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (bytes.length !== 32) throw new Error('a sealing key must be 32 bytes, in hex or base64');
  return {
    id: createHash('sha256').update('berth key id').update(bytes).digest().subarray(0, keyIdLength),
    bytes,
    signing: Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), 'berth signing', 32)),
  };
}

/**
 * Seals secrets with AES-256-GCM (D45). A sealed value is `version · key id · nonce · tag · ciphertext`; `purpose` is bound to it, so a
 * value sealed for one column cannot be opened as another.
 */
export class Sealer {
  readonly #keys: readonly Key[];

  constructor(keys: SecretKeys) {
    this.#keys = [keys.current, ...(keys.previous ?? [])].map(keyFrom);
  }

  seal(purpose: string, plain: string | Uint8Array): Buffer<ArrayBuffer> {
    const key = this.#current;
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(version), key.id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when the value was changed, was sealed for another purpose, or by a key that is not given. */
  open(purpose: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < headerLength + tagLength || bytes[0] !== version) throw new Error('not a sealed value');
    const key = this.#keys.find(({ id }) => id.equals(bytes.subarray(1, 1 + keyIdLength)));
    if (key === undefined) throw new Error('sealed with a key that is not configured');
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(1 + keyIdLength, headerLength)).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(headerLength, headerLength + tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(headerLength + tagLength)), decipher.final()]);
  }

  sealJson(purpose: string, value: unknown): Buffer<ArrayBuffer> {
    return this.seal(purpose, JSON.stringify(value));
  }

  openJson<T>(purpose: string, sealed: Uint8Array): T {
    return JSON.parse(this.open(purpose, sealed).toString('utf8')) as T;
  }

  /** A tag that only a holder of the key can make: base64url HMAC-SHA-256 over purpose and message. */
  sign(purpose: string, message: string): string {
    return this.#tag(this.#current, purpose, message).toString('base64url');
  }

  /** Whether `signature` was made by any of the keys; compared in constant time. */
  verify(purpose: string, message: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    return this.#keys.some((key) => {
      const expected = this.#tag(key, purpose, message);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  get #current(): Key {
    return this.#keys[0] as Key;
  }

  #tag(key: Key, purpose: string, message: string): Buffer {
    return createHmac('sha256', key.signing).update(`${purpose}\n${message}`).digest();
  }
}
