import { type CheckOutcome, concludeCheckRun, createCheckRun } from '../../github/check-run.ts'
import { mayWrite } from '../../github/repository.ts'
import { escapeMarkdown } from '../../report/markdown.ts'
import type { Project, UpdateSource } from '../../status/types.ts'
import { isForkRef, type NewPreviewApproval } from '../../store/site-types.ts'
import type { AcceptInput, StoredUpdate } from '../../store/types.ts'
import type { AppContext } from '../app-context.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { planRerun } from '../webhooks/plan-check.ts'
import { clientOf, type RunContext, toCheckName, toName } from './run-context.ts'
import type { TaskRun, Tasks } from './tasks.ts'

/** What came of an approval. */
export type Approval =
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
  if (!isForkRef(ref)) return refuse('Only commits of forks need approval')
  if (!(await mayWrite(clientOf(context, project), toName(project), person))) {
    return refuse(`${login} may not write to this repository`)
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
    return refuse(
      isOutdated ? 'The pull request has a newer commit: approve that one' : 'No preview of this commit waits for approval',
    )
  }
  const audit = { actor: `github:${login}`, action: 'preview.approve', subject: project.id, detail: `${sha} of ${ref}` }
  const result = await store.accept({ updates, tasks, previewApprovals: approvals, audit: [audit] })
  context.log.info({ projectId: project.id, headSha: sha, login }, 'Preview approved')
  const accepted = result.kind === 'accepted' ? result.updates : []
  return { kind: 'approved', statusId: accepted.find(({ projectId }) => projectId === project.id)?.statusId }
}

function refuse(reason: string): Approval {
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
