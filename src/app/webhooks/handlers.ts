import { foldFilesChanged } from '../../status/update-record.ts'
import { toTask, type WantedUpdate } from '../run/tasks.ts'
import {
  type EventName,
  noFiles,
  noWork,
  type Payload,
  type Plan,
  type PlanContext,
  planUpdates,
  settleProjects,
  toConfirmTask,
} from './plan.ts'
import { planCheckAction, planCheckRerun, planSuiteRerun } from './plan-check.ts'

/** Plans what one event is to change. Reads the store alone. */
type Handler<Name extends EventName> = (context: PlanContext, payload: Payload<Name>) => Promise<Plan>

/** A new grant changes nothing that is stored: what the app may do is asked when it is needed. */
const remember = async (): Promise<Plan> => noWork

/** Merge queues make these branches; `merge_group` asks for their checks. */
const queueBranch = /^refs\/heads\/gh-readonly-queue\//

/** GitHub, "Webhook events and payloads", `push`: at most 2,048 commits, at most 3,000 files in the lists of one. */
const commitLimit = 2_048
const fileLimit = 3_000

const table = {
  push: planPush,
  'pull_request.opened': planPullRequest,
  'pull_request.reopened': planPullRequest,
  'pull_request.synchronize': planPullRequest,
  'check_run.rerequested': planCheckRerun,
  'check_run.requested_action': planCheckAction,
  'check_suite.rerequested': planSuiteRerun,
  'merge_group.checks_requested': planMergeGroup,
  'github_app_authorization.revoked': planAuthorizationEnd,
  'installation.created': planArrival,
  'installation.deleted': planInstallationChange,
  'installation.new_permissions_accepted': remember,
  'installation.suspend': planInstallationChange,
  'installation.unsuspend': planInstallationChange,
  'installation_repositories.added': planArrival,
  'installation_repositories.removed': planDeparture,
  'repository.deleted': planRepositoryChange,
  'repository.edited': planRepositoryChange,
  'repository.privatized': planRepositoryChange,
  'repository.publicized': planRepositoryChange,
  'repository.renamed': planRepositoryChange,
  'repository.transferred': planRepositoryChange,
  ping: remember,
} as const

export type HandledName = keyof typeof table

/** Every event that is acted on, with its action. Others are answered and forgotten. */
export const handlers: { readonly [Name in HandledName]: Handler<Name> } = table

/** Names for `probot.on`. */
export const handledNames = Object.keys(handlers) as HandledName[] // The keys of a closed literal.

/** A push to a branch makes one record for each project. Tags, branches that went and branches of merge queues make none. */
async function planPush(context: PlanContext, payload: Payload<'push'>): Promise<Plan> {
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

type PullRequestPayload = Payload<'pull_request.opened' | 'pull_request.reopened' | 'pull_request.synchronize'>

/**
 * The head of a pull request gets a record only where it has none: that of a branch of this repository got it from its push, that of
 * a fork has none. Where there is one, the pull request may still need its comment.
 */
async function planPullRequest(context: PlanContext, payload: PullRequestPayload): Promise<Plan> {
  const { pull_request: pull, repository } = payload
  const { projects, changes, confirm } = await settleProjects(context, payload)
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
    author: pull.user?.login ?? '',
    // The files are those of the whole pull request, from where it left its base.
    details: { trigger: 'pull_request', before: pull.base.sha, pullNumber: pull.number, filesTruncated: true },
    once: 'head',
    pullNumber: pull.number,
  }
  if (projects.length === 0) {
    const updates = isPushed ? [] : [wanted]
    return { projectChanges: changes, tasks: [toConfirmTask(context.store.newId(), payload, updates)] }
  }
  const plan = planUpdates(context, isPushed ? [] : projects, wanted)
  const comments = []
  for (const project of projects) {
    const known = await context.store.statuses.list(project.id, { sha, limit: 1 })
    const statusId = known?.updates[0]?.update._id
    if (statusId === undefined) continue
    comments.push(toTask(context.store.newId(), 'comment', project.installationId, { statusId, pullNumber: pull.number }))
  }
  const pullHeads = projects.map(({ id: projectId }) => ({ projectId, pullNumber: pull.number, sha }))
  return { projectChanges: changes, updates: plan.updates, tasks: [...confirm, ...plan.tasks, ...comments], pullHeads }
}

/** A merge queue waits for the required checks of the commit it has made. */
async function planMergeGroup(context: PlanContext, payload: Payload<'merge_group.checks_requested'>): Promise<Plan> {
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

type ChangedPayload = Payload<
  | 'repository.deleted'
  | 'repository.renamed'
  | 'repository.transferred'
  | 'repository.privatized'
  | 'repository.publicized'
  | 'repository.edited'
>

/** Something changed about a repository: it is asked about, whatever the payload says. An unknown one stays unknown. */
async function planRepositoryChange({ store, now }: PlanContext, payload: ChangedPayload): Promise<Plan> {
  const { projects, deleted } = await store.projects.findRepository(payload.repository.id)
  if (projects.length + deleted.length === 0) return noWork
  const { changes } = await settleProjects({ store, now }, payload)
  return { projectChanges: changes, tasks: [toConfirmTask(store.newId(), payload)] }
}

/** Repositories that the app can see from now on are looked at in the background. */
async function planArrival(
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
async function planDeparture(
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
async function planInstallationChange(
  { store }: PlanContext,
  { installation }: Payload<'installation.deleted' | 'installation.suspend' | 'installation.unsuspend'>,
): Promise<Plan> {
  return { tasks: [toTask(store.newId(), 'reconcile', installation.id, { installationId: installation.id })] }
}

/** A person took back that the app may act for them: they are signed out everywhere. */
async function planAuthorizationEnd(
  _context: PlanContext,
  { sender }: Payload<'github_app_authorization.revoked'>,
): Promise<Plan> {
  return { endSessionsOf: [sender.id] }
}
