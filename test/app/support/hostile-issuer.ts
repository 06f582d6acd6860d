import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { serve } from '../../support/serve.ts'

/** The parameters of a sign-in that waits for its code to be exchanged. */
type Asked = Readonly<Record<string, string>>

/** What a test changes in the answers of an issuer. */
interface Tricks {
  /** The URL to which the browser returns. */
  readonly redirect?: (url: URL, asked: Asked) => void
  /** The claims of an ID token. */
  readonly claims?: (claims: JWTPayload, asked: Asked) => JWTPayload
  /** The whole ID token, for forged signatures. */
  readonly idToken?: (claims: JWTPayload) => string | Promise<string>
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** The answer of the token endpoint. */
  readonly tokens?: (answer: Record<string, unknown>) => Record<string, unknown>
}

/** Who is signed in at an issuer, with their claims. */
interface AtIssuer {
  readonly sub: string
  readonly [claim: string]: unknown
}

const toChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

const newKey = async () => ({ ...(await generateKeyPair('RS256')), kid: randomBytes(4).toString('hex') })

type Key = Awaited<ReturnType<typeof newKey>>

/** An OpenID Connect issuer on this machine that can lie in every answer. */
export class HostileIssuer {
  url = ''
  key: Key
  readonly requests: string[] = []
  /** Nobody: a silent sign-in fails. */
  person: AtIssuer | undefined
  tricks: Tricks = {}
  /** A status that every answer has instead. */
  status: number | undefined
  givesRefreshTokens = false
  hasUserInfo = true

  constructor(key: Key) {
    this.key = key
  }

  async rotate(): Promise<Key> {
    const old = this.key
    this.key = await newKey()
    return old
  }

  /** An ID token signed with a key, by default with that of the issuer. */
  async sign(claims: JWTPayload, key: Key = this.key): Promise<string> {
    return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(key.privateKey)
  }

  /** The entry of `OIDC_ISSUERS`. */
  setting(name: string, more: object = {}): object {
    return { name, url: this.url, clientId: 'docs', clientSecret: `secret of ${name}`, ...more }
  }
}

/** Its clock is that of the app. */
export async function serveHostileIssuer(now: () => number = Date.now): Promise<HostileIssuer> {
  const codes = new Map<string, Asked>()
  const issuer = new HostileIssuer(await newKey())
  const toTokens = async (asked: Asked) => {
    const seconds = Math.floor(now() / 1000)
    const honest = { ...issuer.person, iss: issuer.url, aud: 'docs', iat: seconds, exp: seconds + 300, nonce: asked['nonce'] }
    const same = <Value>(one: Value) => one
    const { claims = same, idToken = (one: JWTPayload) => issuer.sign(one), tokens = same } = issuer.tricks
    return tokens({
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idToken(claims(honest as JWTPayload, asked)),
      ...(issuer.givesRefreshTokens && { refresh_token: randomBytes(16).toString('hex') }),
    })
  }

  issuer.url = await serve((request, response) => {
    const url = new URL(request.url ?? '/', issuer.url)
    const chunks: Buffer[] = []
    const send = (body: unknown, status = 200) =>
      response
        .writeHead(issuer.status ?? status, {
          'Content-Type': 'application/json',
          ...(status === 401 && { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
        })
        .end(JSON.stringify(body))
    const answer = async () => {
      issuer.requests.push(`${request.method} ${url.pathname}`)
      if (url.pathname === '/.well-known/openid-configuration') {
        const at = (path: string) => `${issuer.url}${path}`
        const metadata = {
          issuer: issuer.url,
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          jwks_uri: at('/keys'),
          ...(issuer.hasUserInfo && { userinfo_endpoint: at('/me') }),
          authorization_response_iss_parameter_supported: true,
          id_token_signing_alg_values_supported: ['RS256', 'none'],
        }
        return send(issuer.tricks.metadata?.(metadata) ?? metadata)
      }
      if (url.pathname === '/keys') {
        return send({ keys: [{ ...(await exportJWK(issuer.key.publicKey)), kid: issuer.key.kid, alg: 'RS256', use: 'sig' }] })
      }
      if (url.pathname === '/authorize') {
        const asked = Object.fromEntries(url.searchParams)
        const back = new URL(asked['redirect_uri'] ?? '')
        back.searchParams.set('state', asked['state'] ?? '')
        back.searchParams.set('iss', issuer.url)
        const code = randomBytes(16).toString('hex')
        codes.set(code, asked)
        if (issuer.person) back.searchParams.set('code', code)
        else back.searchParams.set('error', 'login_required')
        issuer.tricks.redirect?.(back, asked)
        return response.writeHead(302, { Location: back.href }).end()
      }
      if (url.pathname === '/me') return issuer.person ? send(issuer.person) : send({}, 401)
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      const asked = codes.get(form['code'] ?? '')
      codes.delete(form['code'] ?? '')
      const isRefresh = form['grant_type'] === 'refresh_token'
      const isGood = isRefresh || (asked && asked['code_challenge'] === toChallenge(form['code_verifier'] ?? ''))
      return isGood && issuer.person ? send(await toTokens(asked ?? {})) : send({ error: 'invalid_grant' }, 400)
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void answer().catch(() => send({ error: 'server_error' }, 500)))
  })
  return issuer
}
