import { GitHubError } from '../../text/errors.ts'
import { isObject } from '../../text/json/json-values.ts'
import { callGitHub, nameRepository, unlessNotFound } from '../requests/call-github.ts'
import {
  createOctokit,
  defaultPace,
  type GitHubClient,
  paceRequests,
  type RepositoryName,
  type RequestPace,
} from '../requests/github-client.ts'

/** The OAuth credentials of a GitHub App, for sign-in. */
export interface OAuthClient {
  /** `https://github.com`, or a GitHub Enterprise Server: sign-in uses its web URL, not its API. */
  readonly githubUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A user's tokens. Secret. */
export interface UserTokens {
  readonly accessToken: string
  /** ISO 8601; absent when the app's tokens do not expire. */
  readonly expiresAt?: string
  readonly refreshToken?: string
}

/** A user's access to a repository, in ascending order. */
export type AccessLevel = (typeof accessLevels)[number]

/** Each level includes those before it. */
export const accessLevels = ['read', 'write', 'admin'] as const

/** A signed-in user. */
export interface GitHubUser {
  /** Stays the same when the login changes. */
  readonly id: number
  readonly login: string
}

/** Timeout of GitHub's responses during a sign-in. */
const timeoutMs = 20_000

/** The URL that starts a sign-in. Source: GitHub, "Generating a user access token for a GitHub App", with PKCE (RFC 7636). */
export function toAuthorizeUrl(
  { githubUrl, clientId }: OAuthClient,
  { redirectUrl, state, challenge }: { redirectUrl: string; state: string; challenge: string },
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUrl,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `${githubUrl}/login/oauth/authorize?${query}`
}

/**
 * Exchanges the code of a sign-in redirect for tokens. Works once, within ten minutes.
 *
 * @throws {GitHubError} `unauthorized` when GitHub refuses the code.
 */
export async function exchangeCode(
  client: OAuthClient,
  { code, verifier, redirectUrl }: { code: string; verifier: string; redirectUrl: string },
): Promise<UserTokens> {
  return await requestTokens(client, 'exchange sign-in code', { code, code_verifier: verifier, redirect_uri: redirectUrl })
}

/**
 * Exchanges a refresh token for new tokens. The old ones become invalid.
 *
 * @throws {GitHubError} `unauthorized` when the token was used, revoked or has expired.
 */
export async function refreshTokens(client: OAuthClient, refreshToken: string): Promise<UserTokens> {
  return await requestTokens(client, 'refresh sign-in', { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** Revokes a token at a sign-out. @throws {GitHubError} */
export async function revokeToken(
  { clientId, clientSecret }: OAuthClient,
  { apiUrl, accessToken }: { apiUrl: string; accessToken: string },
): Promise<void> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  await callGitHub({ operation: 'end sign-in', on: 'GitHub' }, () =>
    createOctokit({}, { apiUrl, warn: () => undefined }).request('DELETE /applications/{client_id}/token', {
      client_id: clientId,
      access_token: accessToken,
      headers: { authorization: `basic ${basic}` },
      request: { signal: AbortSignal.timeout(timeoutMs) },
    }),
  )
}

async function requestTokens(
  { githubUrl, clientId, clientSecret }: OAuthClient,
  operation: string,
  parameters: Readonly<Record<string, string>>,
): Promise<UserTokens> {
  const requestedAt = Date.now()
  const { data } = await callGitHub({ operation, on: 'GitHub' }, () =>
    createOctokit({}, { apiUrl: githubUrl, warn: () => undefined }).request('POST /login/oauth/access_token', {
      client_id: clientId,
      client_secret: clientSecret,
      ...parameters,
      headers: { accept: 'application/json' },
      request: { signal: AbortSignal.timeout(timeoutMs) },
    }),
  )
  const response: unknown = data
  // GitHub reports a refusal with status 200 and an `error`.
  if (!isObject(response) || typeof response['access_token'] !== 'string') {
    const reason = isObject(response) && typeof response['error'] === 'string' ? response['error'] : 'the response has no token'
    throw new GitHubError(`Cannot ${operation} on GitHub: ${reason.slice(0, 100)}`, {
      failure: 'unauthorized',
      operation,
      hint: reason === 'incorrect_client_credentials' ? 'Check GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET' : 'Sign in again',
    })
  }
  const { access_token: accessToken, expires_in: expiresIn, refresh_token: refreshToken } = response
  return {
    accessToken,
    ...(typeof expiresIn === 'number' && { expiresAt: new Date(requestedAt + expiresIn * 1000).toISOString() }),
    ...(typeof refreshToken === 'string' && { refreshToken }),
  }
}

/** A client with the token of a user. */
export function createUserClient(options: {
  readonly accessToken: string
  readonly apiUrl: string
  readonly pace?: Partial<RequestPace>
}): GitHubClient {
  const client = createOctokit({ auth: options.accessToken }, { apiUrl: options.apiUrl, warn: () => undefined })
  const pace = { ...defaultPace, ...options.pace }
  paceRequests(client, { budget: undefined, pace, signal: undefined, renewToken: undefined })
  return client
}

/** The owner of a token. @throws {GitHubError} */
export async function readUser(client: GitHubClient): Promise<GitHubUser> {
  const { data } = await callGitHub({ operation: 'read the user', on: 'GitHub' }, () => client.rest.users.getAuthenticated())
  return { id: data.id, login: data.login }
}

/** The teams of the user, as groups: `github:acme/docs`. Needs `members: read` in the organizations. @throws {GitHubError} */
export async function listUserTeams(client: GitHubClient): Promise<readonly string[]> {
  const operation = { operation: 'list teams of a user', on: 'GitHub', permission: 'members: read' }
  const teams = await callGitHub(operation, () => client.paginate(client.rest.teams.listForAuthenticatedUser, { per_page: 100 }))
  return teams.map(({ organization, slug }) => `github:${organization.login}/${slug}`.toLowerCase())
}

/** The installations that the user can access, except suspended ones. @throws {GitHubError} */
export async function listUserInstallations(client: GitHubClient): Promise<readonly number[]> {
  const installations = await callGitHub({ operation: 'list installations of a user', on: 'GitHub' }, () =>
    client.paginate(client.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
  )
  return installations.flatMap(({ id, suspended_at: suspendedAt }) => (suspendedAt ? [] : [id]))
}

/** The repositories of an installation that the user can access, by ID, with the level of access. @throws {GitHubError} */
export async function listUserRepositories(
  client: GitHubClient,
  installationId: number,
): Promise<readonly (readonly [repositoryId: number, level: AccessLevel])[]> {
  const repositories = await callGitHub(
    { operation: 'list repositories of a user', on: `installation \`${installationId}\`` },
    () =>
      client.paginate(client.rest.apps.listInstallationReposForAuthenticatedUser, {
        installation_id: installationId,
        per_page: 100,
      }),
  )
  return repositories.map(({ id, permissions }) => [id, toLevel(permissions)])
}

function toLevel(permissions: { readonly [permission: string]: boolean | undefined } | undefined): AccessLevel {
  return permissions?.['admin'] ? 'admin' : permissions?.['push'] || permissions?.['maintain'] ? 'write' : 'read'
}

/**
 * Whether a person may write to a repository. Checked before an action they request.
 *
 * @param person With `id`, the login must still belong to that account: logins can change hands.
 * @throws {GitHubError} when the request fails. An unknown login may not write.
 */
export async function mayWrite(client: GitHubClient, repository: RepositoryName, person: GitHubPerson): Promise<boolean> {
  const permission = await findPermission(client, repository, person)
  return permission === 'write' || permission === 'admin'
}

interface GitHubPerson {
  readonly login: string
  readonly id?: number | undefined
}

/**
 * The access of a person to a repository; `undefined` for none.
 *
 * @throws {GitHubError} when the request fails.
 */
export async function findPermission(
  client: GitHubClient,
  repository: RepositoryName,
  { login, id }: GitHubPerson,
): Promise<AccessLevel | undefined> {
  const operation = { operation: 'check the permission of a user', on: nameRepository(repository), permission: 'metadata: read' }
  const found = await unlessNotFound(() =>
    callGitHub(operation, () => client.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login })),
  )
  if (!found || (id !== undefined && found.data.user?.id !== id)) return undefined
  const { permission } = found.data
  return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : undefined
}

export type Collaborator = Awaited<ReturnType<typeof listCollaborators>>[number]

/**
 * The first 100 people with access to a repository, including the members of its organization. `role` is GitHub's name, such as `maintain` or the
 * name of a custom role.
 *
 * @throws {GitHubError}
 */
export async function listCollaborators(client: GitHubClient, repository: RepositoryName) {
  const operation = { operation: 'list collaborators', on: nameRepository(repository), permission: 'metadata: read' }
  const { data } = await callGitHub(operation, () => client.rest.repos.listCollaborators({ ...repository, per_page: 100 }))
  return data.map(({ login, role_name: role, permissions }) => ({ login, role, level: toLevel(permissions) }))
}
