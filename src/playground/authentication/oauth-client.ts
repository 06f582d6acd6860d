import type { OAuthFlow, RequiredScheme, SecurityScheme } from '../../model/security.ts'
import { isObject, readOwn, readText, stringEntries } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import { explainBlock, predictFailure } from '../form/reachable-servers.ts'
import { oauthChannel } from '../request/relay-format.ts'

/** The endpoints of an authorization server, as absolute URLs. */
interface OAuthServer {
  readonly authorizationUrl: string | undefined
  readonly tokenUrl: string | undefined
  readonly refreshUrl: string | undefined
  /** From the server's metadata: the expected `iss` of a response, and whether `iss` is required. */
  readonly issuer?: string | undefined
  readonly hasIssuer?: boolean
}

/** The client as registered with the authorization server. */
export interface OAuthClient {
  readonly id: string
  /** Empty for a public client. */
  readonly secret: string
  /** Whether the secret is sent as a form field instead of in the `Authorization` header. */
  readonly isSecretInBody: boolean
}

export interface OAuthToken {
  readonly accessToken: string
  /** In ms since 1970; absent if the server does not say. */
  readonly expiresAt: number | undefined
  readonly refreshToken: string | undefined
}

/** An error with a message for the reader. Names are in backticks. */
export class OAuthError extends Error {}

/**
 * Reads the metadata of an authorization server. The `issuer` must match the URL. Otherwise, another server could receive the codes and secrets.
 *
 * @throws {OAuthError} Source: OpenID Connect Discovery 1.0, 4.3; RFC 8414, 3.3.
 */
async function discover(url: string): Promise<OAuthServer> {
  const { href } = toHttpUrl(url)
  const found = await requestJson(href, {})
  const text = (key: string) => readText(found, key)
  const issuer = text('issuer') ?? ''
  if (!isIssuerOf(issuer, href)) {
    throw new OAuthError(
      issuer === ''
        ? say('`{url}` has no `issuer`. No token was requested.', href)
        : say('`{url}` has the issuer `{issuer}`, which does not match this URL. No token was requested.', href, issuer),
    )
  }
  const server = { authorizationUrl: text('authorization_endpoint'), tokenUrl: text('token_endpoint'), refreshUrl: undefined }
  return { ...server, issuer, hasIssuer: found['authorization_response_iss_parameter_supported'] === true }
}

/** Compares the whole issuer, ignoring a trailing slash. For URLs that do not contain `/.well-known/`, compares only the origin. */
function isIssuerOf(issuer: string, url: string): boolean {
  const wellKnown = '/.well-known/'
  const at = url.lastIndexOf(wellKnown)
  const name = /^[^/?#]+(\/[^?#]*)?$/.exec(url.slice(at + wellKnown.length))
  const [before, after = ''] = [url.slice(0, at), name?.[1]]
  if (at !== -1 && name && !/[?#]/.test(before)) return issuer.replace(/\/$/, '') === before + after
  return URL.canParse(issuer) && new URL(issuer).origin === new URL(url).origin
}

interface SignInOptions {
  /** Called after the window is open, because browsers allow windows only during the click. */
  readonly findServer: () => Promise<OAuthServer>
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  /** The absolute URL of this site's redirect page. */
  readonly redirectUri: string
  readonly signal: AbortSignal
  /** Receives the URL of the sign-in page, for readers whose browser blocks the window. */
  readonly onSignInUrl: (address: string) => void
}

/**
 * Signs in: opens the authorization server in a window, waits for the code and exchanges it for a token. Call it during a click. The window has no
 * `opener`, and responses with a different `state` are ignored.
 *
 * @throws {OAuthError} Source: RFC 6749, 4.1; RFC 7636 (PKCE); RFC 9207 (`iss`).
 */
export async function signIn({
  findServer,
  client,
  scopes,
  redirectUri,
  signal,
  onSignInUrl,
}: SignInOptions): Promise<OAuthToken> {
  if (!globalThis.crypto?.subtle) throw new OAuthError(say('Signing in requires a page served over https.'))
  const window = open('', '_blank', 'popup,width=520,height=720')
  if (window) window.opener = null
  try {
    const state = toRandomText()
    const verifier = toRandomText()
    const challenge = toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
    const server = await findServer()
    const address = toHttpUrl(server.authorizationUrl)
    const query = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) if (value !== '') address.searchParams.set(name, value)
    const received = waitForResponse(state, signal)
    onSignInUrl(address.href)
    window?.location.replace(address)
    const { code, error, error_description: detail, iss } = await received
    if (error) throw new OAuthError(say('The server rejected the sign-in: {reason}.', toReason(error, detail)))
    if (!code) throw new OAuthError(say('The server did not return an authorization code.'))
    // Never send the code of one server to another.
    if (server.issuer && (iss ? iss !== server.issuer : server.hasIssuer))
      throw new OAuthError(
        iss
          ? say('Expected a response from `{issuer}`, but received one from `{other}`.', server.issuer, iss)
          : say('Expected a response from `{issuer}`, but the response has no issuer.', server.issuer),
      )
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    return await requestToken(server.tokenUrl, client, fields)
  } finally {
    window?.close()
  }
}

function waitForResponse(state: string, signal: AbortSignal): Promise<Readonly<Record<string, string | undefined>>> {
  const channel = new BroadcastChannel(oauthChannel)
  return new Promise<Record<string, string | undefined>>((resolve, reject) => {
    if (signal.aborted) reject(new OAuthError(''))
    signal.addEventListener('abort', () => reject(new OAuthError('')))
    channel.onmessage = ({ data }) => {
      if (readOwn(data, 'state') !== state) return
      channel.postMessage({ done: state })
      resolve(stringEntries(data))
    }
  }).finally(() => channel.close())
}

/** Requests a token with the client credentials grant. Source: RFC 6749, 4.4. */
export function requestClientToken(
  { tokenUrl }: OAuthServer,
  client: OAuthClient,
  scopes: readonly string[],
): Promise<OAuthToken> {
  return requestToken(tokenUrl, client, { grant_type: 'client_credentials', scope: scopes.join(' ') })
}

/** Exchanges a refresh token for a new token. Source: RFC 6749, 6. */
export async function renewToken(
  { tokenUrl, refreshUrl }: OAuthServer,
  client: OAuthClient,
  refreshToken: string,
): Promise<OAuthToken> {
  const token = await requestToken(refreshUrl ?? tokenUrl, client, { grant_type: 'refresh_token', refresh_token: refreshToken })
  // Keep the old refresh token unless there is a new one.
  return { ...token, refreshToken: token.refreshToken ?? refreshToken }
}

async function requestToken(
  url: string | undefined,
  client: OAuthClient,
  fields: Readonly<Record<string, string>>,
): Promise<OAuthToken> {
  const body = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
  const headers: Record<string, string> = { accept: 'application/json' }
  if (client.secret === '' || client.isSecretInBody) body.set('client_id', client.id)
  if (client.secret !== '' && client.isSecretInBody) body.set('client_secret', client.secret)
  if (client.secret !== '' && !client.isSecretInBody)
    headers['authorization'] = `Basic ${btoa(`${encode(client.id)}:${encode(client.secret)}`)}`
  const sentAt = Date.now()
  const found = await requestJson(toHttpUrl(url).href, { method: 'POST', body, headers })
  const accessToken = readText(found, 'access_token')
  if (!accessToken) throw new OAuthError(say('The server did not return an `access_token`.'))
  const lasts = Number(found['expires_in'])
  return {
    accessToken,
    expiresAt: lasts > 0 ? sentAt + lasts * 1000 : undefined,
    refreshToken: readText(found, 'refresh_token'),
  }
}

/** Requests JSON from an authorization server. Does not follow redirects, because the request can contain secrets. */
async function requestJson(url: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const { host, href } = toHttpUrl(url)
  const failure = predictFailure(href)
  const withAdvice = (problem: string) => new OAuthError(`${problem} ${say('Get a token another way and paste it below.')}`)
  if (failure) throw withAdvice(explainBlock(failure, host))
  let response: Response
  try {
    response = await fetch(href, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'manual',
      cache: 'no-store',
    })
  } catch {
    throw withAdvice(say('`{host}` is unreachable or does not allow requests from `{page}` (CORS).', host, location.host))
  }
  if (response.type === 'opaqueredirect')
    throw withAdvice(
      say('`{host}` responded with a redirect. It was not followed, because the request can contain secrets.', host),
    )
  let found: unknown
  try {
    found = await response.json()
  } catch {
    throw withAdvice(say('`{host}` responded with status {status} and no JSON.', host, String(response.status)))
  }
  if (!isObject(found)) throw new OAuthError(say('`{host}` did not respond with a JSON object.', host))
  const { error, error_description: detail } = found
  if (!response.ok || error)
    throw new OAuthError(say('`{host}` rejected the request: {reason}.', host, toReason(error ?? response.status, detail)))
  return found
}

/** The error code and the description from the server. */
function toReason(error: unknown, detail: unknown): string {
  return `\`${String(error)}\`${detail ? `, ${String(detail)}` : ''}`
}

/** @throws {OAuthError} for anything that is not an HTTP URL, such as `javascript:`. */
function toHttpUrl(url: string | undefined): URL {
  const found = url && URL.canParse(url, location.href) ? new URL(url, location.href) : undefined
  if (!found || !/^https?:$/.test(found.protocol))
    throw new OAuthError(
      url
        ? say('Expected an http or https URL, got `{url}`.', url)
        : say('The authorization server has no URL for this request.'),
    )
  return found
}

/** Form-encodes a string. Source: RFC 6749, 2.3.1. */
function encode(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice(2)
}

function toRandomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Labels of the flows by their key in an OAuth Flows Object, in the order of the menu. */
export const flowNames = {
  authorizationCode: 'Sign in (authorization code)',
  clientCredentials: 'Client credentials',
  password: 'Password',
  implicit: 'Implicit',
  deviceAuthorization: 'Device',
} as const

/** `Object.keys` returns `string[]`. */
const flowKeys = Object.keys(flowNames) as (keyof typeof flowNames)[]

const flowNotes = {
  clientCredentials:
    'Browser extensions can read a client secret that you enter on a page. Use a test secret and revoke it afterwards.',
  password: 'This flow would give your password to this page. Get a token with another tool and paste it below.',
  implicit:
    'This flow puts tokens in URLs and is no longer recommended (RFC 9700). Get a token with another tool and paste it below.',
  deviceAuthorization: 'This flow is for devices without a browser. Get a token with another tool and paste it below.',
} as const

/** A note on a flow, or on why it is not supported. */
export function noteOf(flow: string): (typeof flowNotes)[keyof typeof flowNotes] | undefined {
  return Object.hasOwn(flowNotes, flow) ? flowNotes[flow as keyof typeof flowNotes] : undefined
}

/** The flows of a scheme in menu order. OpenID Connect declares no flows, so it gets two default ones. */
export function listFlows(scheme: SecurityScheme): OAuthFlow[] {
  const none = { authorizationUrl: undefined, tokenUrl: undefined, refreshUrl: undefined, deviceAuthorizationUrl: undefined }
  const offered = (['authorizationCode', 'clientCredentials'] as const).map((flow) => ({ ...none, flow, scopes: [] }))
  const flows = scheme.type === 'openIdConnect' ? offered : scheme.type === 'oauth2' ? scheme.flows : []
  return flowKeys.flatMap((name) => flows.filter(({ flow }) => flow === name))
}

/** The scopes of a flow and of the operation, with their descriptions. */
export function listScopes(
  { scheme, scopes }: RequiredScheme,
  flow: OAuthFlow | undefined,
): readonly (readonly [string, string])[] {
  const described = new Map(flow?.scopes.map(({ name, description }) => [name, description]))
  const names = new Set([...described.keys(), ...scopes, ...(scheme.type === 'openIdConnect' ? ['openid'] : [])])
  return [...names].map((name) => [name, described.get(name) ?? ''])
}

/** The endpoints of a flow: from the OpenAPI document, else from the server's metadata. */
export async function findServer(scheme: SecurityScheme, flow: OAuthFlow | undefined): Promise<OAuthServer> {
  const metadata = scheme.type === 'openIdConnect' ? scheme.url : scheme.type === 'oauth2' ? scheme.metadataUrl : undefined
  const found = metadata ? await discover(metadata) : undefined
  return {
    ...found,
    authorizationUrl: flow?.authorizationUrl ?? found?.authorizationUrl,
    tokenUrl: flow?.tokenUrl ?? found?.tokenUrl,
    refreshUrl: flow?.refreshUrl,
  }
}
