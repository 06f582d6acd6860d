import { readInstallation } from '../../../github/apps/github-app.ts'
import { type Feedback, toCommentKey } from '../../../github/report/feedback.ts'
import { readTip } from '../../../github/repositories/branches.ts'
import {
  type CheckOutcome,
  concludeCheckRun,
  createCheckRun,
  findCommitStatus,
  setCommitStatus,
  setDeployment,
  takeOverCheckRun,
} from '../../../github/repositories/check-runs.ts'
import { listOpenPullRequests, readPullRequestTrust, syncComment } from '../../../github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../../github/requests/github-client.ts'

import type { Project, UpdateStatus } from '../../../status/update-record.ts'
import { listWanted, type WantedSubject } from '../../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, runExclusively } from '../../base/app-context.ts'
import { clientOf, requireGitHubApp, toCheckName, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import { type ProjectUpdate, toCommitSite } from '../../publish/built-site.ts'

type Recorded = Pick<StoredUpdate, 'update' | 'details'>

/**
 * Returns the check run of a record, and creates it if GitHub does not have it. Concurrent calls create only one.
 *
 * @returns `undefined` if a newer record of the commit has one: GitHub shows the check that was created last.
 * @throws {GitHubError}
 */
export async function ensureCheck(
  context: AppContext,
  { update, details, project }: ProjectUpdate<UpdateStatus>,
): Promise<{ readonly id: number; readonly isNew: boolean } | undefined> {
  const { store, urls } = context
  const { _id: statusId, commit, createdAt, status } = update
  const known = details.checkRunId
  if (known !== undefined) return { id: known, isNew: false }
  // Without the lock, two records of the commit could both take over the same check.
  return await runExclusively(store, `checks of ${project.repositoryId} at ${commit.sha}`, async () => {
    const client = clientOf(context, project)
    const { appId } = requireGitHubApp(context)
    const check = {
      appId,
      name: toCheckName(project.root),
      headSha: commit.sha,
      externalId: statusId,
      // Use the time of the record, so that every attempt creates the same link.
      detailsUrl: toSignedLink(urls.linkKey, urls.base(), statusId, new Date(createdAt)),
      status: status === 'in_progress' ? status : ('queued' as const),
    }
    const isKnown = async (id: string) => (await store.statuses.find(id)) !== undefined
    const taken = await takeOverCheckRun(client, toName(project), check, isKnown)
    if (!taken && (await isOvertaken(context, update, 'check'))) return undefined
    const { id } = taken ?? (await createCheckRun(client, toName(project), check))
    // The lost record of the check may have left a commit status that waits for its end.
    const isPending = taken && (await hasCommitStatus(client, project, { sha: commit.sha, context: check.name }))
    await store.statuses.addDetails(statusId, { checkRunId: id })
    if (isPending) await store.accept({ wanted: [{ statusId, subject: 'status', details: { statusBegun: true } }] })
    return { id, isNew: taken === undefined }
  })
}

/** Whether the commit has a commit status of the app: none without the permission to write one. @throws {GitHubError} */
async function hasCommitStatus(
  client: GitHubClient,
  project: Project,
  status: { readonly sha: string; readonly context: string },
): Promise<boolean> {
  try {
    return (await findCommitStatus(client, toName(project), status)) !== undefined
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'forbidden') return false
    throw error
  }
}

/** Whether a newer record of the commit says the same about a subject, and what this one says no longer counts. */
export async function isOvertaken(
  { store }: Pick<AppContext, 'store'>,
  { _id, projectId, commit }: UpdateStatus,
  subject: WantedSubject,
): Promise<boolean> {
  const { sha } = commit
  // Mostly the record itself.
  if ((await store.statuses.findNewest(projectId, { sha }))?.update._id === _id) return false
  const newer = (await store.statuses.list(projectId, { sha }))?.updates.filter((other) => other.update._id > _id) ?? []
  return newer.some((other) => listWanted(other.update, other.details).includes(subject))
}

/**
 * Sets the commit status of a record: `pending` until it has ended.
 *
 * @param subject What it is for: itself, or a check that the app may not write.
 * @throws {GitHubError}
 */
export async function reportCommitStatus(
  { store, github, urls }: AppContext,
  { stored, project }: { readonly stored: Recorded; readonly project: Project },
  subject: 'status' | 'check' = 'status',
): Promise<void> {
  const { _id: statusId, commit, createdAt } = stored.update
  // The status of an older record of the commit must not come after that of a newer one.
  await runExclusively(store, `commit status of ${project.id} at ${commit.sha}`, async () => {
    const current = await store.statuses.find(statusId)
    if (!current || (await isOvertaken({ store }, current.update, subject))) return
    const { update } = current
    await setCommitStatus(clientOf({ github }, project), toName(project), {
      sha: commit.sha,
      context: toCheckName(project.root),
      state: toState(current),
      description: update.endedAt === undefined ? (current.details.waiting?.line ?? pendingLine) : update.summary,
      targetUrl: toSignedLink(urls.linkKey, urls.base(), statusId, new Date(createdAt)),
    })
  })
}

const pendingLine = 'Queued. The check of this commit has not finished yet.'

/** The configuration of a commit is known only after its run. Until then, the commit status depends on the previous record. */
export async function mayWantStatus({ store }: AppContext, { update, details }: Recorded): Promise<boolean> {
  if (details.commitStatus || details.statusBegun) return false
  const list = await store.statuses.list(update.projectId, { limit: 20 })
  const previous = list?.updates.find((other) => other.update._id < update._id && other.update.endedAt !== undefined)
  return previous?.details.commitStatus === true
}

/** Commit statuses have no neutral state, so neutral and skipped checks are a success. API changes can fail the check of a valid commit. */
function toState({ update, details }: Recorded): 'pending' | 'success' | 'failure' {
  if (update.endedAt === undefined) return details.waiting?.isLong ? 'success' : 'pending'
  const { checkConclusion = update.status } = details
  return checkConclusion === 'failure' ? 'failure' : 'success'
}

/** Creates the deployment of an ended record, unless the default branch has moved on since. The manifest does not request `deployments: write`. @throws {GitHubError} */
export async function reportDeployment(context: AppContext, { update, details, project }: ProjectUpdate): Promise<void> {
  const client = clientOf(context, project)
  const { _id: statusId, commit } = update
  const isProduction = commit.ref === `refs/heads/${project.defaultBranch}`
  const siteUrl = toCommitSite(context, { update, details, project })
  const deployment = {
    sha: commit.sha,
    // One for each docs directory, so that their deployments do not replace each other.
    environment: `${project.root === '' ? 'docs' : project.root} (${isProduction ? 'production' : 'preview'})`,
    isProduction,
    externalId: statusId,
    state: details.checkConclusion === 'neutral' ? ('success' as const) : update.status,
    description: update.summary,
    ...(siteUrl === undefined ? {} : { siteUrl }),
    logUrl: toSignedLink(context.urls.linkKey, context.urls.base(), statusId, new Date(update.createdAt)),
  }
  // The deployment of an older commit must not come after that of a newer one.
  await runExclusively(context.store, `deployments of ${project.id}`, async () => {
    const shown = isProduction ? await context.store.sites.findPublished(project.id) : undefined
    const isOutdated =
      isProduction &&
      shown?.build.sha !== commit.sha &&
      (await readTip(client, toName(project), project.defaultBranch)) !== (details.requestedAtTip ?? commit.sha)
    if (!isOutdated) await setDeployment(client, toName(project), deployment)
  })
}

/**
 * Creates or updates the comment on each open pull request with this commit as its head.
 *
 * @throws {GitHubError}
 */
export async function commentOnPullRequests(
  context: AppContext,
  { update, details, project, feedback }: ProjectUpdate & { readonly feedback: Feedback },
): Promise<void> {
  const { ref, sha } = update.commit
  const client = clientOf(context, project)
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const numbers = new Set([details.changedPull, details.pullNumber].filter((number) => number !== undefined))
  if (branch !== undefined && branch !== project.defaultBranch) {
    const pulls = await listOpenPullRequests(client, toName(project), branch)
    for (const { number } of pulls) numbers.add(number)
  }
  const author = { kind: 'app', appId: requireGitHubApp(context).appId } as const
  for (const pullNumber of numbers) {
    const key = toCommentKey(project.root)
    // Without the lock, two updates could both create a comment, or an older one could write last.
    await runExclusively(context.store, `comment ${project.repositoryId}#${pullNumber} ${key}`, async () => {
      const pull = await readPullRequestTrust(client, toName(project), pullNumber)
      if (pull.headSha !== sha || (await isOvertaken(context, update, 'comment'))) return
      const { kind } = await syncComment(client, toName(project), { pullNumber, key, author, feedback })
      context.log.info({ statusId: update._id, pullNumber, outcome: kind }, 'Comment synchronized')
    })
  }
}

/** Whether an installation has granted `contents: write`, which the manifest does not request. @throws {GitHubError} */
export async function mayCommit(context: AppContext, installationId: number): Promise<boolean> {
  const { permissions } = await readInstallation(requireGitHubApp(context).client, installationId)
  return permissions['contents'] === 'write'
}

/** What the check of a pressed button shows. Plain JSON. */
export interface ButtonResult extends Pick<CheckOutcome, 'conclusion' | 'title' | 'summary'> {
  /** The record of the check with the button. */
  readonly statusId: string
  /** Each time that it is pressed. */
  readonly taskId: string
  /** Part of the name of the check that shows the result. */
  readonly name: string
  readonly identifier: string
}

/** Shows the result of a button in a separate check on the same commit. @throws {GitHubError} */
export async function showResult(
  context: AppContext,
  { stored, project }: { readonly stored: StoredUpdate; readonly project: Project },
  { statusId, taskId, name, identifier, ...result }: ButtonResult,
): Promise<void> {
  const client = clientOf(context, project)
  const { appId } = requireGitHubApp(context)
  const check = {
    appId,
    name: `${toCheckName(project.root)}: ${name}`,
    headSha: stored.update.commit.sha,
    externalId: `${identifier} ${taskId}`,
    detailsUrl: toSignedLink(context.urls.linkKey, context.urls.base(), statusId, new Date(stored.update.createdAt)),
  }
  const own = await takeOverCheckRun(client, toName(project), check, async () => true)
  const { id } = own ?? (await createCheckRun(client, toName(project), check))
  await concludeCheckRun(client, toName(project), id, {
    ...result,
    annotations: [],
    actions: [],
    completedAt: context.now().toISOString(),
  })
}
