import { GitHubError } from '../../errors.ts'
import { findRepository } from '../../github/installations.ts'
import type { Project } from '../../status/types.ts'
import { clientOf, type RunContext, requireGitHubApp } from '../run/run-context.ts'
import { toTask } from '../run/tasks.ts'
import { applyConfirmed } from './settle-repository.ts'

/**
 * Reads name, visibility and default branch of a project's repository from GitHub, and stores them. One request.
 *
 * @throws {GitHubError} where GitHub does not say; the repository is then looked into by a task of its own.
 */
export async function refreshProject(context: RunContext, project: Project): Promise<Project> {
  const { store, log, now, locks } = context
  const { repositoryId, installationId, owner, repo } = project
  const client = clientOf(context, project)
  const askLater = async () => {
    const payload = { repositoryId, owner, repo, ...(installationId === undefined ? {} : { installationId }) }
    await store.accept({ tasks: [toTask(store.newId(), 'confirm', installationId, payload)] })
  }
  const stored = await store.projects.findRepository(repositoryId)
  const info = await findRepository(client, repositoryId).catch(async (error: unknown) => {
    const isRefused = error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')
    if (isRefused) await askLater()
    throw error
  })
  if (!info || installationId === undefined) {
    await askLater()
    const reason = 'the app is not installed there any more, or the repository is deleted'
    throw new GitHubError(`Cannot read \`${owner}/${repo}\`: ${reason}`, { failure: 'not-found', operation: 'read repository' })
  }
  const settling = { store, log, now, locks, app: requireGitHubApp(context) }
  // Whether the app is installed was not asked: a deleted project of the repository stays deleted.
  await applyConfirmed(settling, { ...stored, deleted: [] }, { installationId, info }, { restore: false })
  return (await store.projects.find(project.id)) ?? project
}
