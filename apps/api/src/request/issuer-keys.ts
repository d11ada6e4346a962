import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Keys younger than this are used without asking; older ones are used too when the issuer does not answer (D11). */
const freshMs = 600_000;
/** A token with an unknown key id may follow a key rotation, or be noise: the issuer is asked again this often at most. */
const againMs = 10_000;
const timeoutMs = 3_000;

async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`);
  return response.json();
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The signing keys of one OpenID issuer, found by discovery and cached. */
export class IssuerKeys {
  #keys: JWTVerifyGetKey | undefined;
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(
    private readonly issuer: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** The newest keys at hand. Rejects only when there are none and the issuer cannot be reached. */
  async current(): Promise<JWTVerifyGetKey> {
    if (this.#keys === undefined || this.now() - this.#askedAt > freshMs) await this.#ask();
    return this.#keys as JWTVerifyGetKey;
  }

  /** Keys asked for anew because a token names one that is not known; undefined when it is too early to ask again. */
  async afterRotation(): Promise<JWTVerifyGetKey | undefined> {
    if (this.now() - this.#askedAt < againMs) return undefined;
    await this.#ask();
    return this.#keys;
  }

  async #ask(): Promise<void> {
    this.#asking ??= this.#fetch().finally(() => (this.#asking = undefined));
    try {
      await this.#asking;
    } catch (error) {
      if (this.#keys === undefined) throw error;
    }
  }

  async #fetch(): Promise<void> {
    this.#askedAt = this.now();
    const metadata = await readJson(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const jwksUri = property(metadata, 'jwks_uri');
    if (typeof jwksUri !== 'string') throw new Error('the issuer publishes no jwks_uri');
    this.#keys = createLocalJWKSet((await readJson(jwksUri)) as JSONWebKeySet);
  }
}
