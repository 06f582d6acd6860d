import { toTask } from '../run/tasks.ts'
import type { Payload } from './payload.ts'
import { noWork, type Plan, type PlanContext } from './plan.ts'
import { settleProjects, toConfirmTask } from './settle-projects.ts'

type ChangedPayload = Payload<
  | 'repository.deleted'
  | 'repository.renamed'
  | 'repository.transferred'
  | 'repository.privatized'
  | 'repository.publicized'
  | 'repository.edited'
>

/** Something changed about a repository: it is asked about, whatever the payload says. An unknown one stays unknown. */
export async function planRepositoryChange({ store, now }: PlanContext, payload: ChangedPayload): Promise<Plan> {
  const { projects, deleted } = await store.projects.findRepository(payload.repository.id)
  if (projects.length + deleted.length === 0) return noWork
  const { changes } = await settleProjects({ store, now }, payload)
  return { projectChanges: changes, tasks: [toConfirmTask(store.newId(), payload)] }
}

/** Repositories that the app can see from now on are looked at in the background. */
export async function planArrival(
  { store }: PlanContext,
  { installation, ...payload }: Payload<'installation.created' | 'installation_repositories.added'>,
): Promise<Plan> {
  const repositories = 'repositories_added' in payload ? payload.repositories_added : (payload.repositories ?? [])
  const repositoryIds = repositories.map(({ id }) => id)
  if (repositoryIds.length === 0) return noWork
  const task = { installationId: installation.id, repositoryIds }
  return { tasks: [toTask(store.newId(), 'discover', installation.id, task)] }
}

/** Repositories that left an installation. They may have joined it again since, so GitHub is asked about each. */
export async function planDeparture(
  { store }: PlanContext,
  { installation, repositories_removed: removed }: Payload<'installation_repositories.removed'>,
): Promise<Plan> {
  const tasks = []
  for (const { id: repositoryId, full_name: fullName = '' } of removed) {
    if (repositoryId === undefined || (await store.projects.findByRepository(repositoryId)).length === 0) continue
    const [owner = '', repo = ''] = fullName.split('/')
    const payload = { repositoryId, owner, repo, installationId: installation.id }
    tasks.push(toTask(store.newId(), 'confirm', installation.id, payload))
  }
  return { tasks }
}

/** An installation that ended, was suspended, or came back: all of it is compared with GitHub. */
export async function planInstallationChange(
  { store }: PlanContext,
  { installation }: Payload<'installation.deleted' | 'installation.suspend' | 'installation.unsuspend'>,
): Promise<Plan> {
  return { tasks: [toTask(store.newId(), 'reconcile', installation.id, { installationId: installation.id })] }
}
