import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type CheckOutcome, concludeCheckRun, createCheckRun } from '../../github/check-run.ts'
import { commitOnBranch } from '../../github/commit-changes.ts'
import { findCommit } from '../../github/commits.ts'
import { escapeMarkdown } from '../../github/report/markdown.ts'
import { mayWrite } from '../../github/repository.ts'
import type { Project, UpdateSource } from '../../status/types.ts'
import type { AcceptInput } from '../../store/accept-work.ts'
import { isForkRef, type NewPreviewApproval } from '../../store/stored-sites.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { refreshProject } from '../reconcile/settle-repository.ts'
import { toSignedLink } from '../signed-links.ts'
import { planRerun } from '../webhooks/plan-check.ts'
import { checkArchive, withArchive } from './check-archive.ts'
import { mayWriteOn } from './commit-feedback.ts'
import { toRegenerateBranch } from './report-run.ts'
import { clientOf, type RunContext, toCheckName, toName } from './run-context.ts'
import type { TaskRun, Tasks } from './tasks.ts'

/** What came of an approval. */
type Approval =
  /** `statusId` is the record that builds the site. */
  { readonly kind: 'approved'; readonly statusId: string | undefined } | { readonly kind: 'refused'; readonly reason: string }

interface ApprovalRequest {
  readonly stored: StoredUpdate
  readonly project: Project
  /** Who approves; `id` is GitHub's. */
  readonly person: { readonly login: string; readonly id: number }
  readonly source: UpdateSource
}

/**
 * Lets the app build and host one commit of a fork, for every project of the repository, if GitHub says that the person may write there.
 *
 * Approval, new records and audit line are one transaction; a second approval of the same commit finds nothing that waits.
 *
 * @throws {GitHubError} when GitHub cannot be asked.
 */
export async function approvePreview(context: AppContext, request: ApprovalRequest): Promise<Approval> {
  const { stored, project, person, source } = request
  const { store } = context
  const { login } = person
  const { sha, ref } = stored.update.commit
  if (!isForkRef(ref)) return refuseApproval('Only commits of forks need approval')
  if (!(await mayWrite(clientOf(context, project), toName(project), person))) {
    return refuseApproval(`${login} may not write to this repository`)
  }
  const approvals: NewPreviewApproval[] = []
  const updates: NonNullable<AcceptInput['updates']>[number][] = []
  const tasks: NonNullable<AcceptInput['tasks']>[number][] = []
  let isOutdated = false
  for (const sibling of await store.projects.findByRepository(project.repositoryId)) {
    const list = await store.statuses.list(sibling.id, { ref, limit: 1 })
    const newest = list?.updates[0]
    if (newest && newest.update.commit.sha !== sha) isOutdated = true
    if (newest?.update.commit.sha !== sha || newest.details.forkPreview !== 'waiting') continue
    approvals.push({ projectId: sibling.id, sha, approvedBy: `github:${login}` })
    const plan = await planRerun(context, { stored: newest, project: sibling }, login, source)
    updates.push(...plan.updates)
    tasks.push(...plan.tasks)
  }
  if (approvals.length === 0) {
    return refuseApproval(
      isOutdated ? 'The pull request has a newer commit: approve that one' : 'No preview of this commit waits for approval',
    )
  }
  const audit = { actor: `github:${login}`, action: 'preview.approve', subject: project.id, detail: `${sha} of ${ref}` }
  const result = await store.accept({ updates, tasks, previewApprovals: approvals, audit: [audit] })
  context.log.info({ projectId: project.id, headSha: sha, login }, 'Preview approved')
  const accepted = result.kind === 'accepted' ? result.updates : []
  return { kind: 'approved', statusId: accepted.find(({ projectId }) => projectId === project.id)?.statusId }
}

function refuseApproval(reason: string): Approval {
  return { kind: 'refused', reason }
}

/**
 * Approves the preview of the check whose button a person pressed. A refusal is shown as a check of its own on the same commit.
 *
 * @throws {GitHubError}
 */
export async function runPreviewApproval(
  context: RunContext,
  { statusId, login, userId }: Tasks['approve-preview'],
  { isRetry }: TaskRun,
): Promise<void> {
  const stored = await context.store.statuses.find(statusId)
  const project = stored && (await context.store.projects.find(stored.update.projectId))
  if (!stored || !project?.enabled) return
  const approval = await approvePreview(context, { stored, project, person: { login, id: userId }, source: 'internal' })
  if (approval.kind === 'approved') return
  context.log.info({ statusId, login, reason: approval.reason }, 'Preview not approved')
  // A first attempt that did not live to complete its task has approved it.
  if (isRetry && (await context.store.sites.findApproval(project.id, stored.update.commit.sha))) return
  const client = clientOf(context, project)
  const { id } = await createCheckRun(client, toName(project), {
    name: `${toCheckName(project.root)}: preview`,
    headSha: stored.update.commit.sha,
    externalId: `approve-preview ${statusId}`,
    detailsUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(stored.update.createdAt)),
    mayExist: isRetry,
  })
  const outcome: CheckOutcome = {
    conclusion: 'neutral',
    title: `Not approved: ${approval.reason}`.slice(0, 250),
    summary: escapeMarkdown(approval.reason),
    annotations: [],
    actions: [],
    completedAt: context.now().toISOString(),
  }
  await concludeCheckRun(client, toName(project), id, outcome)
}

/** How often the pages are regenerated because the branch moved in the meantime. */
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
  if (branch === undefined) return refuseCommit('Not regenerated', 'The app commits to branches of pull requests only.')
  const client = clientOf(context, project)
  const repository = toName(project)
  if (!(await mayWrite(client, repository, { login }))) {
    return refuseCommit('Not regenerated', `${login} may not write to this repository.`)
  }
  if (installationId === undefined || !(await mayWriteOn(context, installationId, 'contents'))) {
    return refuseCommit(
      'Not regenerated',
      'The app was not granted `contents: write`; run `openapi-pages update` and push its result.',
    )
  }
  const timeMs = context.config.runTimeoutSeconds * 1000
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const head = await findCommit(client, repository, `refs/heads/${branch}`)
    if (!head) return refuseCommit('Not regenerated', `The branch ${branch} is gone.`)
    const end = await withArchive(context, { project, sha: head.sha, timeMs, signal }, (archive, folder) =>
      checkArchive(context, { archive, folder, project, withChanges: true, timeMs, signal }),
    )
    if (end.kind === 'stopped') return refuseCommit('Not regenerated', `Failed: ${end.reason}.`)
    const { changes, diagnostics, documents } = end.checked
    if (changes.length === 0) {
      // A baseline hides known errors, which keep pages from being updated all the same.
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error') || documents.some(({ valid }) => !valid)
      if (hasErrors) return refuseCommit('Not regenerated', 'The documents have errors: correct them first.')
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
  return refuseCommit('Not regenerated', `The branch ${branch} moved ${attempts} times meanwhile: press the button again.`)
}

function refuseCommit(title: string, reason: string): Said {
  return { conclusion: 'neutral', title: `${title}: ${reason}`.slice(0, 250), summary: escapeMarkdown(reason) }
}
