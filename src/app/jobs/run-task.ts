import type { LeasedJob } from '../../store/queue/jobs.ts'
import { GitHubError } from '../../text/errors.ts'
import { type AppContext, runExclusively } from '../base/app-context.ts'
import type { TaskName, TaskRun, Tasks, WantedUpdate } from '../base/tasks.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import type { RunCheck } from '../check/check-archive.ts'
import { confirmRepository, reconcile } from '../github-events/reconcile/reconcile.ts'
import {
  type ConfirmedRepository,
  hasDocumentation,
  isIgnored,
  isRepositoryError,
  type ReconcileContext,
  toFacts,
  toReconcileContext,
} from '../github-events/reconcile/settle-repository.ts'
import { runCommitButton, runPreviewApproval } from '../github-events/report/check-buttons.ts'
import { planUpdates } from '../github-events/webhooks/plan.ts'

type TaskJob = Extract<LeasedJob, { kind: 'task' }>

type Runners = { readonly [Name in TaskName]: (payload: Tasks[Name], task: TaskRun) => Promise<void> }

function createRunners(context: AppContext, runCheck: RunCheck, metrics: Metrics): Runners {
  return {
    reconcile: ({ installationId, repositoryIds }, { signal }) => {
      const only = repositoryIds && { repositoryIds: new Set(repositoryIds) }
      const isFull = repositoryIds !== undefined
      return reconcileOrRetry(toReconcileContext(context, metrics), { installationId, ...only, isFull, signal })
    },
    confirm: (payload) => confirm(toReconcileContext(context, metrics), payload),
    regenerate: (payload, task) => runCommitButton(context, runCheck, 'regenerate', payload, task),
    'accept-changes': (payload, task) => runCommitButton(context, runCheck, 'accept-changes', payload, task),
    'approve-preview': (payload, task) => runPreviewApproval(context, payload, task),
  }
}

/** Confirms the repository of a webhook with GitHub, then queues the updates of the webhook if the app is installed there. */
async function confirm(context: ReconcileContext, payload: Tasks['confirm']): Promise<void> {
  const { store, log } = context
  const { repositoryId, owner, repo, installationId, updates = [], compareBranches } = payload
  const state = await confirmRepository(context, {
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
  const isKnown = (await store.projects.findByRepository(repositoryId)).length > 0
  if (!isKnown && (isIgnored(context, info) || !(await haveDocumentation(context, state, updates)))) {
    log.debug({ repositoryId }, 'Ignored a webhook: the repository has no documentation and no OpenAPI document')
    return
  }
  await runExclusively(store, `repository ${repositoryId}`, async () => {
    if ((await store.projects.findByRepository(repositoryId)).length > 0) return
    // The first push creates one project for the whole repository, until the run finds its docs directories.
    const project = { repositoryId, ...toFacts(state), root: '', hasDocsConfig: false }
    await store.projects.apply([{ kind: 'upsert', project }])
  })
  const projects = await store.projects.findByRepository(repositoryId)
  for (const { pullNumber, pullUpdatedAt: updatedAt, ...wanted } of updates) {
    const sha = wanted.commit.sha
    const pullHeads =
      pullNumber === undefined ? [] : projects.map(({ id: projectId }) => ({ projectId, pullNumber, sha, updatedAt }))
    await store.accept({ updates: planUpdates(context, projects, wanted), pullHeads })
  }
}

/** Whether one of the commits has documentation. A run decides about a commit that GitHub cannot read yet. @throws {GitHubError} */
async function haveDocumentation(
  { app }: ReconcileContext,
  { installationId, info: { owner, repo } }: ConfirmedRepository,
  updates: readonly Pick<WantedUpdate, 'commit'>[],
): Promise<boolean> {
  const client = app.installation(installationId)
  for (const { commit } of updates) {
    const isThere = await hasDocumentation(client, { owner, repo }, commit.sha).catch((error: unknown) => {
      if (isRepositoryError(error)) return true
      throw error
    })
    if (isThere) return true
  }
  return false
}

/** @throws {GitHubError} if something could not be compared, so that the task is retried: `unavailable` if GitHub did not respond. */
async function reconcileOrRetry(context: ReconcileContext, options: Parameters<typeof reconcile>[1]): Promise<void> {
  const { failures, isComplete } = await reconcile(context, options)
  if (failures.length === 0) return
  throw new GitHubError(failures.join('; '), { failure: isComplete ? 'refused' : 'unavailable', operation: 'reconcile' })
}

/** Runs a task. Unknown tasks, queued by another version, are skipped. @throws {GitHubError} */
export async function runTask(
  context: AppContext,
  runCheck: RunCheck,
  metrics: Metrics,
  job: TaskJob,
  signal: AbortSignal,
): Promise<void> {
  const { name, payload, lease } = job
  const runners: Readonly<Record<string, (payload: never, task: TaskRun) => Promise<void>>> = createRunners(
    context,
    runCheck,
    metrics,
  )
  const run = Object.hasOwn(runners, name) ? runners[name] : undefined
  if (!run) context.log.error({ task: name }, 'Unknown task')
  // `toTask` serialized the payload of this name.
  else await run(JSON.parse(payload) as never, { taskId: lease.jobId, isRetry: lease.attempt > 1, signal })
}
