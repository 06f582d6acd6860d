import { formatCount } from '../../diagnostic/diagnostic.ts'
import { type CheckOutcome, concludeCheckRun, createCheckRun } from '../../github/check-run.ts'
import { commitOnBranch } from '../../github/commit-changes.ts'
import { findCommit } from '../../github/commits.ts'
import { mayWrite } from '../../github/repository.ts'
import { escapeMarkdown } from '../../report/markdown.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/types.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { refreshProject } from '../reconcile/refresh-project.ts'
import { checkArchive } from './check-archive.ts'
import { mayWriteOn } from './installation-permissions.ts'
import { toRegenerateBranch } from './report-update.ts'
import { clientOf, type RunContext, toCheckName, toName } from './run-context.ts'
import type { TaskRun, Tasks } from './tasks.ts'
import { withArchive } from './with-archive.ts'

/** How often the pages are made anew from a branch that moved meanwhile. */
const attempts = 5

/**
 * Commits what `update` would change to the branch of a check whose button a person pressed, if that person may write.
 *
 * Made from the newest commit of the branch, never forced. How it ended is a check of its own on the commit of the button.
 *
 * @throws {GitHubError}
 */
export async function regeneratePages(
  context: RunContext,
  { statusId, login }: Tasks['regenerate'],
  { isRetry, signal }: TaskRun,
): Promise<void> {
  const stored = await context.store.statuses.find(statusId)
  const known = stored && (await context.store.projects.find(stored.update.projectId))
  if (!stored || !known?.enabled) return
  // The name may have become that of another repository.
  const project = await refreshProject(context, known)
  const said = await regenerate(context, { stored, project, login, signal })
  context.log.info({ statusId, login, outcome: said.title }, 'Regenerate')
  const detail = `${login}: ${said.title}`
  await context.store.audit.add({ actor: `github:${login}`, action: 'update.regenerate', subject: statusId, detail })
  const client = clientOf(context, project)
  const { id } = await createCheckRun(client, toName(project), {
    name: `${toCheckName(project.root)}: regenerate`,
    headSha: stored.update.commit.sha,
    externalId: `regenerate ${statusId}`,
    detailsUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(stored.update.createdAt)),
    mayExist: isRetry,
  })
  const outcome: CheckOutcome = { ...said, annotations: [], actions: [], completedAt: context.now().toISOString() }
  await concludeCheckRun(client, toName(project), id, outcome)
}

type Said = Pick<CheckOutcome, 'conclusion' | 'title' | 'summary'>

async function regenerate(
  context: RunContext,
  options: { stored: StoredUpdate; project: Project; login: string; signal: AbortSignal },
): Promise<Said> {
  const { stored, project, login, signal } = options
  const { installationId } = project
  const branch = toRegenerateBranch(stored.update.commit.ref, project)
  if (branch === undefined) return refuse('Not regenerated', 'The app commits to branches of pull requests only.')
  const client = clientOf(context, project)
  const repository = toName(project)
  if (!(await mayWrite(client, repository, { login }))) {
    return refuse('Not regenerated', `${login} may not write to this repository.`)
  }
  if (installationId === undefined || !(await mayWriteOn(context, installationId, 'contents'))) {
    return refuse('Not regenerated', 'The app was not granted `contents: write`; run `openapi-pages update` and push its result.')
  }
  const timeMs = context.config.runTimeoutSeconds * 1000
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const head = await findCommit(client, repository, `refs/heads/${branch}`)
    if (!head) return refuse('Not regenerated', `The branch ${branch} is gone.`)
    const archive = { client, repository, sha: head.sha, workFolder: context.workFolder, timeMs, signal }
    const end = await withArchive(archive, (files, folder) =>
      checkArchive(context, { archive: files, folder, root: project.root, installationId, withChanges: true, timeMs, signal }),
    )
    if (end.kind === 'stopped') return refuse('Not regenerated', `Failed: ${end.reason}.`)
    const { changes, diagnostics, documents } = end.checked
    if (changes.length === 0) {
      // A baseline hides known errors, which keep pages from being updated all the same.
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error') || documents.some(({ valid }) => !valid)
      if (hasErrors) return refuse('Not regenerated', 'The documents have errors: correct them first.')
      return { conclusion: 'success', title: 'Nothing to regenerate', summary: 'All pages are up to date.' }
    }
    const result = await commitOnBranch(client, repository, {
      branch,
      expectedHeadSha: head.sha,
      headline: 'docs: regenerate API pages',
      body: `Asked for by ${login} in the check of ${stored.update.commit.sha.slice(0, 7)}.`,
      changes,
    })
    if (result.kind === 'committed') {
      const summary = `${formatCount(changes.length, 'file')} changed in ${result.sha}${result.isVerified ? '' : ', which GitHub did not sign'}.`
      return { conclusion: 'success', title: `Regenerated: ${formatCount(changes.length, 'file')} changed`, summary }
    }
  }
  return refuse('Not regenerated', `The branch ${branch} moved ${attempts} times meanwhile: press the button again.`)
}

function refuse(title: string, reason: string): Said {
  return { conclusion: 'neutral', title: `${title}: ${reason}`.slice(0, 250), summary: escapeMarkdown(reason) }
}
