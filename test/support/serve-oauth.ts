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

export interface ProductIssuer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * A certified OpenID Connect issuer that puts the claims of a product into its ID tokens. Everyone is signed in as `person` at once.
 *
 * @param claims The claims of the person, as the product sends them.
 * @param base The URL of the app.
 */
export async function serveProduct(name: string, base: () => string, claims: () => object): Promise<ProductIssuer> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const url = await serve((request, response) => answer(request, response))
  const [clientId, clientSecret] = ['docs', 'secret + of the app: 100 %']
  const names = ['sub', 'preferred_username', 'groups', 'roles', 'realm_access', 'resource_access', 'hd']
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${base()}/sign-in/callback/${name}`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'profile', 'offline_access'],
    claims: { openid: names },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    issueRefreshToken: () => true,
    cookies: { keys: ['of the test'] },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...claims() }) }),
    loadExistingGrant: async ({ oidc }: { oidc: { session: { accountId: string } } }) => {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId })
      grant.addOIDCScope('openid profile offline_access')
      grant.addOIDCClaims(names)
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction')) return callback(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: 'person' } })
  }
  return { url, clientId, clientSecret }
}
