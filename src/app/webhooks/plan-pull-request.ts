import { toTask, type WantedUpdate } from '../run/tasks.ts'
import type { Payload } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'
import { noFiles, planUpdates } from './plan-updates.ts'
import { settleProjects, toConfirmTask } from './settle-projects.ts'

type PullRequestPayload = Payload<'pull_request.opened' | 'pull_request.reopened' | 'pull_request.synchronize'>

/**
 * The head of a pull request gets a record only where it has none: that of a branch of this repository got it from its push, that of
 * a fork has none. Where there is one, the pull request may still need its comment.
 */
export async function planPullRequest(context: PlanContext, payload: PullRequestPayload): Promise<Plan> {
  const { pull_request: pull, repository } = payload
  const { projects, changes, confirm } = await settleProjects(context, payload)
  const { sha } = pull.head
  const isOwn = pull.head.repo?.id === repository.id
  // The push of a branch of ours is told at the same moment, in either order: its own event makes the record.
  const isPushed = isOwn && payload.action === 'synchronize'
  const wanted: WantedUpdate = {
    commit: {
      sha,
      ref: isOwn ? `refs/heads/${pull.head.ref}` : `refs/pull/${pull.number}/head`,
      message: pull.title,
      filesChanged: noFiles,
    },
    author: pull.user?.login ?? '',
    // The files are those of the whole pull request, from where it left its base.
    details: { trigger: 'pull_request', before: pull.base.sha, pullNumber: pull.number, filesTruncated: true },
    once: 'head',
    pullNumber: pull.number,
  }
  if (projects.length === 0) {
    const updates = isPushed ? [] : [wanted]
    return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), payload, updates)] }
  }
  const plan = planUpdates(context, isPushed ? [] : projects, wanted)
  const comments = []
  for (const project of projects) {
    const known = await context.store.statuses.list(project.id, { sha, limit: 1 })
    const statusId = known?.updates[0]?.update._id
    if (statusId === undefined) continue
    comments.push(toTask(context.store.newId(), 'comment', project.installationId, { statusId, pullNumber: pull.number }))
  }
  const pullHeads = projects.map(({ id: projectId }) => ({ projectId, pullNumber: pull.number, sha }))
  return { projectChanges: changes, updates: plan.updates, tasks: [...confirm, ...plan.tasks, ...comments], pullHeads }
}
