import { GitHubError } from '../../text/errors.ts'
import { stringEntries } from '../../text/json/json-values.ts'
import { callGitHub, nameRepository } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

/** The app's registration, for the checks at the start and the links of the setup page. */
interface AppInfo {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly htmlUrl: string
  readonly permissions: { readonly [permission: string]: string }
  readonly events: readonly string[]
  /** GitHub's time of the response, ISO 8601; undefined without a `Date` header. */
  readonly answeredAt: string | undefined
}

/** One account that the app is installed on. */
export interface InstallationInfo {
  readonly id: number
  /** Login of the account. */
  readonly account: string
  readonly permissions: { readonly [permission: string]: string }
  readonly isSuspended: boolean
}

/** A repository that an installation can see. */
export interface RepositoryInfo {
  readonly id: number
  readonly owner: string
  readonly repo: string
  readonly private: boolean
  readonly defaultBranch: string
  /** The newest push to any branch, ISO 8601; `''` if there is none. */
  readonly pushedAt: string
}

/** Reads the app's registration, which also verifies its key. @throws {GitHubError} */
export async function readApp(client: GitHubClient): Promise<AppInfo> {
  const { data, headers } = await callGitHub({ operation: 'read the app', on: 'GitHub' }, () =>
    client.rest.apps.getAuthenticated(),
  )
  if (data === null) throw new Error('GitHub returned no app')
  return {
    id: data.id,
    slug: data.slug ?? '',
    name: data.name,
    htmlUrl: data.html_url,
    permissions: stringEntries(data.permissions),
    events: data.events,
    answeredAt: headers.date === undefined ? undefined : new Date(headers.date).toISOString(),
  }
}

/** Reads the webhook URL of the app; undefined if it has none. @throws {GitHubError} */
export async function readWebhookUrl(client: GitHubClient): Promise<string | undefined> {
  const { data } = await callGitHub({ operation: 'read webhook settings', on: 'the app' }, () =>
    client.rest.apps.getWebhookConfigForApp(),
  )
  return data.url
}

/** All installations of the app. @throws {GitHubError} */
export async function listInstallations(client: GitHubClient): Promise<readonly InstallationInfo[]> {
  const installations = await callGitHub({ operation: 'list installations', on: 'the app' }, () =>
    client.paginate(client.rest.apps.listInstallations, { per_page: 100 }),
  )
  return installations.map((installation) => toInstallation(installation))
}

/** One installation; `undefined` if it was uninstalled. @throws {GitHubError} */
export async function findInstallation(client: GitHubClient, installationId: number): Promise<InstallationInfo | undefined> {
  return await unlessNotFound(() => readInstallation(client, installationId))
}

/** One installation with its permissions. @throws {GitHubError} */
export async function readInstallation(client: GitHubClient, installationId: number): Promise<InstallationInfo> {
  const { data } = await callGitHub({ operation: 'read installation', on: `\`${installationId}\`` }, () =>
    client.rest.apps.getInstallation({ installation_id: installationId }),
  )
  return toInstallation(data)
}

/** All repositories of an installation. @param client The client of the installation. @throws {GitHubError} */
export async function listInstallationRepositories(client: GitHubClient): Promise<readonly RepositoryInfo[]> {
  const repositories = await callGitHub({ operation: 'list repositories', on: 'the installation' }, () =>
    client.paginate(client.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
  )
  return repositories.map(toRepository)
}

/**
 * The installation of the app on a repository; `undefined` if there is none. Needs the client of the app. @throws {GitHubError}
 */
export async function findRepositoryInstallation(
  client: GitHubClient,
  repository: RepositoryName,
): Promise<InstallationInfo | undefined> {
  return await unlessNotFound(async () => {
    const { data } = await callGitHub({ operation: 'read installation', on: nameRepository(repository) }, () =>
      client.rest.apps.getRepoInstallation({ ...repository }),
    )
    return toInstallation(data)
  })
}

/**
 * Finds a repository by its ID, even after a rename; `undefined` when the token cannot see it.
 *
 * An installation token also sees public repositories without the app.
 *
 * @throws {GitHubError}
 */
export async function findRepository(client: GitHubClient, repositoryId: number): Promise<RepositoryInfo | undefined> {
  const operation = { operation: 'read repository', on: `\`${repositoryId}\``, permission: 'metadata: read' }
  return await unlessNotFound(async () => {
    // GitHub redirects renamed repositories to this route.
    const { data } = await callGitHub(operation, () =>
      client.request('GET /repositories/{repository_id}', { repository_id: repositoryId }),
    )
    return toRepository(data as RepositoryResponse) // The same response as of `GET /repos/{owner}/{repo}`.
  })
}

/**
 * Finds a repository by its name; `undefined` when the token cannot see it. After a rename or transfer, the result has the new name.
 *
 * @throws {GitHubError}
 */
export async function findRepositoryByName(
  client: GitHubClient,
  repository: RepositoryName,
): Promise<RepositoryInfo | undefined> {
  const operation = { operation: 'read repository', on: nameRepository(repository), permission: 'metadata: read' }
  return await unlessNotFound(async () => {
    const { data } = await callGitHub(operation, () => client.rest.repos.get({ ...repository }))
    return toRepository(data)
  })
}

/** All branches of a repository with their commits. @throws {GitHubError} */
export async function listBranchTips(client: GitHubClient, repository: RepositoryName): Promise<ReadonlyMap<string, string>> {
  const operation = { operation: 'list branches', on: nameRepository(repository), permission: 'contents: read' }
  const branches = await callGitHub(operation, () =>
    client.paginate(client.rest.repos.listBranches, { ...repository, per_page: 100 }),
  )
  return new Map(branches.map(({ name, commit }) => [name, commit.sha]))
}

async function unlessNotFound<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

type RepositoryResponse = Pick<
  Awaited<ReturnType<GitHubClient['rest']['apps']['listReposAccessibleToInstallation']>>['data']['repositories'][number],
  'id' | 'owner' | 'name' | 'private' | 'default_branch' | 'pushed_at'
>

function toRepository(data: RepositoryResponse): RepositoryInfo {
  return {
    id: data.id,
    owner: data.owner.login,
    repo: data.name,
    private: data.private,
    defaultBranch: data.default_branch,
    pushedAt: data.pushed_at ?? '',
  }
}

type InstallationResponse = Awaited<ReturnType<GitHubClient['rest']['apps']['getInstallation']>>['data']

function toInstallation(data: InstallationResponse): InstallationInfo {
  const { account } = data
  const name = account === null ? '' : 'login' in account ? account.login : account.slug
  return { id: data.id, account: name, permissions: stringEntries(data.permissions), isSuspended: data.suspended_at !== null }
}
