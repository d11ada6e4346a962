import type { Logger } from '@berth/logging';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Keys younger than this are used without asking; older ones are used too while the issuer does not answer (D11). */
const freshMs = 600_000;
/** A token with an unknown key id may follow a key rotation, or be noise: the issuer is asked again this often at most. */
const againMs = 10_000;
/** An issuer that did not answer is left alone for so long, however many tokens come. */
const retryMs = 3_000;
const timeoutMs = 3_000;

async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`);
  return response.json();
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** How an issuer may write its own name: providers differ about the slash at the end, which the setting is read without. */
export function spellingsOf(issuer: string): readonly string[] {
  const bare = issuer.replace(/\/$/, '');
  return [bare, `${bare}/`];
}

/** Keys are taken from who says to be the issuer, and from nobody else (OpenID Connect Discovery 1.0, section 4.3). */
function assertIssuer(metadata: unknown, issuer: string): void {
  const named = property(metadata, 'issuer');
  if (typeof named === 'string' && spellingsOf(issuer).includes(named)) return;
  const given = typeof named === 'string' ? `says that its issuer is "${named.slice(0, 200)}"` : 'names no issuer';
  throw new Error(
    `the discovery document of BERTH_OAUTH_ISSUER, "${issuer}", ${given}: its keys are not used. If that is the issuer of your tokens, set BERTH_OAUTH_ISSUER to it; otherwise mend the issuer`,
  );
}

/** The signing keys of one OpenID issuer, found by discovery and cached. */
export class IssuerKeys {
  #keys: JWTVerifyGetKey | undefined;
  #fetchedAt = -Infinity;
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;
  /** Why the last question had no answer; undefined when it had one. */
  #fault: unknown;

  constructor(
    private readonly issuer: string,
    private readonly log: Pick<Logger, 'error' | 'info'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The newest keys at hand. Rejects only when there are none and the issuer did not answer a moment ago. */
  async current(): Promise<JWTVerifyGetKey> {
    if (this.now() - this.#fetchedAt > freshMs) {
      const asking = this.#askWhenDue();
      // Nobody waits for an issuer that is known to be away while there are keys.
      if (this.#keys === undefined || this.#fault === undefined) await asking;
    }
    if (this.#keys === undefined) throw this.#fault;
    return this.#keys;
  }

  /** Keys asked for anew because a token names one that is not known; undefined when it is too early to ask again. */
  async afterRotation(): Promise<JWTVerifyGetKey | undefined> {
    const asking = this.#askWhenDue();
    if (asking === undefined) return undefined;
    await asking;
    return this.#keys;
  }

  /** One question at a time, whoever waits for it; undefined while it is too early for another. Never rejects. */
  #askWhenDue(): Promise<void> | undefined {
    const due = this.now() - this.#askedAt >= (this.#fault === undefined ? againMs : retryMs);
    if (due) this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<void> {
    try {
      this.#keys = await this.#fetch();
      this.#fetchedAt = this.now();
      if (this.#fault !== undefined) this.log.info('the keys of the OAuth issuer are read again');
      this.#fault = undefined;
    } catch (error) {
      // Once for each outage: tokens of strangers come as often as they like.
      if (this.#fault === undefined)
        this.log.error({ err: error }, 'the keys of the OAuth issuer cannot be read; without older ones its tokens are answered 503');
      this.#fault = error;
    } finally {
      this.#askedAt = this.now();
    }
  }

  async #fetch(): Promise<JWTVerifyGetKey> {
    const metadata = await readJson(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    assertIssuer(metadata, this.issuer);
    const jwksUri = property(metadata, 'jwks_uri');
    if (typeof jwksUri !== 'string') throw new Error('the issuer publishes no jwks_uri');
    return createLocalJWKSet((await readJson(jwksUri)) as JSONWebKeySet);
  }
}
