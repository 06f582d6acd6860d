import { foldFilesChanged } from '../../status/fold-files-changed.ts'
import type { WantedUpdate } from '../run/tasks.ts'
import type { Payload } from './payload.ts'
import { noWork, type Plan, type PlanContext } from './plan.ts'
import { planUpdates } from './plan-updates.ts'
import { settleProjects, toConfirmTask } from './settle-projects.ts'

/** GitHub, "Webhook events and payloads", `push`: at most 2,048 commits, at most 3,000 files in the lists of one. */
const commitLimit = 2_048
const fileLimit = 3_000

/** Merge queues make these branches; `merge_group` asks for their checks. */
const queueBranch = /^refs\/heads\/gh-readonly-queue\//

/** A push to a branch makes one record for each project. Tags, branches that went and branches of merge queues make none. */
export async function planPush(context: PlanContext, payload: Payload<'push'>): Promise<Plan> {
  const { ref, before, after, deleted, forced, created, commits } = payload
  if (deleted || !ref.startsWith('refs/heads/') || queueBranch.test(ref)) return noWork
  const about = { repository: toRepository(payload), installation: payload.installation }
  const { projects, changes, confirm } = await settleProjects(context, about)
  const lists = commits.map(({ added = [], modified = [], removed = [] }) => ({ added, modified, removed }))
  const isCut =
    commits.length >= commitLimit ||
    lists.some(({ added, modified, removed }) => added.length + modified.length + removed.length >= fileLimit)
  const head = payload.head_commit
  // A new branch has no `before` to compare with, so its lists are all there is to know.
  const isTruncated = isCut || (forced && !created)
  const wanted: WantedUpdate = {
    commit: { sha: after, ref, message: head?.message ?? '', filesChanged: foldFilesChanged(lists) },
    author: head?.author.username || head?.author.name || payload.pusher.name,
    details: { trigger: 'push', before, ...(isTruncated ? { filesTruncated: true } : {}) },
    once: 'push',
    logs: isCut ? ['The lists of the push were cut by a limit of GitHub'] : [],
  }
  if (projects.length === 0) return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), about, [wanted])] }
  const { updates, tasks } = planUpdates(context, projects, wanted)
  return { projectChanges: changes, updates, tasks: [...confirm, ...tasks] }
}

/** The types know a payload of old without the default branch. */
function toRepository({ repository }: Payload<'push'>) {
  return { ...repository, default_branch: repository.default_branch ?? repository.master_branch ?? 'main' }
}
