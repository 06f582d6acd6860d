import { GitHubError } from '../../errors.ts'
import type { LeasedJob } from '../../store/types.ts'
import { runPreviewApproval } from './approve-preview.ts'
import { commentOnPullRequests } from './comment-on-pull-requests.ts'
import { discoverProjects } from './discover-projects.ts'
import { ensureCheck } from './ensure-check.ts'
import { readFindings } from './read-findings.ts'
import { regeneratePages } from './regenerate-pages.ts'
import { toFeedback } from './report-update.ts'
import type { RunContext } from './run-context.ts'
import type { TaskName, Tasks } from './tasks.ts'
import { tellCommitStatus } from './tell-commit-status.ts'

type TaskJob = Extract<LeasedJob, { kind: 'task' }>

const runners: { readonly [Name in TaskName]: (context: RunContext, payload: Tasks[Name], task: TaskRun) => Promise<void> } = {
  async 'create-check'(context, { statusId }, { isRetry }) {
    const stored = await context.store.statuses.find(statusId)
    const project = stored && (await context.store.projects.find(stored.update.projectId))
    if (!project) return
    const about = { statusId, project, mayExist: isRetry }
    const refusal = await ensureCheck(context, about).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof GitHubError && error.failure === 'forbidden') return error
        throw error
      },
    )
    await tellCommitStatus(context, { ...about, isCheckRefused: refusal !== undefined })
    if (refusal) throw refusal
  },
  async comment(context, { statusId, pullNumber }) {
    const stored = await context.store.statuses.find(statusId)
    // A record that has not ended tells its pull requests itself.
    if (stored?.update.endedAt === undefined) return
    const { update, details } = stored
    const project = await context.store.projects.find(update.projectId)
    const report = await context.store.statuses.findReport(statusId)
    if (!project || report === undefined) return
    const feedback = toFeedback(context, { update, details, project }, readFindings(report))
    await commentOnPullRequests(context, { update, details, project, feedback, pullNumber })
  },
  discover: discoverProjects,
  regenerate: regeneratePages,
  'approve-preview': runPreviewApproval,
}

/** What a task knows of its attempt. */
export interface TaskRun {
  readonly isRetry: boolean
  readonly signal: AbortSignal
}

/** Does a task. One of a name that is not known, left by another version, is done with. @throws {GitHubError} */
export async function runTask(context: RunContext, job: TaskJob, signal: AbortSignal): Promise<void> {
  const task = { isRetry: job.lease.attempt > 1, signal }
  if (!isTaskName(job.name)) context.log.error({ task: job.name }, 'Unknown task')
  else await runNamed(context, job.name, job.payload, task)
}

async function runNamed<Name extends TaskName>(context: RunContext, name: Name, payload: string, task: TaskRun): Promise<void> {
  // `toTask` made the text from this type.
  await runners[name](context, JSON.parse(payload) as Tasks[Name], task)
}

function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(runners, name)
}
