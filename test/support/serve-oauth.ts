import type { RequestListener } from 'node:http'
import Provider from 'oidc-provider'
import { serve } from './serve.ts'

export interface OAuthServerOfTest {
  readonly issuer: string
  /** The scopes of a token that this server issued; absent for any other. */
  readonly scopesOf: (token: string) => Promise<string | undefined>
}

/**
 * A certified authorization server on this machine. Everyone can sign in with any name. Clients: `page` (public) and `machine`
 * (`secret of machine`).
 */
export async function serveOAuth(accessTokenSeconds = 3600): Promise<OAuthServerOfTest> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const issuer = await serve((request, response) => answer(request, response))
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'page',
        token_endpoint_auth_method: 'none',
        // For a native client every port of this machine matches (RFC 8252, 7.3).
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/_oauth/'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      {
        client_id: 'machine',
        client_secret: 'secret of machine',
        redirect_uris: [],
        grant_types: ['client_credentials'],
        response_types: [],
      },
    ],
    scopes: ['openid', 'offline_access', 'read', 'write'],
    pkce: { required: () => true },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: true } },
    issueRefreshToken: () => true,
    clientBasedCORS: () => true,
    ttl: { AccessToken: accessTokenSeconds, ClientCredentials: accessTokenSeconds },
    cookies: { keys: ['of the test'] },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
  })
  answer = provider.callback()
  return {
    issuer,
    scopesOf: async (token) =>
      ((await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token)))?.scope,
  }
}
