import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreatedApiKey, ErrorBody, Identity } from '@berth/schema';
import { generateKeyPair, SignJWT } from 'jose';
import { type ApiFixture, startApi } from './api-fixture.js';
import { readEvents } from './event-reader.js';
import { audience, type Issuer, startIssuer } from './issuer.js';

let issuer: Issuer;
let api: ApiFixture;
beforeAll(async () => {
  issuer = await startIssuer();
  api = await startApi({ BERTH_OAUTH_ISSUER: issuer.url, BERTH_OAUTH_AUDIENCE: audience, BERTH_SSE_HEARTBEAT_SECONDS: '1' });
});
afterAll(async () => {
  await api.stop();
  await issuer.stop();
});

const whoami = (of: ApiFixture, key: string) => of.call<Identity & ErrorBody>('GET', '/whoami', { key });

describe('OAuth tokens', () => {
  it('D11, Authentication 3: a token of the issuer acts org-wide for the organization of its org_id, and the header scopes it', async () => {
    const tenant = await api.tenant({ externalId: 'acme' });
    const token = await issuer.token('acme');
    const reply = await whoami(api, token);
    expect([reply.status, reply.body.credential.kind, reply.body.organization.id, reply.body.project_id]).toEqual([
      200,
      'oauth',
      tenant.organizationId,
      null,
    ]);
    expect((await api.call('GET', '/whoami', { key: token, project: tenant.defaultProjectId })).status).toBe(200);
    const made = await api.call<CreatedApiKey>('POST', '/org/api_keys', { key: token, body: { name: 'by a person' } });
    expect([made.status, made.body.created_by.id]).toEqual([201, reply.body.credential.id]);
  });

  it('D11: an unknown organization, another audience, a forged signature and an unsigned token are 401', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const forged = await new SignJWT({ org_id: 'acme' })
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setSubject('x')
      .setExpirationTime('1h')
      .sign(privateKey);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: issuer.url, aud: audience, sub: 'x', org_id: 'acme', exp: 9e9 })).toString('base64url')}.`;
    for (const token of [await issuer.token('nobody'), await issuer.token('acme', 'https://elsewhere.test'), forged, unsigned, 'a.b.c']) {
      const reply = await whoami(api, token);
      expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
    }
  });

  it('D49, D11: a stream opened with a token ends with the token: one error event, then the end; a key’s stream goes on', async () => {
    const tenant = await api.tenant({ externalId: 'brief' });
    const { body: connection } = await api.call<{ id: string }>('POST', '/auth/connections', {
      key: tenant.key,
      body: { domain: 'a.test', profile_name: 'p' },
    });
    const url = `${api.url}/auth/connections/${connection.id}/events`;
    const [brief, lasting] = [await readEvents(url, { key: await issuer.token('brief') }), await readEvents(url, { key: tenant.key })];
    expect([brief.status, lasting.status]).toEqual([200, 200]);
    await brief.untilEnd();
    expect(brief.frames.at(-1)?.event).toMatchObject({ event: 'error', error: { code: 'unauthorized' } });
    expect(brief.complete).toBe(true);
    expect(lasting.ended).toBe(false);
    lasting.close();
  }, 90_000);

  it('D11: without an issuer every JWT is 401; with one that was never reached it is 503, and keys still work', async () => {
    const lines: string[] = [];
    const away = { url: 'http://127.0.0.1:1', env: { BERTH_OAUTH_ISSUER: 'http://127.0.0.1:1', BERTH_OAUTH_AUDIENCE: audience } };
    const [without, unreachable] = [
      await startApi(),
      await startApi({ ...away.env, BERTH_LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) }),
    ];
    const { privateKey } = await generateKeyPair('RS256');
    const token = (iss: string, aud: string) =>
      new SignJWT({ org_id: 'acme', sub: 'x', iss, aud }).setProtectedHeader({ alg: 'RS256' }).setExpirationTime('1h').sign(privateKey);
    try {
      expect((await whoami(without, await issuer.token('acme'))).status).toBe(401);
      const ours = await token(away.url, audience);
      const reply = await whoami(unreachable, ours);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
      expect((await whoami(unreachable, (await unreachable.tenant()).key)).status).toBe(200);
      // What no key could make good is refused without one, and what is answered so often as it is sent is not logged as often.
      const [header = '', payload = '', signature = ''] = ours.split('.');
      const symmetric = Buffer.from('{"alg":"HS256"}').toString('base64url');
      for (const other of [
        'a.b.c',
        `${header}.b.${signature}`,
        `a.${payload}.${signature}`,
        `${symmetric}.${payload}.${signature}`,
        await token(issuer.url, audience),
        await token(away.url, 'https://elsewhere.test'),
      ])
        expect([other, (await whoami(unreachable, other)).status]).toEqual([other, 401]);
      expect(lines.filter((line) => line.includes('request failed'))).toEqual([]);
    } finally {
      await without.stop();
      await unreachable.stop();
    }
  });
});
