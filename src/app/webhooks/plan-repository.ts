import { toTask } from '../run/tasks.ts'
import type { Payload } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'
import { settleProjects } from './settle-projects.ts'

type ChangedPayload = Payload<
  'repository.renamed' | 'repository.transferred' | 'repository.privatized' | 'repository.publicized' | 'repository.edited'
>

/** The payload has the repository as it is now, whatever changed. One that we know nothing of stays unknown. */
export async function planRepositoryChange(context: PlanContext, payload: ChangedPayload): Promise<Plan> {
  const known = await context.store.projects.findByRepository(payload.repository.id)
  if (known.length === 0) return {}
  const { changes } = await settleProjects(context, payload)
  return { projectChanges: changes }
}

/** All that belongs to the repository goes with it. */
export async function planRepositoryDeletion(_context: PlanContext, payload: Payload<'repository.deleted'>): Promise<Plan> {
  return { projectChanges: [{ kind: 'delete-repository', repositoryId: payload.repository.id }] }
}

/** Repositories that the app can see from now on are looked at in the background. */
export async function planArrival(
  { store }: PlanContext,
  { installation, ...payload }: Payload<'installation.created' | 'installation_repositories.added'>,
): Promise<Plan> {
  const repositories = 'repositories_added' in payload ? payload.repositories_added : (payload.repositories ?? [])
  const repositoryIds = repositories.map(({ id }) => id)
  if (repositoryIds.length === 0) return {}
  const task = { installationId: installation.id, repositoryIds }
  return { tasks: [toTask(store.newId(), 'discover', installation.id, task)] }
}

/** What an account took back is deleted with its records: the app was told not to see it any more. */
export async function planDeparture(
  _context: PlanContext,
  payload: Payload<'installation.deleted' | 'installation_repositories.removed'>,
): Promise<Plan> {
  if ('repositories_removed' in payload) {
    const gone = payload.repositories_removed.flatMap(({ id }) => (id === undefined ? [] : [id]))
    return { projectChanges: gone.map((repositoryId) => ({ kind: 'delete-repository', repositoryId })) }
  }
  return { projectChanges: [{ kind: 'delete-installation', installationId: payload.installation.id }] }
}
