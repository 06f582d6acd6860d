import { readInstallation } from '../../../github/apps/github-app.ts'
import { type Feedback, toCommentKey } from '../../../github/report/feedback.ts'
import { createCheckRun, setCommitStatus, setDeployment, takeOverCheckRun } from '../../../github/repositories/check-runs.ts'
import { listPullRequestsOfBranch, readPullRequestTrust, syncComment } from '../../../github/repositories/pull-requests.ts'
import type { EndedUpdate, Project, UpdateStatus } from '../../../status/update-record.ts'
import type { StoredUpdate, UpdateDetails } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, runExclusively } from '../../base/app-context.ts'
import { clientOf, requireGitHubApp, toCheckName, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import { toCommitSite } from '../../publish/built-site.ts'

/**
 * Returns the ID of a record's check run, and creates it as `queued` if GitHub does not have it. Concurrent calls create only one.
 *
 * @returns `undefined` if the record no longer exists.
 * @throws {GitHubError}
 */
export async function ensureCheck(
  context: AppContext,
  { update: { _id: statusId, commit, createdAt }, project }: { update: UpdateStatus; project: Project },
): Promise<number | undefined> {
  const { store, urls } = context
  // Without the lock, two records of the commit could both take over the same check.
  return await runExclusively(store, `checks of ${project.repositoryId} at ${commit.sha}`, async () => {
    const stored = await store.statuses.find(statusId)
    if (!stored || stored.details.checkRunId !== undefined) return stored?.details.checkRunId
    const client = clientOf(context, project)
    const { appId } = requireGitHubApp(context)
    const check = {
      appId,
      name: toCheckName(project.root),
      headSha: commit.sha,
      externalId: statusId,
      // Use the time of the record, so that every attempt creates the same link.
      detailsUrl: toSignedLink(urls.linkKey, urls.base(), statusId, new Date(createdAt)),
    }
    const isKnown = async (id: string) => (await store.statuses.find(id)) !== undefined
    const taken = await takeOverCheckRun(client, toName(project), check, isKnown)
    const { id } = taken ?? (await createCheckRun(client, toName(project), check))
    await store.statuses.addDetails(statusId, { checkRunId: id })
    return id
  })
}

/**
 * Sets the commit status of a record (`pending` until it has ended) if the repository enables `github.commit-status`, or if it has ended and
 * the app may not write checks.
 *
 * The configuration of a commit is known only after its run. Until then, `pending` depends on the previous record. A status that was set
 * to `pending` always gets a final state.
 *
 * @param isCheckRefused Whether the app may not write checks.
 * @throws {GitHubError}
 */
export async function reportCommitStatus(
  context: AppContext,
  options: { statusId: string; project: Project; isCheckRefused: boolean },
): Promise<void> {
  const { statusId, project, isCheckRefused } = options
  const { statuses } = context.store
  // The task that sets `pending` must not run after the report that sets the final state.
  await runExclusively(context.store, `commit status ${statusId}`, async () => {
    const stored = await statuses.find(statusId)
    if (!stored || !(isCheckRefused || (await isWanted(context, stored)))) return
    const { update, details } = stored
    // Store this first, so that a crash does not leave the status pending.
    if (update.endedAt === undefined && details.commitStatus === undefined) {
      await statuses.addDetails(statusId, { commitStatus: 'begun' })
    }
    const status = {
      sha: update.commit.sha,
      context: toCheckName(project.root),
      state: toState(stored),
      description: update.endedAt === undefined ? 'Queued. The check of this commit has not finished yet.' : update.summary,
      targetUrl: toSignedLink(context.urls.linkKey, context.urls.base(), statusId, new Date(update.createdAt)),
    }
    await setCommitStatus(clientOf(context, project), toName(project), status)
  })
}

async function isWanted({ store }: AppContext, { update, details }: StoredUpdate): Promise<boolean> {
  if (details.commitStatus !== undefined) return true
  if (update.endedAt !== undefined) return false
  const list = await store.statuses.list(update.projectId, { limit: 20 })
  const previous = list?.updates.find((stored) => stored.update._id < update._id && stored.update.endedAt !== undefined)
  return previous?.details.commitStatus === 'wanted'
}

/** Commit statuses have no neutral state, so neutral and skipped checks are a success. API changes can fail the check of a valid commit. */
function toState({ update, details }: StoredUpdate): 'pending' | 'success' | 'failure' {
  if (update.endedAt === undefined) return 'pending'
  const { checkConclusion = update.status } = details
  return checkConclusion === 'failure' ? 'failure' : 'success'
}

/**
 * Creates a deployment for an ended record if the repository enables `github.deployment` and the installation has `deployments: write`,
 * which the manifest does not request.
 *
 * @throws {GitHubError}
 */
export async function reportDeployment(
  context: AppContext,
  options: { update: EndedUpdate; details: UpdateDetails; project: Project },
): Promise<void> {
  const { update, details, project } = options
  const { installationId } = project
  // Readers never see older pushes, branches of merge queues, or commits without a check.
  const isShown = !details.overtaken && details.trigger !== 'merge_group' && details.checkConclusion !== 'skipped'
  if (details.deployment !== true || !isShown || installationId === undefined) return
  const statusId = update._id
  if (!(await mayWriteOn(context, installationId, 'deployments'))) {
    const hint = 'Grant the app `deployments: write`, then accept it on the installation'
    throw new GitHubError('Cannot create a deployment', { failure: 'forbidden', operation: 'write deployment', hint })
  }
  const isProduction = update.commit.ref === `refs/heads/${project.defaultBranch}`
  const siteUrl = toCommitSite(context, { update, details, project })
  const deployment = {
    sha: update.commit.sha,
    environment: toEnvironment(project.root, isProduction),
    isProduction,
    externalId: statusId,
    state: details.checkConclusion === 'neutral' ? ('success' as const) : update.status,
    description: update.summary,
    ...(siteUrl === undefined ? {} : { siteUrl }),
    logUrl: toSignedLink(context.urls.linkKey, context.urls.base(), statusId, new Date(update.createdAt)),
  }
  await setDeployment(clientOf(context, project), toName(project), deployment)
}

/** One environment for each docs directory, so that their deployments do not replace each other. */
function toEnvironment(root: string, isProduction: boolean): string {
  return `${root === '' ? 'docs' : root} (${isProduction ? 'production' : 'preview'})`
}

/**
 * Creates or updates the comment on each open pull request with this commit as its head.
 *
 * @throws {GitHubError}
 */
export async function commentOnPullRequests(
  context: AppContext,
  options: {
    readonly update: EndedUpdate
    readonly details: UpdateDetails
    readonly project: Project
    readonly feedback: Feedback
    /** Another pull request that may have this head. */
    readonly pullNumber?: number
  },
): Promise<void> {
  const { update, details, project, feedback } = options
  if (details.commentOff) return
  const { ref, sha } = update.commit
  const client = clientOf(context, project)
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const known = [options.pullNumber, details.pullNumber].filter((number) => number !== undefined)
  const pulls =
    branch === undefined || branch === project.defaultBranch
      ? []
      : await listPullRequestsOfBranch(client, toName(project), branch)
  const numbers = new Set(pulls.filter(({ headSha }) => headSha === sha).map(({ number }) => number))
  for (const number of known) {
    if (numbers.has(number) || pulls.some((pull) => pull.number === number)) continue
    const pull = await readPullRequestTrust(client, toName(project), number)
    if (pull?.headSha === sha) numbers.add(number)
  }
  const author = { kind: 'app', appId: requireGitHubApp(context).appId } as const
  for (const pullNumber of numbers) {
    const key = toCommentKey(project.root)
    // Without the lock, two concurrent updates could both create a comment.
    const sync = () => syncComment(client, toName(project), { pullNumber, key, author, feedback })
    const { kind } = await runExclusively(context.store, `comment ${project.repositoryId}#${pullNumber} ${key}`, sync)
    context.log.info({ statusId: update._id, pullNumber, outcome: kind }, 'Comment synchronized')
  }
}

const cacheMs = 300_000
type Permissions = Readonly<Record<string, string>>
const cache = new WeakMap<AppContext['store'], Map<number, { readonly permissions: Permissions; readonly until: number }>>()

/**
 * Whether an installation has granted a permission that the manifest does not request. Cached for five minutes.
 *
 * @throws {GitHubError}
 */
export async function mayWriteOn(
  context: AppContext,
  installationId: number,
  permission: 'contents' | 'deployments',
): Promise<boolean> {
  const entries = cache.get(context.store) ?? new Map()
  cache.set(context.store, entries)
  const entry = entries.get(installationId)
  const nowMs = context.now().getTime()
  // Setting the clock back must not extend an entry.
  if (entry && entry.until > nowMs && nowMs >= entry.until - cacheMs) return entry.permissions[permission] === 'write'
  const { permissions } = await readInstallation(requireGitHubApp(context).client, installationId)
  entries.set(installationId, { permissions, until: nowMs + cacheMs })
  return permissions[permission] === 'write'
}
