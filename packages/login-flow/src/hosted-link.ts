import { randomBytes } from 'node:crypto';
import { digest, type Sealer } from '@berth/secrets';

const purpose = 'hosted-token';

/**
 * An unguessable link to one flow: 32 random bytes. Its hash finds the flow; the sealed token lets every state carry the same link (D58).
 */
export function mintHostedToken(sealer: Sealer): {
  readonly hostedTokenHash: Uint8Array<ArrayBuffer>;
  readonly sealedHostedToken: Uint8Array<ArrayBuffer>;
} {
  const token = randomBytes(32).toString('base64url');
  return { hostedTokenHash: hashHostedToken(token), sealedHostedToken: sealer.seal(purpose, token) };
}

export const hashHostedToken = (token: string): Uint8Array<ArrayBuffer> => Uint8Array.from(digest(token));

export const openHostedToken = (sealer: Sealer, flow: { readonly sealedHostedToken: Uint8Array }): string =>
  sealer.open(purpose, flow.sealedHostedToken).toString('utf8');

export const hostedUrl = (publicUrl: string, token: string): string => `${publicUrl.replace(/\/$/, '')}/hosted/${token}`;
