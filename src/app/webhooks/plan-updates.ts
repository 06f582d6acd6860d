import { queueUpdate } from '../../status/queue-update.ts'
import type { Project } from '../../status/types.ts'
import type { NewUpdate } from '../../store/types.ts'
import { toCheckTask, type WantedUpdate } from '../run/tasks.ts'
import type { Plan, PlanContext } from './plan.ts'

/** One record for each project, with the task that makes its check at once. */
export function planUpdates(
  { store, now }: PlanContext,
  projects: readonly Project[],
  update: WantedUpdate,
): Required<Pick<Plan, 'updates' | 'tasks'>> {
  const { commit, author, details, once, source = 'github-app-installation', logs = [], validationOnly = false } = update
  const enabled = projects.filter((project) => project.enabled)
  const updates = enabled.map(({ id: projectId, subdomain }): NewUpdate => {
    const queued = { id: store.newId(), projectId, subdomain, createdAt: now().toISOString() }
    return { update: queueUpdate({ ...queued, author, commit, source, logs }), details, once, validationOnly }
  })
  const tasks = updates.map(({ update: { _id } }, index) => toCheckTask(store.newId(), _id, enabled[index]?.installationId))
  return { updates, tasks }
}

/** No files are known yet; the run finds them out. */
export const noFiles = { added: [], modified: [], removed: [] } as const
