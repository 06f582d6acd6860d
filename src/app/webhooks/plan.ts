import type { Context, Probot } from 'probot'
import type { Project } from '../../status/types.ts'
import { queueUpdate } from '../../status/update-record.ts'
import type { AcceptInput, NewUpdate } from '../../store/accept-work.ts'
import type { ProjectChange } from '../../store/project-changes.ts'
import type { Store } from '../../store/types.ts'
import { toCheckTask, toTask, type WantedUpdate } from '../run/tasks.ts'

/** What a webhook is to change, all in one transaction with its delivery id. */
export type Plan = Omit<AcceptInput, 'delivery' | 'idempotency'>

/** Nothing to do: the delivery alone is remembered. */
export const noWork: Plan = {}

/** What planning reads. It asks GitHub nothing: the answer to a webhook waits for it. */
export interface PlanContext {
  readonly store: Store
  readonly now: () => Date
}

/** An event with its action, as Probot names it. */
export type EventName = Parameters<Probot['on']>[0] extends infer Names
  ? Extract<Names extends readonly (infer Name)[] ? Name : Names, string>
  : never

/** What GitHub sends for an event, in the types of `@octokit/webhooks`. The signature vouches for the sender, not for its age. */
export type Payload<Name extends EventName> = Context<Name>['payload']

/** A repository as every payload has it. */
interface PayloadRepository {
  readonly id: number
  readonly name: string
  readonly owner: { readonly login: string } | null
  readonly private: boolean
  readonly default_branch: string
}

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

interface RepositoryPayload {
  readonly repository: PayloadRepository
  readonly installation?: { readonly id: number } | undefined
}

/** The live projects of the repository of a payload, and what follows from the payload alone. */
interface SettledProjects {
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
