import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { mayWrite } from '../../../github/apps/users.ts'
import { commitOnBranch } from '../../../github/repositories/branches.ts'
import { findCommit } from '../../../github/repositories/commits.ts'
import type { Project, UpdateSource } from '../../../status/types.ts'
import type { AcceptInput } from '../../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { isForkRef, type NewPreviewApproval } from '../../../store/sites/stored-sites.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, toName } from '../../base/projects.ts'
import type { TaskRun, Tasks } from '../../base/tasks.ts'
import { checkArchive, withArchive } from '../../check/check-archive.ts'
import type { RunContext } from '../../isolate/run-context.ts'
import { acceptIdentifier, approveIdentifier, planRerun, regenerateIdentifier } from '../webhooks/plan-check.ts'
import { acceptBreakingChanges } from './accept-breaking-changes.ts'
import { type ButtonResult, type PressedButton, refuse, runCommitButton, showResult } from './commit-button.ts'

/** The result of an approval. */
type Approval =
  /** `statusId` is the record that builds the site. */
  { readonly kind: 'approved'; readonly statusId: string | undefined } | { readonly kind: 'refused'; readonly reason: string }

interface ApprovalRequest {
  readonly stored: StoredUpdate
  readonly project: Project
  /** The approver; `id` is GitHub's user ID. */
  readonly person: { readonly login: string; readonly id: number }
  readonly source: UpdateSource
}

/**
 * Approves the preview of a commit from a fork, for every project of the repository, if GitHub confirms that the user has write access.
 *
 * One transaction stores the approval, the new records and the audit entry. Approving the same commit again is refused.
 *
 * @throws {GitHubError} if GitHub is unreachable.
 */
export async function approvePreview(context: AppContext, request: ApprovalRequest): Promise<Approval> {
  const { stored, project, person, source } = request
  const { store } = context
  const { login } = person
  const { sha, ref } = stored.update.commit
  if (!isForkRef(ref)) return refuseApproval('Only commits from forks need approval')
  if (!(await mayWrite(clientOf(context, project), toName(project), person))) {
    return refuseApproval(`${login} has no write access to this repository`)
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
    const plan = await planRerun(context, { stored: newest, project: sibling }, `requested by ${login}`, source)
    updates.push(...plan.updates)
    tasks.push(...plan.tasks)
  }
  if (approvals.length === 0) {
    return refuseApproval(
      isOutdated
        ? 'The pull request has a newer commit. Approve that one instead'
        : 'No preview of this commit is waiting for approval',
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
 * Handles the button "Approve preview" of a check. A separate check on the same commit shows a refusal.
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
  // The first attempt approved the preview but failed to complete its task.
  if (isRetry && (await context.store.sites.findApproval(project.id, stored.update.commit.sha))) return
  await showResult(context, { stored, project, ...previewButton, isRetry }, refuse('Not approved', approval.reason))
}

const previewButton = { name: 'preview', identifier: approveIdentifier } as const

/** Maximum attempts if new commits arrive on the branch meanwhile. */
const maxAttempts = 5

/**
 * Handles the button "Regenerate" of a check: commits the changes of `update` to the branch if the user has write access.
 *
 * The commit is based on the tip of the branch and never force-pushed. A separate check on the same commit shows the result.
 *
 * @throws {GitHubError}
 */
export async function regeneratePages(context: RunContext, payload: Tasks['regenerate'], task: TaskRun): Promise<void> {
  const button = {
    name: 'regenerate',
    identifier: regenerateIdentifier,
    refusal: 'Not regenerated',
    audit: 'update.regenerate',
    hint: 'Run `openapi-pages update` and push the result.',
    run: regenerate,
  }
  await runCommitButton(context, button, payload, task)
}

/**
 * Handles the button "Accept changes" of a check: commits the file that accepts the breaking changes of the commit, if the user has write
 * access and the commit is still the tip of its branch.
 *
 * The commits are compared again, because the store keeps only the first changes. A separate check on the same commit shows the result.
 *
 * @throws {GitHubError}
 */
export async function acceptChanges(context: RunContext, payload: Tasks['accept-changes'], task: TaskRun): Promise<void> {
  const button = {
    name: 'accept',
    identifier: acceptIdentifier,
    refusal: 'Not accepted',
    audit: 'changes.accept',
    hint: 'Run `openapi-pages accept` and push the result.',
    run: acceptBreakingChanges,
  }
  await runCommitButton(context, button, payload, task)
}

async function regenerate(context: RunContext, { stored, project, branch, login, signal }: PressedButton): Promise<ButtonResult> {
  const client = clientOf(context, project)
  const repository = toName(project)
  const timeMs = context.config.runTimeoutSeconds * 1000
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await findCommit(client, repository, `refs/heads/${branch}`)
    if (!head) return refuse('Not regenerated', `The branch ${branch} no longer exists.`)
    const end = await withArchive(context, { project, sha: head.sha, timeMs, signal }, (archive, folder) =>
      checkArchive(context, { archive, folder, project, withChanges: true, timeMs, signal }),
    )
    if (end.kind === 'stopped') return refuse('Not regenerated', `${end.reason.charAt(0).toUpperCase()}${end.reason.slice(1)}.`)
    const { changes, diagnostics, documents } = end.checked
    if (changes.length === 0) {
      // A baseline hides known errors, but they still prevent page updates.
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error') || documents.some(({ valid }) => !valid)
      if (hasErrors) return refuse('Not regenerated', 'The documents have errors. Correct them first.')
      return { conclusion: 'success', title: 'Nothing to regenerate', summary: 'All pages are up to date.' }
    }
    const result = await commitOnBranch(client, repository, {
      branch,
      expectedHeadSha: head.sha,
      headline: 'docs: regenerate API pages',
      body: `Requested by ${login} in the check of ${stored.update.commit.sha.slice(0, 7)}.`,
      changes,
    })
    if (result.kind === 'committed') {
      const summary = `${formatCount(changes.length, 'file')} changed in ${result.sha}${result.isVerified ? '' : ', which GitHub did not sign'}.`
      return { conclusion: 'success', title: `Regenerated: ${formatCount(changes.length, 'file')} changed`, summary }
    }
  }
  return refuse('Not regenerated', `New commits arrived on ${branch} during all ${maxAttempts} attempts. Press the button again.`)
}
