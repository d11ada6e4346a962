import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { addressOf, type Application } from './application.js';

/**
 * oidc-provider (npm) with the pages it brings: a chain of redirects from the application to the provider and back, a login and a consent
 * in between. It takes any name and password, so a wrong one cannot be tried. The application behind it is ours and only shows who came.
 */
export async function startOpenId(): Promise<Application> {
  const [provider, application] = [createServer(), createServer()];
  const [issuer, home] = await Promise.all([listen(provider, 'op'), listen(application, 'openid')]);
  const callback = `${home}callback`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'app',
        client_secret: 'app secret',
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => false },
    scopes: ['openid', 'email', 'profile'],
    claims: { email: ['email'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  provider.on('request', oidc.callback());
  const begin = `${issuer}auth?${new URLSearchParams({ client_id: 'app', response_type: 'code', scope: 'openid email profile', redirect_uri: callback }).toString()}`;
  const exchange = async (code: string): Promise<string> => {
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`;
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        client_id: 'app',
        client_secret: 'app secret',
      }),
    });
    const { id_token: token } = (await answer.json()) as { id_token: string };
    return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;
  };
  application.on('request', (request, response) => void serveApplication(request, response, begin, exchange));
  const [identifier, password] = ['ada.openid', randomBytes(12).toString('base64url')];
  return {
    startUrl: home,
    otherHosts: [new URL(issuer).hostname],
    answers: { identifier, password },
    picks: ['Continue'],
    signedIn: { url: home, text: /Signed in as ada\.openid/ },
    stop: async () => void (await Promise.all([provider, application].map(close))),
  };
}

async function serveApplication(
  request: IncomingMessage,
  response: ServerResponse,
  begin: string,
  exchange: (code: string) => Promise<string>,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://openid.localhost');
  const who = /person=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  if (url.pathname === '/callback')
    response
      .writeHead(302, { location: '/', 'set-cookie': `person=${await exchange(url.searchParams.get('code') ?? '')}; HttpOnly; Path=/` })
      .end();
  else if (who === undefined) response.writeHead(302, { location: begin }).end();
  else
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>Application</title><h1>Welcome</h1><p>Signed in as ${who}</p><a href="/leave">Sign out</a>`);
}

async function listen(server: Server, name: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return addressOf(name, (server.address() as AddressInfo).port);
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
