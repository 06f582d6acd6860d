import type { Context, Probot } from 'probot'
import { type Static, Type } from 'typebox'
import { type Project, queueUpdate } from '../../../status/update-record.ts'
import type { AcceptInput, NewUpdate } from '../../../store/queue/jobs.ts'
import type { ProjectChange } from '../../../store/records/stored-records.ts'
import type { AppContext } from '../../base/app-context.ts'
import { toTask, type WantedUpdate } from '../../base/tasks.ts'

/** The changes for a webhook, written in one transaction with its delivery ID. */
export type Plan = Omit<AcceptInput, 'delivery' | 'idempotency'>

/** No changes: only the delivery ID is stored. */
export const noWork: Plan = {}

/** The input for planning. It sends no requests to GitHub, because the response to the webhook waits for it. */
export type PlanContext = Pick<AppContext, 'store' | 'now'>

/** An event with its action, in Probot's notation. */
export type EventName = Parameters<Probot['on']>[0] extends infer Names
  ? Extract<Names extends readonly (infer Name)[] ? Name : Names, string>
  : never

/** The payload of an event, in the types of `@octokit/webhooks`. The signature proves its origin but not its age. */
export type Payload<Name extends EventName> = Context<Name>['payload']

export const Id = Type.Integer({ minimum: 1 })
export const WithLogin = Type.Object({ login: Type.String() })

/** The fields of a repository that handlers read. */
export const Repository = Type.Object({
  id: Id,
  name: Type.String(),
  owner: Type.Union([WithLogin, Type.Null()]),
  private: Type.Boolean(),
})

/** Plans a record for each enabled project. */
export function planUpdates(
  { store, now }: PlanContext,
  projects: readonly Project[],
  update: WantedUpdate,
): readonly NewUpdate[] {
  const {
    commit,
    author,
    authorInfo,
    details,
    once,
    source = 'github-app-installation',
    logs = [],
    validationOnly = false,
    overcome,
  } = update
  const enabled = projects.filter((project) => project.enabled)
  return enabled.map(({ id: projectId, subdomain }): NewUpdate => {
    const queued = { id: store.newId(), projectId, subdomain, createdAt: now().toISOString() }
    const planned = queueUpdate({ ...queued, author, ...(authorInfo && { authorInfo }), commit, source, logs })
    return { update: planned, details, once, validationOnly, overcome }
  })
}

/** The changed files are not known until the run. */
export const noFiles = { added: [], modified: [], removed: [] } as const

/** The repository of a payload, and its installation. */
export interface RepositoryPayload {
  readonly repository: Static<typeof Repository> & { readonly default_branch: string }
  readonly installation?: { readonly id: number } | undefined
}

/** The projects of a payload's repository, and the changes that the payload implies. */
interface ComparedProjects {
  readonly projects: readonly Project[]
  /** A payload may be days old, so it can only make a repository private. GitHub must confirm all other changes. */
  readonly changes: readonly ProjectChange[]
  /** Tasks that confirm differences between the payload and the store with GitHub. */
  readonly confirm: Required<Pick<Plan, 'tasks'>>['tasks']
}

/** Compares a payload with the stored projects of its repository. */
export async function compareProjects({ store }: PlanContext, payload: RepositoryPayload): Promise<ComparedProjects> {
  const { repository, installation } = payload
  const { projects, deleted } = await store.projects.findRepository(repository.id)
  const isKnown = projects.length + deleted.length > 0
  const isPrivate = deleted.length === 0 && projects.every((project) => project.private)
  const changes: ProjectChange[] =
    repository.private && isKnown && !isPrivate ? [{ kind: 'tighten', repositoryId: repository.id }] : []
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

/** Joins what the projects of a payload's repository need. */
export function joinPlans({ projects, changes, confirm }: ComparedProjects, updates: readonly NewUpdate[]): Plan {
  return { projectChanges: changes, updates, tasks: projects.length > 0 ? confirm : [] }
}

/** Plans an update for the projects of a payload's repository. Without any, GitHub must confirm the repository first. */
export function planWanted(
  context: PlanContext,
  source: RepositoryPayload,
  { projects, changes, confirm }: ComparedProjects,
  wanted: WantedUpdate,
): Plan {
  if (projects.length === 0) return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), source, [wanted])] }
  return joinPlans({ projects, changes, confirm }, planUpdates(context, projects, wanted))
}

/** Hides the sites of a repository that a payload says is private. GitHub confirms it afterwards, because the payload may be old. */
export async function planHiding(context: PlanContext, payload: RepositoryPayload): Promise<Plan> {
  const { changes, confirm } = await compareProjects(context, payload)
  return changes.length === 0 ? noWork : { projectChanges: changes, tasks: confirm }
}

/** Makes the listed private repositories private at once. */
export function tightenPrivate(repositories: readonly { readonly id?: number; readonly private?: boolean }[]): ProjectChange[] {
  return repositories.flatMap(({ id, private: isPrivate }) =>
    id !== undefined && isPrivate ? [{ kind: 'tighten' as const, repositoryId: id }] : [],
  )
}

/** The task that confirms the repository of a payload with GitHub. */
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
