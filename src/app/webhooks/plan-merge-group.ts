import type { WantedUpdate } from '../run/tasks.ts'
import type { Payload } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'
import { noFiles, planUpdates } from './plan-updates.ts'
import { settleProjects, toConfirmTask } from './settle-projects.ts'

/** A merge queue waits for the required checks of the commit it has made. */
export async function planMergeGroup(context: PlanContext, payload: Payload<'merge_group.checks_requested'>): Promise<Plan> {
  const { merge_group: group, repository, installation } = payload
  if (!repository) return {}
  const about = { repository, installation }
  const { projects, changes, confirm } = await settleProjects(context, about)
  const wanted: WantedUpdate = {
    commit: { sha: group.head_sha, ref: group.head_ref, message: group.head_commit.message, filesChanged: noFiles },
    author: payload.sender?.login ?? group.head_commit.author?.name ?? '',
    details: { trigger: 'merge_group', before: group.base_sha, filesTruncated: true },
    once: 'head',
  }
  if (projects.length === 0) return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), about, [wanted])] }
  const { updates, tasks } = planUpdates(context, projects, wanted)
  return { projectChanges: changes, updates, tasks: [...confirm, ...tasks] }
}
