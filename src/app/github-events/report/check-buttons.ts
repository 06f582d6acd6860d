import { acceptedFileName } from '../../../changes/change.ts'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { mayWrite } from '../../../github/apps/users.ts'
import { escapeMarkdown } from '../../../github/report/markdown.ts'
import { commitOnBranch } from '../../../github/repositories/branches.ts'
import { findCommit } from '../../../github/repositories/commits.ts'
import { listOpenPullRequests } from '../../../github/repositories/pull-requests.ts'
import type { Project, UpdateSource } from '../../../status/update-record.ts'
import type { NewUpdate } from '../../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { isForkRef, type NewPreviewApproval } from '../../../store/sites/stored-sites.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, toJobFailure, toName } from '../../base/projects.ts'
import type { TaskRun, Tasks } from '../../base/tasks.ts'
import { checkArchive, type RunCheck, withArchive } from '../../check/check-archive.ts'
import { planAcceptanceOf } from '../../check/compare-archives.ts'
import { refreshProject } from '../reconcile/settle-repository.ts'
import { planRerun } from '../webhooks/plan-check.ts'
import { type ButtonResult, mayCommit } from './commit-feedback.ts'
import { toCommitBranch } from './report-run.ts'

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
  const updates: NewUpdate[] = []
  let isOutdated = false
  for (const sibling of await store.projects.findByRepository(project.repositoryId)) {
    const newest = await store.statuses.findNewest(sibling.id, { ref })
    if (newest && newest.update.commit.sha !== sha) isOutdated = true
    if (newest?.update.commit.sha !== sha || newest.details.forkPreview !== 'waiting') continue
    approvals.push({ projectId: sibling.id, sha, approvedBy: `github:${login}` })
    updates.push(...(await planRerun(context, { stored: newest, project: sibling }, `requested by ${login}`, source)))
  }
  if (approvals.length === 0) {
    return refuseApproval(
      isOutdated
        ? 'The pull request has a newer commit. Approve that one instead'
        : 'No preview of this commit is waiting for approval',
    )
  }
  const audit = { actor: `github:${login}`, action: 'preview.approve', subject: project.id, detail: `${sha} of ${ref}` }
  const result = await store.accept({ updates, previewApprovals: approvals, audit: [audit] })
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
  context: AppContext,
  { statusId, login, userId }: Tasks['approve-preview'],
  { taskId, isRetry }: TaskRun,
): Promise<void> {
  const stored = await context.store.statuses.find(statusId)
  const project = stored && (await context.store.projects.find(stored.update.projectId))
  if (!stored || !project?.enabled) return
  const approval = await approvePreview(context, { stored, project, person: { login, id: userId }, source: 'internal' })
  if (approval.kind === 'approved') return
  context.log.info({ statusId, login, reason: approval.reason }, 'Preview not approved')
  // The first attempt approved the preview but failed to complete its task.
  if (isRetry && (await context.store.sites.findApproval(project.id, stored.update.commit.sha))) return
  const refusal = refuse('Not approved', approval.reason)
  await showLater(context, { statusId, taskId, name: 'preview', identifier: 'approve-preview', ...refusal })
}

/** Maximum attempts if new commits arrive on the branch meanwhile. */
const maxAttempts = 5

/** The buttons of a check that commit to the branch, if the user has write access. A separate check on the same commit shows the result. */
const commitButtons = {
  regenerate: {
    /** Part of the name of the check that shows the result. */
    name: 'regenerate',
    refusal: 'Not regenerated',
    /** Action in the audit log. */
    audit: 'update.regenerate',
    /** How to get the same commit without the permission to write. */
    hint: 'Run `openapi-pages update` and push the result.',
    run: regenerate,
  },
  'accept-changes': {
    name: 'accept',
    refusal: 'Not accepted',
    audit: 'changes.accept',
    hint: 'Run `openapi-pages accept` and push the result.',
    run: acceptBreakingChanges,
  },
} as const

type CommitButton = (typeof commitButtons)[keyof typeof commitButtons]

/**
 * Commits the changes of `update` to the branch. The commit is based on the tip of the branch and never force-pushed.
 *
 * @throws {GitHubError}
 */
async function regenerate(
  context: AppContext,
  runCheck: RunCheck,
  { stored, project, branch, login, signal }: PressedButton,
): Promise<PressResult | Refusal> {
  const client = clientOf(context, project)
  const repository = toName(project)
  const timeMs = context.config.runTimeoutSeconds * 1000
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await findCommit(client, repository, `refs/heads/${branch}`)
    if (!head) return `The branch ${branch} no longer exists.`
    const end = await withArchive(context, { project, sha: head.sha, timeMs, signal }, (archive, folder) =>
      checkArchive(runCheck, { archive, folder, project, withChanges: true, timeMs, signal }),
    )
    if (end.kind === 'stopped') return toSentence(end.reason)
    const { changes, diagnostics, documents } = end.answer
    if (changes.length === 0) {
      // A baseline hides known errors, but they still prevent page updates.
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error') || documents.some(({ valid }) => !valid)
      if (hasErrors) return 'The documents have errors. Correct them first.'
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
  return `New commits arrived on ${branch} during all ${maxAttempts} attempts. Press the button again.`
}

/**
 * Commits the file that accepts the breaking changes of a commit, if the commit is still the tip of its branch.
 *
 * The two versions are compared again, because the store keeps only the first changes. Nothing is accepted that the check does not count.
 *
 * @throws {GitHubError}
 */
async function acceptBreakingChanges(
  context: AppContext,
  runCheck: RunCheck,
  { stored, project, branch, login, isRetry, signal }: PressedButton,
): Promise<PressResult | Refusal> {
  const { _id: statusId, commit } = stored.update
  const { sha } = commit
  const shown = await context.store.apiChanges.find(statusId)
  const { apiBase: baseSha } = stored.details
  if (shown?.kind !== 'compared' || baseSha === undefined) return 'The changes of this commit are not stored. Re-run the check.'
  if (shown.counts.breaking === 0) return 'This commit has no breaking changes to accept.'
  const client = clientOf(context, project)
  const repository = toName(project)
  const count = formatCount(shown.counts.breaking, 'breaking change')
  const message = {
    headline: `docs: accept ${count}`,
    body: `Requested by ${login} in the check of ${sha.slice(0, 7)}.`,
  }
  const path = joinPath(project.root, acceptedFileName)
  const toResult = (commitSha: string, isVerified: boolean): PressResult => ({
    conclusion: 'success',
    title: `Accepted: ${count}`,
    summary: `${escapeMarkdown(path)} was changed in ${commitSha}${isVerified ? '' : ', which GitHub did not sign'}. The check of that commit shows the accepted changes.`,
  })
  const head = await findCommit(client, repository, `refs/heads/${branch}`)
  if (!head) return `The branch ${branch} no longer exists.`
  if (head.sha !== sha) {
    // An earlier attempt made this commit, but failed to report it.
    const isOwn = isRetry && head.parents[0] === sha && head.message === `${message.headline}\n\n${message.body}`
    return isOwn ? toResult(head.sha, true) : newerCommit(branch)
  }
  const pulls = await listOpenPullRequests(client, repository, branch)
  const pull = pulls
    .filter(({ headSha, isSameRepository }) => isSameRepository && headSha === sha)
    .sort((a, b) => a.number - b.number)[0]
  const by = {
    // Changelogs can be public, so the person is only in `author`.
    reason: pull ? `Pull request #${pull.number}` : `Branch ${branch.slice(0, 500)}`,
    author: login,
    date: context.now().toISOString().slice(0, 10),
  }
  const timeMs = context.config.runTimeoutSeconds * 1000
  const end = await withArchive(context, { project, sha, timeMs, signal }, async (archive, folder) =>
    // A commit would replace the link by a file.
    Object.hasOwn(archive.links, path)
      ? { kind: 'stopped' as const, reason: `the file ${path} is a symbolic link` }
      : await planAcceptanceOf(context, runCheck, { archive, folder, project, stored, baseSha, by, timeMs, signal }),
  )
  if (end.kind === 'stopped') return toSentence(end.reason)
  if (end.answer.kind === 'unreadable') return toSentence(end.answer.reason)
  const { answer } = end
  if (answer.breakingCount !== shown.counts.breaking) {
    const found = formatCount(answer.breakingCount, 'breaking change')
    return `The comparison now finds ${found}, but this check shows ${count}. Re-run the check.`
  }
  if (answer.kind === 'refused') {
    return `Cannot change ${path}: ${answer.reason}.${answer.hint === undefined ? '' : ` ${answer.hint}.`}`
  }
  const { change } = answer
  // The answer comes from the process that reads untrusted documents.
  if (change.path !== path || change.kind === 'delete')
    throw new Error(`Unexpected change of \`${change.path}\`, expected \`${path}\``)
  const result = await commitOnBranch(client, repository, { branch, expectedHeadSha: sha, ...message, changes: [change] })
  return result.kind === 'stale' ? newerCommit(branch) : toResult(result.sha, result.isVerified)
}

function newerCommit(branch: string): string {
  return `The branch ${branch} has a newer commit. Use the button in the check of that commit.`
}

function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}

/** The project of a pressed button, with its current name on GitHub. */
interface PressedButton {
  readonly stored: StoredUpdate
  readonly project: Project
  /** The branch of the commit, which the button writes to. */
  readonly branch: string
  /** The person who pressed the button. Has write access. */
  readonly login: string
  readonly isRetry: boolean
  readonly signal: AbortSignal
}

/** Runs a button that commits to the branch of a check, and shows the result in a separate check. @throws {GitHubError} */
export async function runCommitButton(
  context: AppContext,
  runCheck: RunCheck,
  identifier: keyof typeof commitButtons,
  { statusId, login, userId }: Tasks['regenerate' | 'accept-changes'],
  { taskId, isRetry, signal }: TaskRun,
): Promise<void> {
  const stored = await context.store.statuses.find(statusId)
  const known = stored && (await context.store.projects.find(stored.update.projectId))
  if (!stored || !known?.enabled) return
  // Another repository may have taken over the name.
  const project = await refreshProject(context, known)
  const button = commitButtons[identifier]
  const outcome = await press(context, runCheck, button, { stored, project, login, userId, isRetry, signal })
  const result = typeof outcome === 'string' ? refuse(button.refusal, outcome) : outcome
  context.log.info({ statusId, login, button: button.name, outcome: result.title }, 'Handled a button of a check')
  const detail = `${login}: ${result.title}`
  await context.store.audit.add({ actor: `github:${login}`, action: button.audit, subject: statusId, detail })
  await showLater(context, { statusId, taskId, identifier, name: button.name, ...result })
}

/** Runs the button if GitHub confirms that the user and the app may write to the branch. @throws {GitHubError} for temporary errors. */
async function press(
  context: AppContext,
  runCheck: RunCheck,
  { hint, run }: CommitButton,
  { userId, ...pressed }: Omit<PressedButton, 'branch'> & { readonly userId: number },
): Promise<PressResult | Refusal> {
  const { stored, project, login } = pressed
  const { installationId } = project
  const branch = toCommitBranch(stored.update.commit.ref, project)
  if (branch === undefined) return 'The app does not commit to the default branch, forks or merge queues.'
  try {
    if (!(await mayWrite(clientOf(context, project), toName(project), { login, id: userId }))) {
      return `${login} has no write access to this repository.`
    }
    if (installationId === undefined || !(await mayCommit(context, installationId))) {
      return `The app does not have \`contents: write\`. ${hint}`
    }
    return await run(context, runCheck, { ...pressed, branch })
  } catch (error) {
    const { mayPass, reason } = toJobFailure(error)
    if (mayPass) throw error
    return `${reason}.`
  }
}

/** Wants the result of a button in a separate check on the same commit. */
async function showLater({ store }: AppContext, result: ButtonResult): Promise<void> {
  await store.accept({ wanted: [{ statusId: result.statusId, subject: 'button', payload: JSON.stringify(result) }] })
}

type PressResult = Pick<ButtonResult, 'conclusion' | 'title' | 'summary'>

/** Why a button did nothing: a sentence. */
type Refusal = string

/** @param reason A sentence. */
function refuse(title: string, reason: string): PressResult {
  // A title continues in lower case, unless the sentence starts with a login.
  const clause = reason.replace(/^(?:The|This|No|New|Only|Cannot) /, (word) => word.toLowerCase())
  return { conclusion: 'neutral', title: `${title}: ${clause}`.slice(0, 250), summary: escapeMarkdown(reason) }
}
