import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  type Configuration,
  type CustomFetch,
  clockSkew,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { readWholeBytes } from '../../../files/disk-files.ts'
import type { UserTokens } from '../../../github/apps/users.ts'
import type { StoredSession } from '../../../store/records/stored-records.ts'
import { readText } from '../../../text/json/json-values.ts'
import type { AppContext } from '../../base/app-context.ts'
import type { Issuer } from '../../base/config/issuer-setting.ts'
import { findGroups, IssuerError } from './issuer-groups.ts'

const timeoutSeconds = 10
const maxAnswerBytes = 1_000_000

/** What the browser keeps of an attempt until it comes back from the issuer. */
export interface AttemptSecrets {
  readonly state: string
  readonly nonce: string
  /** Of PKCE. */
  readonly verifier: string
}

/** A person who has just signed in. */
export interface SignedInUser extends Pick<StoredSession, 'userId' | 'login' | 'issuer' | 'subject' | 'groups'> {
  readonly tokens: UserTokens
}

/**
 * Signs people in with an OpenID Connect issuer, and asks it for their groups again (OpenID Connect Core 1.0, PKCE, RFC 9207).
 *
 * Reads the metadata and keys of the issuer each time, so that a key which it took back is not accepted.
 */
export class IssuerClient {
  readonly #context: AppContext
  readonly #issuer: Issuer

  constructor(context: AppContext, issuer: Issuer) {
    this.#context = context
    this.#issuer = issuer
  }

  /**
   * The URL that starts a sign-in.
   *
   * @param isSilent The issuer shows nothing: it knows the person, or it sends them back with an error.
   * @throws {IssuerError}
   */
  async toAuthorizeUrl(
    { state, nonce, challenge }: Omit<AttemptSecrets, 'verifier'> & { readonly challenge: string },
    { redirectUrl, isSilent }: { readonly redirectUrl: string; readonly isSilent: boolean },
  ): Promise<string> {
    const url = buildAuthorizationUrl(await this.#ask(() => this.#connect()), {
      redirect_uri: redirectUrl,
      scope: this.#issuer.scope ?? 'openid profile',
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(isSilent && { prompt: 'none' }),
    })
    return url.href
  }

  /**
   * Reads the person from the URL to which the issuer redirected.
   *
   * @throws {IssuerError}
   */
  async readPerson(callbackUrl: URL, { state, nonce, verifier }: AttemptSecrets): Promise<SignedInUser> {
    return await this.#ask(async () => {
      const configuration = await this.#connect()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const response = await authorizationCodeGrant(configuration, callbackUrl, checks)
      const claims = response.claims()
      if (!claims) throw new IssuerError('refused', 'The issuer sent no ID token')
      const tokens = this.#toTokens(response)
      const { sub: subject } = claims
      const groups = this.#findGroups(claims) ?? (await this.#askForGroups(configuration, tokens, subject)) ?? []
      const name = readText(claims, 'preferred_username') ?? readText(claims, 'email') ?? subject
      const login = name.replace(/[^\p{L}\p{N}_.@+-]/gu, '?').slice(0, 100)
      return { issuer: this.#issuer.name, subject, userId: 0, login, groups, tokens }
    })
  }

  /**
   * Asks for the groups of a session, by its refresh token or its access token.
   *
   * @throws {IssuerError} `refused` also if neither says anything: another sign-in does.
   */
  async checkAgain({ subject }: StoredSession, before: UserTokens): Promise<{ groups: readonly string[]; tokens: UserTokens }> {
    return await this.#ask(async () => {
      const configuration = await this.#connect()
      const { refreshToken } = before
      const response = refreshToken === undefined ? undefined : await refreshTokenGrant(configuration, refreshToken)
      const claims = response?.claims()
      if (claims && claims.sub !== subject) throw new IssuerError('refused', 'The issuer answered for another person')
      const tokens = response ? { ...before, ...this.#toTokens(response) } : before
      const groups = this.#findGroups(claims) ?? (await this.#askForGroups(configuration, tokens, subject)) ?? (claims && [])
      if (!groups) throw new IssuerError('refused', 'The issuer does not say which groups the person has')
      return { groups, tokens }
    })
  }

  async #connect(): Promise<Configuration> {
    const { url: text, clientId, clientSecret } = this.#issuer
    const url = new URL(text)
    // The difference between the clocks of this server and of the process is 0, except in tests.
    const skew = { [clockSkew]: Math.round((this.#context.now().getTime() - Date.now()) / 1000) }
    return await discovery(url, clientId, skew, ClientSecretBasic(clientSecret), {
      timeout: timeoutSeconds,
      // Settings allow `http` on this machine only.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
      [customFetch]: this.#fetch,
    })
  }

  /** Sends a request to the origins of the settings only: the metadata of an issuer could name a server of the internal network. */
  #fetch: CustomFetch = async (address, options) => {
    const { url, origins = [] } = this.#issuer
    const { origin } = new URL(address)
    if (![url, ...origins].some((one) => new URL(one).origin === origin)) {
      throw new IssuerError('unreachable', `An endpoint is at ${origin}, which is not in \`origins\` of the issuer`)
    }
    const { method, headers, body, signal = null } = options
    const form = body instanceof URLSearchParams ? body : null
    const response = await fetch(address, { method, headers, body: form, signal, redirect: 'manual' })
    const bytes = response.body && Uint8Array.from(await readWholeBytes(response.body, { limitBytes: maxAnswerBytes }))
    return new Response(bytes, { status: response.status, headers: response.headers })
  }

  #findGroups(claims: unknown): readonly string[] | undefined {
    return findGroups(this.#issuer, claims, this.#context.config.oidcIssuers?.length === 1)
  }

  /** The groups of the `userinfo` endpoint; `undefined` if there is none, or if it does not say. */
  async #askForGroups(configuration: Configuration, { accessToken, expiresAt }: UserTokens, subject: string) {
    const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= this.#context.now().getTime()
    if (isOver || configuration.serverMetadata().userinfo_endpoint === undefined) return undefined
    return this.#findGroups(await fetchUserInfo(configuration, accessToken, subject))
  }

  #toTokens({ access_token: accessToken, expires_in: seconds, refresh_token: refreshToken }: TokenEndpointResponse): UserTokens {
    return {
      accessToken,
      ...(seconds !== undefined && { expiresAt: new Date(this.#context.now().getTime() + seconds * 1000).toISOString() }),
      ...(refreshToken !== undefined && { refreshToken }),
    }
  }

  async #ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work()
    } catch (error) {
      // The library wraps what it does not know in an error without a code.
      const known = error instanceof ClientError && error.code === undefined ? error.cause : error
      if (known instanceof IssuerError) throw known
      throw new IssuerError(toFailure(known), `${this.#issuer.name}: ${known instanceof Error ? known.message : known}`, {
        cause: error,
      })
    }
  }
}

/** Codes of the library for answers that say nothing about the person. */
const faults = ['TIMEOUT', 'ABORT', 'RESPONSE_IS_NOT_CONFORM', 'RESPONSE_IS_NOT_JSON', 'PARSE_ERROR']

function toFailure(error: unknown): IssuerError['failure'] {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'refused' : 'unreachable'
  if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused'
  if (error instanceof WWWAuthenticateChallengeError) return 'refused'
  return error instanceof ClientError && !faults.includes(error.code?.replace(/^OAUTH_/, '') ?? '') ? 'refused' : 'unreachable'
}
