import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

export const audience = 'https://berth.test';

export interface Issuer {
  readonly url: string;
  token(externalOrganization: string, resource?: string): Promise<string>;
  stop(): Promise<void>;
}

/** A real OpenID provider; its clients get JWT access tokens whose `org_id` is the client's name. */
export async function startIssuer(): Promise<Issuer> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const signing: JWK = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'first' };
  const provider = new Provider(url, {
    jwks: { keys: [signing] },
    // What `brief` gets is over in a second.
    ttl: {
      ClientCredentials: (_context: unknown, _token: unknown, { clientId }: { readonly clientId: string }) =>
        clientId === 'brief' ? 1 : 3_600,
    },
    clients: ['acme', 'nobody', 'brief'].map((id) => ({
      client_id: id,
      client_secret: 'secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: '',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_context: unknown, token: { clientId?: string }) => ({ org_id: token.clientId, sub: `client-${token.clientId}` }),
  });
  server.on('request', provider.callback());
  return {
    url,
    token: async (client, resource = audience) => {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: 'secret', resource }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
