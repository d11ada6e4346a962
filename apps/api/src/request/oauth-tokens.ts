import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@berth/logging';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError } from '../errors/api-error.js';
import { IssuerKeys, spellingsOf } from './issuer-keys.js';

export interface TokenBearer {
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly externalOrganizationId: string;
  /** Epoch ms from which the token is refused. */
  readonly endsAt: number;
}

/** Public-key signatures only: with a shared-secret algorithm, whoever knows the issuer's public key could sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const clockToleranceSeconds = 5;

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Text of a token that PostgreSQL would refuse, or keep as another: two subjects would be one. */
const isUnkeepable = (value: unknown): boolean => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());

function bearerOf(payload: JWTPayload): TokenBearer | undefined {
  const { sub, org_id: organization, name, email } = payload;
  if ([sub, organization, name, email].some(isUnkeepable)) return undefined;
  const [subject, externalOrganizationId] = [text(sub), text(organization)];
  if (subject === null || externalOrganizationId === null) return undefined;
  const endsAt = ((payload.exp ?? 0) + clockToleranceSeconds) * 1_000;
  return { subject, externalOrganizationId, endsAt, name: text(name), email: text(email) };
}

/** Judges OAuth access tokens of the configured issuer (D11). Without one, every JWT is refused. */
@Injectable()
export class OAuthTokens {
  readonly #keys: IssuerKeys | undefined;
  readonly #issuers: readonly string[];
  readonly #audience: string;

  constructor(@Inject(API_CONFIG) { oauthIssuer, oauthAudience = '', logLevel }: ApiConfig) {
    this.#issuers = oauthIssuer === undefined ? [] : spellingsOf(oauthIssuer);
    this.#audience = oauthAudience;
    this.#keys = oauthIssuer === undefined ? undefined : new IssuerKeys(oauthIssuer, createLogger({ name: 'api', level: logLevel }));
  }

  /** Who the token speaks for; undefined when it is not to be trusted. @throws ApiError service_unavailable */
  async verify(token: string): Promise<TokenBearer | undefined> {
    const keys = this.#keys;
    if (keys === undefined || !this.#isAddressed(token)) return undefined;
    const current = await keys.current().catch((cause: unknown) => {
      throw new ApiError(
        'service_unavailable',
        'The token cannot be checked right now, because its issuer does not answer. Try again, or use an API key.',
        { cause, alreadyLogged: true },
      );
    });
    try {
      return bearerOf(await this.#payload(token, current));
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return this.#verifyAfterRotation(token, keys);
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** What only looks like a token, or is of others or for others, is refused whether or not the issuer answers. */
  #isAddressed(token: string): boolean {
    try {
      const [{ alg = '' }, { iss = '', aud = [] }] = [decodeProtectedHeader(token), decodeJwt(token)];
      return algorithms.includes(alg) && this.#issuers.includes(iss) && [aud].flat().includes(this.#audience);
    } catch {
      return false;
    }
  }

  async #verifyAfterRotation(token: string, keys: IssuerKeys): Promise<TokenBearer | undefined> {
    const rotated = await keys.afterRotation();
    if (rotated === undefined) return undefined;
    return this.#payload(token, rotated).then(bearerOf, () => undefined);
  }

  async #payload(token: string, keys: JWTVerifyGetKey): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [...this.#issuers],
      audience: this.#audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'sub', 'org_id'],
    });
    return payload;
  }
}
