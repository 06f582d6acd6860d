import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { toUpdateAuthor } from '../../../github/repositories/commits.ts'
import { foldFilesChanged, listedFiles, type UpdateAuthor } from '../../../status/update-record.ts'
import type { NewUpdate, WantedState } from '../../../store/queue/jobs.ts'
import { toTask, type WantedUpdate } from '../../base/tasks.ts'
import {
  compareProjects,
  type EventName,
  Id,
  joinPlans,
  noFiles,
  noWork,
  type Payload,
  type Plan,
  type PlanContext,
  planHiding,
  planUpdates,
  planWanted,
  Repository,
  type RepositoryPayload,
  tightenPrivate,
  toConfirmTask,
} from './plan.ts'
import { planCheckAction, planCheckRerun, planRerun, planSuiteRerun } from './plan-check.ts'

/** Plans the changes for an event. Reads only the store. */
type Handler<Name extends EventName> = (context: PlanContext, payload: Payload<Name>) => Promise<Plan>

/** Temporary branches of merge queues. The `merge_group` event requests their checks. */
const queueBranch = /^refs\/heads\/gh-readonly-queue\//

/** GitHub, "Webhook events and payloads", `push`: at most 2,048 commits, at most 3,000 files in the lists of one. */
const commitLimit = 2_048
const fileLimit = 3_000

const table = {
  push: planPush,
  'pull_request.edited': planEditedPullRequest,
  'pull_request.opened': planPullRequest,
  'pull_request.reopened': planPullRequest,
  'pull_request.synchronize': planPullRequest,
  'check_run.rerequested': planCheckRerun,
  'check_run.requested_action': planCheckAction,
  'check_suite.rerequested': planSuiteRerun,
  'merge_group.checks_requested': planMergeGroup,
  'github_app_authorization.revoked': endSessions,
  'installation.created': planAddedRepositories,
  'installation.deleted': planInstallationChange,
  'installation.suspend': planInstallationChange,
  'installation.unsuspend': planInstallationChange,
  'installation_repositories.added': planAddedRepositories,
  'installation_repositories.removed': planRemovedRepositories,
  'repository.deleted': planRepositoryChange,
  'repository.edited': planRepositoryChange,
  'repository.privatized': planRepositoryChange,
  'repository.publicized': planRepositoryChange,
  'repository.renamed': planRepositoryChange,
  'repository.transferred': planRepositoryChange,
  ping: async () => noWork,
} as const

export type HandledName = keyof typeof table

/** All handled events, with their actions. Other events are acknowledged and ignored. */
const handlers: { readonly [Name in HandledName]: Handler<Name> } = table

/** Their names, with the action. */
export const handledNames = Object.keys(handlers) as HandledName[] // The keys of a closed literal.

/** Plans the changes for a webhook. One that needs no work still hides the sites of a repository that it says is private. */
export async function planWebhook<Name extends HandledName>(
  context: PlanContext,
  name: Name,
  payload: Payload<Name>,
): Promise<Plan> {
  const plan = await handlers[name](context, payload)
  if (plan !== noWork || !('repository' in payload) || !payload.repository) return plan
  // All repositories of payloads have these fields.
  return await planHiding(context, payload as RepositoryPayload)
}

const aboutPrivate = Compile(
  Type.Object({
    repository: Type.Interface([Repository], { private: Type.Literal(true), default_branch: Type.String() }),
    installation: Type.Optional(Type.Object({ id: Id })),
  }),
)

/** Plans the changes for an event without a handler. It still hides the sites of a repository that it says is private. */
export async function planOther(context: PlanContext, payload: object): Promise<Plan> {
  return aboutPrivate.Check(payload) ? await planHiding(context, payload) : noWork
}

/** A push to a branch creates one record per project. Deleted branches and branches of merge queues create none. */
async function planPush(context: PlanContext, payload: Payload<'push'>): Promise<Plan> {
  const { ref, before, after, deleted, forced, created, commits } = payload
  if (ref.startsWith('refs/tags/')) return await planTag(context, payload)
  if (deleted || !ref.startsWith('refs/heads/') || queueBranch.test(ref)) return noWork
  const source = { repository: toRepository(payload), installation: payload.installation }
  const lists = commits.map(({ added = [], modified = [], removed = [] }) => ({ added, modified, removed }))
  const filesChanged = foldFilesChanged(lists)
  const isCut =
    commits.length >= commitLimit ||
    Object.values(filesChanged).some(({ length }) => length >= listedFiles) ||
    lists.some(({ added, modified, removed }) => added.length + modified.length + removed.length >= fileLimit)
  const head = payload.head_commit
  // A new branch has no `before` to compare with, so its lists cannot be completed.
  const isTruncated = isCut || (forced && !created)
  const wanted: WantedUpdate = {
    commit: { sha: after, ref, message: head?.message ?? '', filesChanged },
    ...toPushAuthor(payload),
    details: {
      trigger: 'push',
      before,
      ...toPushedAt(payload.repository.pushed_at),
      ...(isTruncated ? { filesTruncated: true } : {}),
    },
    once: 'push',
    logs: isCut ? ['GitHub truncated the file lists of this push'] : [],
  }
  return planWanted(context, source, await compareProjects(context, source), wanted)
}

/** Payloads of pushes have seconds, unlike all other times of GitHub. */
function toPushedAt(at: number | string | null | undefined): { readonly pushedAt?: string } {
  const pushedAt = new Date(typeof at === 'number' ? at * 1_000 : (at ?? ''))
  return Number.isNaN(pushedAt.getTime()) ? {} : { pushedAt: pushedAt.toISOString() }
}

/** The payload names the account of the commit's author, with its ID only for the person who pushed. */
function toPushAuthor({ head_commit: head, sender, pusher }: Payload<'push'>): UpdateAuthor {
  const login = head?.author.username
  return toUpdateAuthor(
    login && sender?.login === login ? sender : { login },
    head?.author.name || (login ? undefined : pusher.name),
  )
}

/** A new, moved or deleted tag builds the sites of the default branch again if their changelogs are made from tags. */
async function planTag(context: PlanContext, payload: Payload<'push'>): Promise<Plan> {
  const source = { repository: toRepository(payload), installation: payload.installation }
  const { projects, changes, confirm } = await compareProjects(context, source)
  const rebuilt: NewUpdate[] = []
  for (const project of projects) {
    const known = await context.store.statuses.list(project.id, { ref: `refs/heads/${project.defaultBranch}`, limit: 10 })
    const updates = known?.updates ?? []
    const shown = updates.find(({ update, details }) => update.endedAt !== undefined && !details.overtaken)
    if (!shown || !updates.some(({ details }) => details.usesTags)) continue
    // An update that has not started yet will read the tag.
    if (updates.some(({ update }) => update.status === 'queued')) continue
    const reason = `for the tag ${payload.ref.slice('refs/tags/'.length)}`
    rebuilt.push(...(await planRerun(context, { stored: shown, project }, reason)))
  }
  return joinPlans({ projects, changes, confirm }, rebuilt)
}

/** The types allow payloads without a default branch. */
function toRepository({ repository }: Payload<'push'>) {
  return { ...repository, default_branch: repository.default_branch ?? repository.master_branch ?? 'main' }
}

type PullRequestPayload = Payload<`pull_request.${'edited' | 'opened' | 'reopened' | 'synchronize'}`>

/** A pull request with another target branch may need another comparison. Titles and texts do not matter. */
async function planEditedPullRequest(context: PlanContext, payload: Payload<'pull_request.edited'>): Promise<Plan> {
  return payload.changes.base ? await planPullRequest(context, payload) : noWork
}

/**
 * The head of a pull request gets a record if it has none yet: heads in this repository usually have one from their push, heads in forks do
 * not. An existing record may still need a comment on the pull request.
 */
async function planPullRequest(context: PlanContext, payload: PullRequestPayload): Promise<Plan> {
  const { pull_request: pull, repository } = payload
  const { projects, changes, confirm } = await compareProjects(context, payload)
  const { sha } = pull.head
  const isOwn = pull.head.repo?.id === repository.id
  // GitHub also sends a `push` event for a branch of the repository, before or after this one: that event creates the record.
  const isPushed = isOwn && payload.action === 'synchronize'
  const wanted: WantedUpdate = {
    commit: {
      sha,
      ref: isOwn ? `refs/heads/${pull.head.ref}` : `refs/pull/${pull.number}/head`,
      message: pull.title,
      filesChanged: noFiles,
    },
    ...toUpdateAuthor(pull.user),
    // Compare with the base commit to find the files of the whole pull request.
    details: {
      trigger: 'pull_request',
      before: pull.base.sha,
      pullNumber: pull.number,
      filesTruncated: true,
    },
    once: 'head',
    pullNumber: pull.number,
    pullUpdatedAt: pull.updated_at,
  }
  if (projects.length === 0) {
    const updates = isPushed ? [] : [wanted]
    return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), payload, updates)] }
  }
  const updates = planUpdates(context, isPushed ? [] : projects, wanted)
  const comments: WantedState[] = []
  for (const project of projects) {
    const known = await context.store.statuses.findNewest(project.id, { sha })
    if (!known) continue
    comments.push({ statusId: known.update._id, subject: 'comment', details: { changedPull: pull.number } })
  }
  const pullHeads = projects.map(({ id: projectId }) => ({
    projectId,
    pullNumber: pull.number,
    sha,
    updatedAt: pull.updated_at,
  }))
  return { projectChanges: changes, updates, tasks: confirm, wanted: comments, pullHeads }
}

/** A merge queue waits for the required checks of its merge commit. */
async function planMergeGroup(context: PlanContext, payload: Payload<'merge_group.checks_requested'>): Promise<Plan> {
  const { merge_group: group, repository, installation } = payload
  if (!repository) return {}
  const source = { repository, installation }
  const wanted: WantedUpdate = {
    commit: { sha: group.head_sha, ref: group.head_ref, message: group.head_commit.message, filesChanged: noFiles },
    ...(payload.sender ? toUpdateAuthor(payload.sender) : toUpdateAuthor(undefined, group.head_commit.author?.name)),
    details: { trigger: 'merge_group', before: group.base_sha, filesTruncated: true },
    once: 'head',
  }
  return planWanted(context, source, await compareProjects(context, source), wanted)
}

type Changed = 'deleted' | 'edited' | 'privatized' | 'publicized' | 'renamed' | 'transferred'

/** Confirms a changed repository with GitHub, because payloads may be outdated. Ignores unknown repositories. */
async function planRepositoryChange({ store, now }: PlanContext, payload: Payload<`repository.${Changed}`>): Promise<Plan> {
  const { projects, deleted } = await store.projects.findRepository(payload.repository.id)
  if (projects.length + deleted.length === 0) return noWork
  const { changes } = await compareProjects({ store, now }, payload)
  return { projectChanges: changes, tasks: [toConfirmTask(store.newId(), payload)] }
}

/** Looks for docs directories in added repositories, in a background task. */
async function planAddedRepositories(
  { store }: PlanContext,
  { installation, ...payload }: Payload<'installation.created' | 'installation_repositories.added'>,
): Promise<Plan> {
  const repositories = 'repositories_added' in payload ? payload.repositories_added : (payload.repositories ?? [])
  const repositoryIds = repositories.map(({ id }) => id)
  if (repositoryIds.length === 0) return noWork
  const task = { installationId: installation.id, repositoryIds }
  return { projectChanges: tightenPrivate(repositories), tasks: [toTask(store.newId(), 'reconcile', installation.id, task)] }
}

/** Confirms removed repositories with GitHub, because they may have been added again since. */
async function planRemovedRepositories(
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
  return { projectChanges: tightenPrivate(removed), tasks }
}

/** Compares an installation with GitHub after it was deleted, suspended or resumed. */
async function planInstallationChange(
  { store }: PlanContext,
  { installation, repositories = [] }: Payload<'installation.deleted' | 'installation.suspend' | 'installation.unsuspend'>,
): Promise<Plan> {
  const { id: installationId } = installation
  const task = toTask(store.newId(), 'reconcile', installationId, { installationId })
  return { projectChanges: tightenPrivate(repositories), tasks: [task] }
}

/** Ends all sessions of a user who revoked the authorization of the app. */
async function endSessions(_context: PlanContext, { sender }: Payload<'github_app_authorization.revoked'>): Promise<Plan> {
  return { endSessionsOf: [sender.id] }
}
