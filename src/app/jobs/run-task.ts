import type { Project } from '../../status/types.ts'
import type { LeasedJob } from '../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import { clientOf, requireGitHubApp } from '../base/projects.ts'
import type { TaskName, TaskRun, Tasks } from '../base/tasks.ts'
import { hasOtherBase } from '../check/comparison-base.ts'
import { confirmRepository, reconcile } from '../github-events/reconcile/reconcile.ts'
import type { ReconcileContext } from '../github-events/reconcile/settle-repository.ts'
import { acceptChanges, regeneratePages, runPreviewApproval } from '../github-events/report/check-buttons.ts'
import { commentOnPullRequests, ensureCheck, reportCommitStatus } from '../github-events/report/commit-feedback.ts'
import { readRunResults, toFeedback } from '../github-events/report/report-run.ts'
import { planUpdates } from '../github-events/webhooks/plan.ts'
import { planRerun } from '../github-events/webhooks/plan-check.ts'
import type { RunContext } from '../isolate/run-context.ts'

type TaskJob = Extract<LeasedJob, { kind: 'task' }>

const runners: { readonly [Name in TaskName]: (context: RunContext, payload: Tasks[Name], task: TaskRun) => Promise<void> } = {
  async 'create-check'(context, { statusId }, { isRetry }) {
    const stored = await context.store.statuses.find(statusId)
    const project = stored && (await context.store.projects.find(stored.update.projectId))
    if (!project) return
    // The report of an ended record may have created its check.
    const report = { statusId, project, mayExist: isRetry || stored.update.endedAt !== undefined }
    const refusal = await ensureCheck(context, report).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof GitHubError && error.failure === 'forbidden') return error
        throw error
      },
    )
    await reportCommitStatus(context, { ...report, isCheckRefused: refusal !== undefined })
    if (refusal) throw refusal
  },
  async comment(context, { statusId, pullNumber }) {
    const { statuses } = context.store
    // A running update comments when it ends. It may have found the base before.
    if ((await statuses.find(statusId))?.update.endedAt === undefined) {
      await statuses.addDetails(statusId, { changedPull: pullNumber })
    }
    const stored = await statuses.find(statusId)
    if (stored?.update.endedAt === undefined) return
    const { update, details } = stored
    const project = await context.store.projects.find(update.projectId)
    const results = await readRunResults(context, statusId)
    if (!project || !results) return
    if (await rerunForOtherBase(context, { stored, project }, pullNumber)) return
    const feedback = toFeedback(context, { update, details, project }, results)
    await commentOnPullRequests(context, { update, details, project, feedback, pullNumber })
  },
  async discover(context, { installationId, repositoryIds }, { signal }) {
    await reconcileOrRetry(context, { installationId, repositoryIds: new Set(repositoryIds), isFull: true, signal })
  },
  async reconcile(context, { installationId, isFull = false }, { signal }) {
    await reconcileOrRetry(context, { installationId, isFull, signal })
  },
  confirm,
  regenerate: regeneratePages,
  'accept-changes': acceptChanges,
  'approve-preview': runPreviewApproval,
}

/**
 * Runs an update again if its commit would be compared with another base now. The check must show the changes for the target branch too. The
 * new run comments when it ends.
 */
async function rerunForOtherBase(
  context: RunContext,
  { stored, project }: { readonly stored: StoredUpdate; readonly project: Project },
  pullNumber: number,
): Promise<boolean> {
  const { _id, commit } = stored.update
  // Two tasks for the same pull request may run at once.
  return await context.locks(`base of ${_id}`, async () => {
    const newest = await context.store.statuses.list(project.id, { sha: commit.sha, limit: 1 })
    if (newest?.updates[0]?.update._id !== _id) return true
    if (!(await hasOtherBase(clientOf(context, project), project, stored))) return false
    await context.store.accept(await planRerun(context, { stored, project }, `for the target of pull request #${pullNumber}`))
    return true
  })
}

/** Confirms the repository of a webhook with GitHub, then queues the updates of the webhook if the app is installed there. */
async function confirm(context: RunContext, payload: Tasks['confirm']): Promise<void> {
  const { store, log } = context
  const { repositoryId, owner, repo, installationId, updates = [], compareBranches } = payload
  const reconcileContext = toReconcileContext(context)
  const state = await confirmRepository(reconcileContext, {
    repositoryId,
    names: [{ owner, repo }],
    installationIds: installationId === undefined ? [] : [installationId],
    compareBranches,
  })
  if (updates.length === 0) return
  if (state.kind !== 'installed') {
    log.info({ repositoryId, state: state.kind }, 'Ignored a webhook: the app is not installed on its repository')
    return
  }
  const { info } = state
  await context.locks(`repository ${repositoryId}`, async () => {
    if ((await store.projects.findByRepository(repositoryId)).length > 0) return
    // The first push creates one project for the whole repository, until the run finds its docs directories.
    const { owner, repo, defaultBranch, private: isPrivate } = info
    const facts = { installationId: state.installationId, repositoryId, owner, repo, defaultBranch, private: isPrivate }
    await store.projects.apply([{ kind: 'upsert', project: { ...facts, root: '', hasDocsConfig: false } }])
  })
  const projects = await store.projects.findByRepository(repositoryId)
  for (const { pullNumber, pullUpdatedAt: updatedAt, ...wanted } of updates) {
    const sha = wanted.commit.sha
    const pullHeads =
      pullNumber === undefined ? [] : projects.map(({ id: projectId }) => ({ projectId, pullNumber, sha, updatedAt }))
    const plan = planUpdates(context, projects, { ...wanted, details: { ...wanted.details, mayHaveCheck: true } })
    await store.accept({ ...plan, pullHeads })
  }
}

/** @throws {GitHubError} `unavailable` if GitHub did not respond, so that the task is retried. */
async function reconcileOrRetry(context: RunContext, options: Parameters<typeof reconcile>[1]): Promise<void> {
  const { failures, isComplete } = await reconcile(toReconcileContext(context), options)
  if (!isComplete) throw new GitHubError(failures.join('; '), { failure: 'unavailable', operation: 'reconcile' })
}

function toReconcileContext(context: RunContext): ReconcileContext {
  const { store, log, now, locks, metrics } = context
  return { store, log, now, locks, app: requireGitHubApp(context), report: ({ kind }) => metrics.reconciled.inc({ kind }) }
}

/** Runs a task. Unknown tasks, queued by another version, are skipped. @throws {GitHubError} */
export async function runTask(context: RunContext, job: TaskJob, signal: AbortSignal): Promise<void> {
  const task = { isRetry: job.lease.attempt > 1, signal }
  if (!isTaskName(job.name)) context.log.error({ task: job.name }, 'Unknown task')
  else await runNamed(context, job.name, job.payload, task)
}

async function runNamed<Name extends TaskName>(context: RunContext, name: Name, payload: string, task: TaskRun): Promise<void> {
  // `toTask` serialized this type.
  await runners[name](context, JSON.parse(payload) as Tasks[Name], task)
}

function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(runners, name)
}
