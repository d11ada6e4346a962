import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { readApiConfig } from '../config.js';
import { OAuthTokens } from './oauth-tokens.js';

const audience = 'https://berth.test';
const seconds = (fromNow: number): number => Math.floor(Date.now() / 1_000) + fromNow;

let server: Server;
let url: string;
let published: JWK[];
/** What the issuer's document calls it. */
let calledItself: (url: string) => unknown;
let asked: number;
let tokens: OAuthTokens;
const realNow = Date.now.bind(Date);
let aheadMs: number;

/** A key that the issuer signs with and, from now on, publishes alone. */
async function signingKey(kid: string): Promise<CryptoKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  published = [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }];
  return privateKey;
}

const claims = { org_id: 'acme', sub: 'ann', iss: '', aud: audience, exp: 0 };
function sign(key: CryptoKey, kid: string, changed: Record<string, unknown> = {}): Promise<string> {
  const all = { ...claims, iss: url, exp: seconds(60), ...changed };
  return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
}

beforeEach(async () => {
  asked = 0;
  calledItself = (own) => own;
  aheadMs = 0;
  server = createServer((request, response) => {
    if (request.url === '/keys') asked += 1;
    response.end(JSON.stringify(request.url === '/keys' ? { keys: published } : { issuer: calledItself(url), jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
  tokens = new OAuthTokens(
    readApiConfig({
      BERTH_DATABASE_URL: 'postgresql://x',
      BERTH_REDIS_URL: 'redis://x',
      BERTH_SECRET_KEY: '5a'.repeat(32),
      BERTH_OAUTH_ISSUER: url,
      BERTH_OAUTH_AUDIENCE: audience,
    }),
  );
});
afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

describe('OAuthTokens', () => {
  it('D10, D11: a person is told by subject, name and address, and the token ends with its exp', async () => {
    const key = await signingKey('first');
    const exp = seconds(60);
    expect(await tokens.verify(await sign(key, 'first', { name: 'Ann', email: 'ann@x.test', exp }))).toEqual({
      subject: 'ann',
      name: 'Ann',
      email: 'ann@x.test',
      externalOrganizationId: 'acme',
      endsAt: (exp + 5) * 1_000,
    });
    expect(await tokens.verify(await sign(key, 'first', { name: 7 }))).toMatchObject({ name: null, email: null });
  });

  it.each([
    ['of another issuer', { iss: 'https://elsewhere.test' }],
    ['for another audience', { aud: 'https://elsewhere.test' }],
    ['without an end', { exp: undefined }],
    ['that is over', { exp: 1_000 }],
    ['that begins later', { nbf: 9_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['without an organization', { org_id: undefined }],
    ['with a number for an organization', { org_id: 5 }],
    ['with an empty organization', { org_id: '' }],
    ...['org_id', 'sub', 'name', 'email'].flatMap((claim) => [
      [`with a null character in ${claim}`, { [claim]: 'a\0b' }] as const,
      [`with a lone surrogate in ${claim}`, { [claim]: 'a\ud800b' }] as const,
    ]),
  ])('D11: a token %s is not trusted', async (_what, changed) => {
    const key = await signingKey('first');
    expect(await tokens.verify(await sign(key, 'first'))).toBeDefined();
    expect(await tokens.verify(await sign(key, 'first', changed))).toBeUndefined();
  });

  it('D11: keys are cached, asked for anew after a rotation at most every 10 s, and used on while the issuer does not answer', async () => {
    const first = await signingKey('first');
    for (const _ of [1, 2, 3]) expect(await tokens.verify(await sign(first, 'first'))).toBeDefined();
    const second = await signingKey('second');
    expect([await tokens.verify(await sign(second, 'second')), asked]).toEqual([undefined, 1]);
    aheadMs = 11_000;
    expect(await tokens.verify(await sign(second, 'second'))).toBeDefined();
    expect([await tokens.verify(await sign(first, 'first')), asked]).toEqual([undefined, 2]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    aheadMs = 3_600_000;
    expect(await tokens.verify(await sign(second, 'second', { exp: seconds(60) }))).toBeDefined();
  });

  it.each([
    ['itself, with a slash at its end', (own: string) => `${own}/`, true],
    ['somebody else', () => 'https://elsewhere.test', false],
    ['nothing', () => undefined, false],
  ])('D11: keys of an issuer that calls itself %s are used: %s', async (_what, calls, used) => {
    calledItself = calls;
    const token = await sign(await signingKey('first'), 'first', { iss: calls(url) });
    const verified = tokens.verify(token);
    if (used) expect(await verified).toBeDefined();
    else expect([await verified.catch(() => undefined), asked]).toEqual([undefined, 0]);
  });
});
