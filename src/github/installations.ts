import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What GitHub says of the app itself; for `doctor` and for the links of the setup page. */
export interface AppInfo {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly htmlUrl: string
  readonly permissions: { readonly [permission: string]: string }
  readonly events: readonly string[]
  /** GitHub's clock when it answered, ISO 8601; absent where it did not say. */
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
  /** The newest push to any branch, ISO 8601; `''` where there was none. */
  readonly pushedAt: string
}

/** Asks who the app is, which also proves its key. @throws {GitHubError} */
export async function readApp(client: GitHubClient): Promise<AppInfo> {
  const { data, headers } = await callGitHub({ operation: 'read app', on: 'GitHub' }, () => client.rest.apps.getAuthenticated())
  if (data === null) throw new Error('GitHub answered without an app')
  return {
    id: data.id,
    slug: data.slug ?? '',
    name: data.name,
    htmlUrl: data.html_url,
    permissions: textValues(data.permissions),
    events: data.events,
    answeredAt: headers.date === undefined ? undefined : new Date(headers.date).toISOString(),
  }
}

/** Where GitHub sends the webhooks of the app; absent where none is set. @throws {GitHubError} */
export async function readWebhookUrl(client: GitHubClient): Promise<string | undefined> {
  const { data } = await callGitHub({ operation: 'read webhook settings', on: 'the app' }, () =>
    client.rest.apps.getWebhookConfigForApp(),
  )
  return data.url
}

/** Every installation of the app. @throws {GitHubError} */
export async function listInstallations(client: GitHubClient): Promise<readonly InstallationInfo[]> {
  const installations = await callGitHub({ operation: 'list installations', on: 'the app' }, () =>
    client.paginate(client.rest.apps.listInstallations, { per_page: 100 }),
  )
  return installations.map((installation) => toInstallation(installation))
}

/** One installation; `undefined` where the app was uninstalled. @throws {GitHubError} */
export async function findInstallation(client: GitHubClient, installationId: number): Promise<InstallationInfo | undefined> {
  return await unlessNotFound(() => readInstallation(client, installationId))
}

/** One installation, with what it was granted. @throws {GitHubError} */
export async function readInstallation(client: GitHubClient, installationId: number): Promise<InstallationInfo> {
  const { data } = await callGitHub({ operation: 'read installation', on: `\`${installationId}\`` }, () =>
    client.rest.apps.getInstallation({ installation_id: installationId }),
  )
  return toInstallation(data)
}

/** Every repository of an installation. @param client The client of the installation. @throws {GitHubError} */
export async function listInstallationRepositories(client: GitHubClient): Promise<readonly RepositoryInfo[]> {
  const repositories = await callGitHub({ operation: 'list repositories', on: 'the installation' }, () =>
    client.paginate(client.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
  )
  return repositories.map(toRepository)
}

/** The installation of the app on a repository of this name; `undefined` where it has none. Asked as the app. @throws {GitHubError} */
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
 * A repository by its number, under whatever name it has now; `undefined` where the token cannot see it.
 *
 * The token of an installation also sees public repositories that the app is not installed on.
 *
 * @throws {GitHubError}
 */
export async function findRepository(client: GitHubClient, repositoryId: number): Promise<RepositoryInfo | undefined> {
  const about = { operation: 'read repository', on: `\`${repositoryId}\``, permission: 'metadata: read' }
  return await unlessNotFound(async () => {
    // GitHub redirects old names of repositories to this route.
    const { data } = await callGitHub(about, () =>
      client.request('GET /repositories/{repository_id}', { repository_id: repositoryId }),
    )
    return toRepository(data as RepositoryAnswer) // The same answer as that of `GET /repos/{owner}/{repo}`.
  })
}

/** Every branch of a repository with the commit that it is at. @throws {GitHubError} */
export async function listBranchTips(client: GitHubClient, repository: RepositoryName): Promise<ReadonlyMap<string, string>> {
  const about = { operation: 'list branches', on: nameRepository(repository), permission: 'contents: read' }
  const branches = await callGitHub(about, () =>
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

type RepositoryAnswer = Pick<
  Awaited<ReturnType<GitHubClient['rest']['apps']['listReposAccessibleToInstallation']>>['data']['repositories'][number],
  'id' | 'owner' | 'name' | 'private' | 'default_branch' | 'pushed_at'
>

function toRepository(data: RepositoryAnswer): RepositoryInfo {
  return {
    id: data.id,
    owner: data.owner.login,
    repo: data.name,
    private: data.private,
    defaultBranch: data.default_branch,
    pushedAt: data.pushed_at ?? '',
  }
}

type InstallationAnswer = Awaited<ReturnType<GitHubClient['rest']['apps']['getInstallation']>>['data']

function toInstallation(data: InstallationAnswer): InstallationInfo {
  const { account } = data
  const name = account === null ? '' : 'login' in account ? account.login : account.slug
  return { id: data.id, account: name, permissions: textValues(data.permissions), isSuspended: data.suspended_at !== null }
}

function textValues(value: object): { [name: string]: string } {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
