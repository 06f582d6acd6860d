import { callGitHub } from './call-github.ts'
import { createOctokit } from './create-octokit.ts'
import { paceRequests } from './pace-requests.ts'
import { defaultPace, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** What a person may do in a repository, each more than the one before. */
export type AccessLevel = 'read' | 'write' | 'admin'

/** Who signed in. */
export interface GitHubUser {
  /** Survives a new login. */
  readonly id: number
  readonly login: string
}

/** Asks as a person, with the token that GitHub gave for them. */
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

/** Who a token is of. @throws {GitHubError} */
export async function readUser(client: GitHubClient): Promise<GitHubUser> {
  const { data } = await callGitHub({ operation: 'read user', on: 'GitHub' }, () => client.rest.users.getAuthenticated())
  return { id: data.id, login: data.login }
}

/** The installations of the app in which the person can see something; suspended ones show nothing. @throws {GitHubError} */
export async function listUserInstallations(client: GitHubClient): Promise<readonly number[]> {
  const installations = await callGitHub({ operation: 'list installations of a user', on: 'GitHub' }, () =>
    client.paginate(client.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
  )
  return installations.flatMap(({ id, suspended_at: suspendedAt }) => (suspendedAt ? [] : [id]))
}

/** The repositories of an installation that the person was given access to, by id, with what they may do there. @throws {GitHubError} */
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
  return repositories.map(({ id, permissions }) => [
    id,
    permissions?.admin ? 'admin' : permissions?.push || permissions?.maintain ? 'write' : 'read',
  ])
}
