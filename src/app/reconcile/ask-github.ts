import type { GitHubApp } from '../../github/github-app.ts'
import { findInstallation, findRepository, findRepositoryInstallation, type RepositoryInfo } from '../../github/installations.ts'
import type { RepositoryName } from '../../github/types.ts'

/** What GitHub's API says of a repository at this moment. */
export type RepositoryState =
  | { readonly kind: 'installed'; readonly installationId: number; readonly info: RepositoryInfo }
  /** The account suspended the app: nothing can be asked about its repositories. */
  | { readonly kind: 'suspended'; readonly installationId: number }
  /** The repository is deleted, or the app is not installed on it. */
  | { readonly kind: 'gone' }

/**
 * Asks GitHub where the app is installed on a repository, and what the repository is like now.
 *
 * Identified by its number: a name that was given to another repository meanwhile does not lead to that one.
 *
 * @param names What it was called, as far as known; a newer name is found by the number.
 * @param installationIds Installations that may see it.
 * @throws {GitHubError}
 */
export async function askAboutRepository(
  app: GitHubApp,
  {
    repositoryId,
    names,
    installationIds,
  }: {
    readonly repositoryId: number
    readonly names: readonly RepositoryName[]
    readonly installationIds: readonly number[]
  },
): Promise<RepositoryState> {
  const asked = new Set<string>()
  const askByName = async ({ owner, repo }: RepositoryName): Promise<RepositoryState | undefined> => {
    const name = `${owner}/${repo}`.toLowerCase()
    if (asked.has(name)) return undefined
    asked.add(name)
    const installation = await findRepositoryInstallation(app.client, { owner, repo })
    if (!installation) return undefined
    const installationId = installation.id
    if (installation.isSuspended) return { kind: 'suspended', installationId }
    const info = await findRepository(app.installation(installationId), repositoryId)
    if (!info) return undefined
    // The token sees every public repository: that the app is installed was said of the name.
    return `${info.owner}/${info.repo}`.toLowerCase() === name
      ? { kind: 'installed', installationId, info }
      : await askByName(info)
  }
  for (const name of names) {
    const state = await askByName(name)
    if (state) return state
  }
  for (const installationId of new Set(installationIds)) {
    const installation = await findInstallation(app.client, installationId)
    if (!installation) continue
    if (installation.isSuspended) return { kind: 'suspended', installationId }
    const info = await findRepository(app.installation(installationId), repositoryId)
    const state = info && (await askByName(info))
    if (state) return state
  }
  return { kind: 'gone' }
}
