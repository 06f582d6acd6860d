import { countFindings } from '../../diagnostics/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import { createCheckRun, findCheckRun, takeOverCheckRun } from '../../github/check-run.ts'
import { type CommentContent, syncComment } from '../../github/comment.ts'
import { setCommitStatus, setDeployment } from '../../github/commit-status.ts'
import { listPullRequestsOfBranch } from '../../github/commits.ts'
import { readInstallation } from '../../github/installations.ts'
import type { Feedback } from '../../github/report/feedback.ts'
import { toCommentKey } from '../../github/report/render-comment.ts'
import type { EndedUpdate, Project } from '../../status/types.ts'
import type { StoredUpdate, UpdateDetails } from '../../store/update-rows.ts'
import { toSignedLink } from '../signed-links.ts'
import { toCommitSite } from './built-site.ts'
import { clientOf, type RunContext, requireGitHubApp, toCheckName, toJobFailure, toName } from './run-context.ts'

/**
 * Answers the number of a record's check, which it makes as `queued` where there is none yet.
 *
 * Several jobs may want it at the same time: the first makes it. `undefined` where the record is gone.
 *
 * @param mayExist An earlier attempt may have made it and not lived to remember it.
 * @throws {GitHubError}
 */
export async function ensureCheck(
  context: RunContext,
  { statusId, project, mayExist }: { statusId: string; project: Project; mayExist: boolean },
): Promise<number | undefined> {
  return await context.locks(`check ${statusId}`, async () => {
    const stored = await context.store.statuses.find(statusId)
    if (!stored) return undefined
    if (stored.details.checkRunId !== undefined) return stored.details.checkRunId
    const client = clientOf(context, project)
    const check = {
      name: toCheckName(project.root),
      headSha: stored.update.commit.sha,
      externalId: statusId,
      // The time is that of the record, so that every attempt makes the same link.
      detailsUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(stored.update.createdAt)),
      mayExist,
    }
    // The docs root may have been found elsewhere since that attempt.
    const earlier =
      mayExist && project.root !== ''
        ? await findCheckRun(client, toName(project), { ...check, name: toCheckName('') })
        : undefined
    const isKnown = async (id: string) => (await context.store.statuses.find(id)) !== undefined
    const taken =
      !earlier && stored.details.mayHaveCheck ? await takeOverCheckRun(client, toName(project), check, isKnown) : undefined
    const { id } = earlier ?? taken ?? (await createCheckRun(client, toName(project), check))
    await context.store.statuses.addDetails(statusId, { checkRunId: id })
    return id
  })
}

/**
 * Sets the commit status of a record to what the record says now: `pending` until it has ended. Does nothing where none is wanted.
 *
 * Wanted is it where the repository asks for it (`github.commit-status`) and where the check cannot be written. The configuration of a
 * commit is known only after its run, so `pending` goes by that of the record before; whoever was shown `pending` is shown the end.
 *
 * @param isCheckRefused The app may not write checks here.
 * @param mayExist An earlier attempt may have done it.
 * @throws {GitHubError} for what may pass; what GitHub refuses is logged.
 */
export async function tellCommitStatus(
  context: RunContext,
  options: { statusId: string; project: Project; isCheckRefused: boolean; mayExist: boolean },
): Promise<void> {
  const { statusId, project, isCheckRefused, mayExist } = options
  const { statuses } = context.store
  // The task that shows `pending` must not come after the report that shows the end.
  await context.locks(`commit status ${statusId}`, async () => {
    const stored = await statuses.find(statusId)
    if (!stored || !(isCheckRefused || (await isWanted(context, stored)))) return
    const { update, details } = stored
    // Before it is shown, so that a crash in between does not leave it pending.
    if (update.endedAt === undefined && details.commitStatus === undefined) {
      await statuses.addDetails(statusId, { commitStatus: 'begun' })
    }
    const status = {
      sha: update.commit.sha,
      context: toCheckName(project.root),
      state: toState(stored),
      description:
        update.endedAt === undefined ? 'Queued: the documents of this commit are checked in their turn.' : update.summary,
      targetUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(update.createdAt)),
    }
    try {
      await setCommitStatus(clientOf(context, project), toName(project), status, mayExist)
    } catch (error) {
      if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
      context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot set the commit status')
    }
  })
}

async function isWanted({ store }: RunContext, { update, details }: StoredUpdate): Promise<boolean> {
  if (details.commitStatus !== undefined) return true
  if (update.endedAt !== undefined) return false
  const list = await store.statuses.list(update.projectId, { limit: 20 })
  const before = list?.updates.find((one) => one.update._id < update._id && one.update.endedAt !== undefined)
  return before?.details.commitStatus === 'wanted'
}

/** A finding that blocks nothing, and nothing to check, are a success here: there is no word between. */
function toState({ update, details }: StoredUpdate): 'pending' | 'success' | 'failure' {
  if (update.endedAt === undefined) return 'pending'
  return details.checkConclusion === undefined ? update.status : 'success'
}

/**
 * Shows a record that has ended as a deployment, where the repository asks for it (`github.deployment`) and the installation was granted
 * `deployments: write`, which the manifest does not ask for.
 *
 * @param mayExist An earlier attempt may have done it.
 * @throws {GitHubError} for what may pass; what GitHub refuses is logged.
 */
export async function tellDeployment(
  context: RunContext,
  options: { update: EndedUpdate; details: UpdateDetails; project: Project; validationOnly: boolean; mayExist: boolean },
): Promise<void> {
  const { update, details, project, validationOnly, mayExist } = options
  const { installationId } = project
  // Neither an older push nor the branch of a merge queue is what readers get to see; where nothing was checked there is nothing to show.
  const isShown =
    !validationOnly && !details.overtaken && details.trigger !== 'merge_group' && details.checkConclusion !== 'skipped'
  if (details.deployment !== true || !isShown || installationId === undefined) return
  const statusId = update._id
  try {
    if (!(await mayWriteOn(context, installationId, 'deployments'))) {
      const hint = 'grant the app `deployments: write` and let the account accept it'
      context.log.warn({ statusId, hint }, 'Cannot show a deployment')
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
      logUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(update.createdAt)),
    }
    await setDeployment(clientOf(context, project), toName(project), deployment, mayExist)
  } catch (error) {
    if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
    context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot show a deployment')
  }
}

/** One environment for each docs root, so that a deployment of one does not end that of another. */
function toEnvironment(root: string, isProduction: boolean): string {
  return `${root === '' ? 'docs' : root} (${isProduction ? 'production' : 'preview'})`
}

/**
 * Keeps the one comment true on each open pull request whose head is the commit of this update.
 *
 * An update that is not the newest of its ref says nothing: the newest one does. Where the app may not comment, the check has said it all.
 *
 * @throws {GitHubError}
 */
export async function commentOnPullRequests(
  context: RunContext,
  options: {
    readonly update: EndedUpdate
    readonly details: UpdateDetails
    readonly project: Project
    readonly feedback: Feedback
    /** A pull request that is known to have this head, beside those that are found. */
    readonly pullNumber?: number
  },
): Promise<void> {
  const { update, details, project, feedback } = options
  if (details.commentOff) return
  const { ref, sha } = update.commit
  const newest = await context.store.statuses.list(project.id, { ref, limit: 1 })
  if (newest?.updates[0] && newest.updates[0].update.commit.sha !== sha) return
  const client = clientOf(context, project)
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const known = [options.pullNumber, details.pullNumber].filter((number) => number !== undefined)
  const pulls =
    branch === undefined || branch === project.defaultBranch
      ? []
      : await listPullRequestsOfBranch(client, toName(project), branch)
  const numbers = new Set([...known, ...pulls.filter(({ headSha }) => headSha === sha).map(({ number }) => number)])
  const hasErrors = countFindings(feedback.diagnostics).errors > 0
  const content: CommentContent = hasErrors
    ? { kind: 'failure', feedback }
    : { kind: 'success', headSha: sha, site: feedback.site }
  const author = { kind: 'app', appId: requireGitHubApp(context).appId } as const
  for (const pullNumber of numbers) {
    const key = toCommentKey(project.root)
    // Two updates that report at once would both find no comment.
    await context.locks(`comment ${project.repositoryId}#${pullNumber} ${key}`, async () => {
      try {
        const { kind } = await syncComment(client, toName(project), { pullNumber, key, author, content })
        context.log.info({ statusId: update._id, pullNumber, outcome: kind }, 'Comment settled')
      } catch (error) {
        const isRefused = error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')
        if (!isRefused) throw error
        context.log.warn({ statusId: update._id, pullNumber, reason: error.message }, 'Cannot comment')
      }
    })
  }
}

const keptMs = 300_000
type Permissions = Readonly<Record<string, string>>
const known = new WeakMap<RunContext['store'], Map<number, { readonly permissions: Permissions; readonly until: number }>>()

/**
 * Whether an installation has granted to write what the manifest does not ask for. Asked anew every five minutes.
 *
 * @throws {GitHubError}
 */
export async function mayWriteOn(
  context: RunContext,
  installationId: number,
  permission: 'contents' | 'deployments',
): Promise<boolean> {
  const ofStore = known.get(context.store) ?? new Map()
  known.set(context.store, ofStore)
  const kept = ofStore.get(installationId)
  const nowMs = context.now().getTime()
  // A clock that was set back makes nothing last longer.
  if (kept && kept.until > nowMs && nowMs >= kept.until - keptMs) return kept.permissions[permission] === 'write'
  const { permissions } = await readInstallation(requireGitHubApp(context).client, installationId)
  ofStore.set(installationId, { permissions, until: nowMs + keptMs })
  return permissions[permission] === 'write'
}
