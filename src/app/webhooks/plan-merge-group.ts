import type { Payload } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'
import { noFiles, planUpdates } from './plan-updates.ts'
import { settleProjects } from './settle-projects.ts'

/** A merge queue waits for the required checks of the commit it has made. */
export async function planMergeGroup(context: PlanContext, payload: Payload<'merge_group.checks_requested'>): Promise<Plan> {
  const { merge_group: group, repository, installation } = payload
  if (!repository) return {}
  const { projects, changes } = await settleProjects(context, { repository, installation })
  const { updates, tasks } = planUpdates(context, projects, {
    commit: { sha: group.head_sha, ref: group.head_ref, message: group.head_commit.message, filesChanged: noFiles },
    author: payload.sender?.login ?? group.head_commit.author?.name ?? '',
    details: { trigger: 'merge_group', before: group.base_sha, filesTruncated: true },
    once: 'head',
  })
  return { projectChanges: changes, updates, tasks }
}
