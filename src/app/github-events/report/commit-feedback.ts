import { readInstallation } from '../../../github/apps/github-app.ts'
import { type Feedback, toCommentKey } from '../../../github/report/feedback.ts'
import {
  createCheckRun,
  findCheckRun,
  setCommitStatus,
  setDeployment,
  takeOverCheckRun,
} from '../../../github/repositories/check-runs.ts'
import { listPullRequestsOfBranch, readPullRequestTrust, syncComment } from '../../../github/repositories/pull-requests.ts'
import type { EndedUpdate, Project } from '../../../status/update-record.ts'
import type { StoredUpdate, UpdateDetails } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, runExclusively } from '../../base/app-context.ts'
import { clientOf, requireGitHubApp, toCheckName, toJobFailure, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import { toCommitSite } from '../../publish/built-site.ts'

/**
 * Returns the ID of a record's check run, and creates it as `queued` if it does not exist. Concurrent calls create only one.
 *
 * @param mayExist An earlier attempt may have created it and failed before storing the ID.
 * @returns `undefined` if the record no longer exists.
 * @throws {GitHubError}
 */
export async function ensureCheck(
  context: AppContext,
  options: { statusId: string; project: Project; mayExist: boolean },
): Promise<number | undefined> {
  const { statusId, project } = options
  return await runExclusively(context.store, `check ${statusId}`, async () => {
    const stored = await context.store.statuses.find(statusId)
    if (!stored) return undefined
    if (stored.details.checkRunId !== undefined) return stored.details.checkRunId
    // Another job, or an attempt that lost this lock, may have created it without storing its ID.
    const mayExist = options.mayExist || stored.details.checkBegun === true
    if (!mayExist) await context.store.statuses.addDetails(statusId, { checkBegun: true })
    const client = clientOf(context, project)
    const check = {
      name: toCheckName(project.root),
      headSha: stored.update.commit.sha,
      externalId: statusId,
      // Use the time of the record, so that every attempt creates the same link.
      detailsUrl: toSignedLink(context.urls.linkKey, context.urls.base(), statusId, new Date(stored.update.createdAt)),
      mayExist,
    }
    // The docs directory may have changed since that attempt.
    const earlier =
      mayExist && project.root !== ''
        ? await findCheckRun(client, toName(project), { ...check, name: toCheckName('') })
        : undefined
    const isKnown = async (id: string) => (await context.store.statuses.find(id)) !== undefined
    const { appId } = requireGitHubApp(context)
    const takeOver = () => takeOverCheckRun(client, toName(project), { ...check, appId }, isKnown)
    // Without the lock, two records of the commit could both take over the same check.
    const lock = `checks of ${project.repositoryId} at ${check.headSha}`
    const taken = !earlier && stored.details.mayHaveCheck ? await runExclusively(context.store, lock, takeOver) : undefined
    const { id } = earlier ?? taken ?? (await createCheckRun(client, toName(project), check))
    await context.store.statuses.addDetails(statusId, { checkRunId: id })
    return id
  })
}

/**
 * Sets the commit status of a record (`pending` until it has ended) if the repository enables `github.commit-status` or the app may not
 * write checks.
 *
 * The configuration of a commit is known only after its run. Until then, `pending` depends on the previous record. A status that was set
 * to `pending` always gets a final state.
 *
 * @param isCheckRefused Whether the app may not write checks.
 * @param mayExist An earlier attempt may have set it.
 * @throws {GitHubError} for temporary errors; permanent errors are logged.
 */
export async function reportCommitStatus(
  context: AppContext,
  options: { statusId: string; project: Project; isCheckRefused: boolean; mayExist: boolean },
): Promise<void> {
  const { statusId, project, isCheckRefused, mayExist } = options
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
    try {
      await setCommitStatus(clientOf(context, project), toName(project), status, mayExist)
    } catch (error) {
      if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
      context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot set the commit status')
    }
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
 * @param mayExist An earlier attempt may have created it.
 * @throws {GitHubError} for temporary errors; permanent errors are logged.
 */
export async function reportDeployment(
  context: AppContext,
  options: { update: EndedUpdate; details: UpdateDetails; project: Project; mayExist: boolean },
): Promise<void> {
  const { update, details, project, mayExist } = options
  const { installationId } = project
  // Readers never see older pushes, branches of merge queues, or commits without a check.
  const isShown = !details.overtaken && details.trigger !== 'merge_group' && details.checkConclusion !== 'skipped'
  if (details.deployment !== true || !isShown || installationId === undefined) return
  const statusId = update._id
  try {
    if (!(await mayWriteOn(context, installationId, 'deployments'))) {
      const hint = 'Grant the app `deployments: write`, then accept it on the installation'
      context.log.warn({ statusId, hint }, 'Cannot create a deployment')
      return
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
    await setDeployment(clientOf(context, project), toName(project), deployment, mayExist)
  } catch (error) {
    if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
    context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot create a deployment')
  }
}

/** One environment for each docs directory, so that their deployments do not replace each other. */
function toEnvironment(root: string, isProduction: boolean): string {
  return `${root === '' ? 'docs' : root} (${isProduction ? 'production' : 'preview'})`
}

/**
 * Creates or updates the comment on each open pull request with this commit as its head.
 *
 * If the app may not comment, the check contains the same information.
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
    await runExclusively(context.store, `comment ${project.repositoryId}#${pullNumber} ${key}`, async () => {
      try {
        const { kind } = await syncComment(client, toName(project), { pullNumber, key, author, feedback })
        context.log.info({ statusId: update._id, pullNumber, outcome: kind }, 'Comment synchronized')
      } catch (error) {
        const isRefused = error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')
        if (!isRefused) throw error
        context.log.warn({ statusId: update._id, pullNumber, reason: error.message }, 'Cannot comment')
      }
    })
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
