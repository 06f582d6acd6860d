import { GitHubError } from '../../errors.ts'
import { findCommit } from '../../github/commits.ts'
import { listInstallationRepositories, type RepositoryInfo } from '../../github/installations.ts'
import { listRepositoryFiles } from '../../github/repository-files.ts'
import type { GitHubClient } from '../../github/types.ts'
import { queueUpdate } from '../../status/queue-update.ts'
import type { ProjectFacts } from '../../store/types.ts'
import { findDocsRoots } from './find-docs-roots.ts'
import { type RunContext, requireGitHubApp } from './run-context.ts'
import type { TaskRun } from './run-task.ts'
import { syncProjects } from './sync-projects.ts'
import { type Tasks, toCheckTask } from './tasks.ts'

/**
 * Makes the projects of repositories that joined an installation, each with a first update of its default branch, so that there is
 * something to see before anybody pushes. A repository in which nothing looks like documentation is left alone until its first push.
 *
 * @throws {GitHubError}
 */
export async function discoverProjects(
  context: RunContext,
  { installationId, repositoryIds }: Tasks['discover'],
  { signal }: TaskRun,
): Promise<void> {
  const client = requireGitHubApp(context).installation(installationId)
  const wanted = new Set(repositoryIds)
  for (const repository of await listInstallationRepositories(client)) {
    signal.throwIfAborted()
    if (!wanted.has(repository.id)) continue
    try {
      await discover(context, client, installationId, repository)
    } catch (error) {
      // One repository that is empty or blocked must not keep the others out.
      const isItsOwn =
        error instanceof GitHubError && ['not-found', 'forbidden', 'invalid', 'conflict', 'refused'].includes(error.failure)
      if (!isItsOwn) throw error
      context.log.warn({ repositoryId: repository.id, reason: error.message }, 'Cannot look for docs roots')
    }
  }
}

async function discover(
  context: RunContext,
  client: GitHubClient,
  installationId: number,
  repository: RepositoryInfo,
): Promise<void> {
  const { store, now } = context
  const { id: repositoryId, owner, repo, defaultBranch, private: isPrivate } = repository
  const head = await findCommit(client, { owner, repo }, `refs/heads/${defaultBranch}`)
  if (!head) return
  const { paths } = await listRepositoryFiles(client, { owner, repo }, head.sha)
  const { roots } = findDocsRoots(paths)
  if (roots.length === 0 && !paths.some(looksLikeDocument)) return
  const [first = ''] = roots
  const facts: ProjectFacts = {
    installationId,
    repositoryId,
    owner,
    repo,
    root: first,
    hasDocsConfig: roots.length > 0,
    defaultBranch,
    private: isPrivate,
  }
  const known = await store.projects.findByRepository(repositoryId)
  if (known.length === 0) await store.projects.apply([{ kind: 'upsert', project: facts }])
  const [project] = await store.projects.findByRepository(repositoryId)
  if (!project) return
  const projects = await syncProjects(context, project, roots)
  const commit = {
    sha: head.sha,
    ref: `refs/heads/${defaultBranch}`,
    message: head.message,
    filesChanged: { added: [], modified: [], removed: [] },
  }
  const updates = projects.map((one) => ({
    update: queueUpdate({
      id: store.newId(),
      projectId: one.id,
      subdomain: one.subdomain,
      createdAt: now().toISOString(),
      author: head.author,
      commit,
      source: 'internal',
      logs: ['First update of this repository: the app was installed on it'],
    }),
    details: { trigger: 'catch-up' as const },
    once: 'head' as const,
  }))
  const tasks = updates.map(({ update }) => toCheckTask(store.newId(), update._id, installationId))
  await store.accept({ updates, tasks })
}

function looksLikeDocument(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /openapi|swagger/i.test(name) && /\.(json|ya?ml)$/i.test(name)
}
