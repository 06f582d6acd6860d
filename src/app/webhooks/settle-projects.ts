import type { Project } from '../../status/types.ts'
import type { ProjectChange } from '../../store/types.ts'
import { toTask, type WantedUpdate } from '../run/tasks.ts'
import type { PayloadRepository } from './payload.ts'
import type { Plan, PlanContext } from './plan.ts'

interface RepositoryPayload {
  readonly repository: PayloadRepository
  readonly installation?: { readonly id: number } | undefined
}

/** The live projects of the repository of a payload, and what follows from the payload alone. */
export interface SettledProjects {
  readonly projects: readonly Project[]
  /** A payload may be days old, so it can make a repository private and never public; the rest has to be confirmed. */
  readonly changes: readonly ProjectChange[]
  /** Asks GitHub where the payload says something else than the store. */
  readonly confirm: Required<Pick<Plan, 'tasks'>>['tasks']
}

/** Compares a payload with what is stored of its repository. */
export async function settleProjects({ store }: PlanContext, payload: RepositoryPayload): Promise<SettledProjects> {
  const { repository, installation } = payload
  const { projects, deleted } = await store.projects.findRepository(repository.id)
  const isKnown = projects.length + deleted.length > 0
  const changes: ProjectChange[] = repository.private && isKnown ? [{ kind: 'tighten', repositoryId: repository.id }] : []
  const isSame = projects.every(
    (project) =>
      project.installationId === installation?.id &&
      project.owner === repository.owner?.login &&
      project.repo === repository.name &&
      project.defaultBranch === repository.default_branch &&
      project.private === repository.private,
  )
  return { projects, changes, confirm: isSame ? [] : [toConfirmTask(store.newId(), payload)] }
}

/** The task that asks GitHub about the repository of a payload. */
export function toConfirmTask(id: string, payload: RepositoryPayload, updates: readonly WantedUpdate[] = []) {
  const { repository, installation } = payload
  return toTask(id, 'confirm', installation?.id, {
    repositoryId: repository.id,
    owner: repository.owner?.login ?? '',
    repo: repository.name,
    ...(installation === undefined ? {} : { installationId: installation.id }),
    ...(updates.length === 0 ? {} : { updates }),
  })
}
