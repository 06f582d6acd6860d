import { gunzipSync, gzipSync } from 'node:zlib'
import { countChanges } from '../../../changes/change.ts'
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts'
import {
  type Feedback,
  listChanges,
  type ReportedDocument,
  type ReportedPage,
  type ReportedSite,
  renderCheckSummary,
  renderCheckTitle,
} from '../../../github/report/feedback.ts'
import { escapeMarkdown, renderTrustedLink } from '../../../github/report/markdown.ts'
import {
  type CheckAction,
  type CheckOutcome,
  concludeCheckRun,
  listAnnotations,
  toAnnotations,
} from '../../../github/repositories/check-runs.ts'
import { findCommit } from '../../../github/repositories/commits.ts'
import type { EndedUpdate, Project } from '../../../status/update-record.ts'
import type { LeasedJob } from '../../../store/queue/jobs.ts'
import type { UpdateDetails } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, toJobFailure, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import type { ApiComparison } from '../../base/stored-changes.ts'
import { toTask } from '../../base/tasks.ts'
import { describeUnavailable } from '../../check/compare-archives.ts'
import { notPublishedReason } from '../../publish/build-run-site.ts'
import { toCommitSite, toPageUrl } from '../../publish/built-site.ts'
import type { AddScreenshots } from '../../publish/screenshots.ts'
import { refreshProject } from '../reconcile/settle-repository.ts'
import type { ButtonName } from '../webhooks/plan-check.ts'
import { commentOnPullRequests, ensureCheck, mayWriteOn, reportCommitStatus, reportDeployment } from './commit-feedback.ts'

/** Maximum annotations per check. At 50 per request, they use 40 of the 500 writes per hour that GitHub allows an installation. */
const annotationLimit = 2_000
/** Leaves space for another sentence below GitHub's limit of 65,535 characters. */
const summaryCharacters = 65_000

interface ReportOptions {
  readonly update: EndedUpdate
  readonly details: UpdateDetails
  readonly project: Project
  /** Absent if nothing was checked. */
  readonly results: RunResults | undefined
}

/**
 * Takes screenshots of the site, then reports the result of an update to GitHub: the check, the comments on pull requests, and the commit
 * status and deployment if the repository enables them. Then takes screenshots of the changed pages of a preview.
 *
 * Every step is idempotent, and writes only what GitHub does not have. If GitHub refuses one, the others still follow.
 *
 * @throws {GitHubError} with everything that GitHub refused: the report must be repeated.
 */
export async function reportUpdate(
  context: AppContext,
  addScreenshots: AddScreenshots,
  ended: Omit<ReportOptions, 'results'>,
  signal: AbortSignal,
): Promise<void> {
  const update = await addScreenshots(ended, signal)
  // Its project may have been deleted.
  const stored = await context.store.statuses.find(update._id)
  if (!stored) return
  const { details, project } = ended
  const statusId = update._id
  const results = await readRunResults(context, statusId)
  const feedback = results && toFeedback(context, { update, details, project }, results)
  const refusals: GitHubError[] = []
  const tryTo = async (step: () => Promise<void>) => {
    await step().catch((error: unknown) => {
      if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
      refusals.push(error)
    })
  }
  await tryTo(() => reportCheck(context, { ...ended, results }, feedback))
  const isCheckRefused = refusals.some(({ failure }) => failure === 'forbidden')
  if (feedback && !details.overtaken && details.trigger !== 'merge_group') {
    await tryTo(() => comment(context, { update, details, project, feedback }, stored.details.changedPull))
  }
  await tryTo(() => reportCommitStatus(context, { statusId, project, isCheckRefused }))
  await tryTo(() => reportDeployment(context, { update, details, project }))
  const [first] = refusals
  if (!first) return
  const { failure, operation } = first
  const words = refusals.map((error) => toJobFailure(error).reason).join('; ')
  throw new GitHubError(words, { failure, operation })
}

/** Comments, or queues a task that first looks for another base, because a pull request was opened or changed meanwhile. */
async function comment(
  context: AppContext,
  options: Parameters<typeof commentOnPullRequests>[1],
  pullNumber: number | undefined,
): Promise<void> {
  const { update, project } = options
  const { store } = context
  if (pullNumber === undefined) return await commentOnPullRequests(context, options)
  const payload = { statusId: update._id, pullNumber }
  await store.accept({ tasks: [toTask(store.newId(), 'comment', project.installationId, payload)] })
}

async function reportCheck(context: AppContext, options: ReportOptions, feedback: Feedback | undefined): Promise<void> {
  const { update, details, project } = options
  const checkRunId = await ensureCheck(context, { update, project })
  if (checkRunId === undefined || details.checkConcludedAt !== undefined) return
  await conclude(context, project, checkRunId, await toOutcome(context, options, feedback))
  await context.store.statuses.addDetails(update._id, { checkConcludedAt: context.now().toISOString() })
}

/** Concludes the check, without annotations if GitHub rejects them: a check must end. */
async function conclude(context: AppContext, project: Project, checkRunId: number, outcome: CheckOutcome): Promise<void> {
  const client = clientOf(context, project)
  try {
    await concludeCheckRun(client, toName(project), checkRunId, outcome)
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure !== 'invalid' || outcome.annotations.length === 0) throw error
    context.log.error({ checkRunId, reason: error.message }, 'GitHub rejected annotations')
    const summary = `${outcome.summary.slice(0, summaryCharacters)}\n\nGitHub rejected the annotations. See the details page for the problems.`
    await concludeCheckRun(client, toName(project), checkRunId, { ...outcome, summary, annotations: [] })
  }
}

/** The content of the check and the comment. */
export function toFeedback(
  context: AppContext,
  { update, details, project }: Pick<ReportOptions, 'update' | 'details' | 'project'>,
  { documents, pages, diagnostics, api }: RunResults,
): Feedback {
  const shown = toAnnotations(diagnostics).length
  const notes = [
    ...(shown > annotationLimit ? [`Annotations show only the first ${annotationLimit} of ${shown} problems`] : []),
    ...(details.filesTruncated ? ['The list of changed files may be incomplete'] : []),
    ...(api?.kind === 'unavailable' ? [describeUnavailable(api)] : []),
    ...(details.forkPreview === 'off' ? ['No preview: `github.forkPreviews` is `never` on the default branch'] : []),
  ]
  return {
    headSha: update.commit.sha,
    ...toReportedSite(context, { update, details, project }, api),
    ...(details.forkPreview === 'waiting' ? { isAwaitingApproval: true as const } : {}),
    webUrl: `${context.config.githubUrl}/${project.owner}/${project.repo}`,
    root: project.root,
    pagesAre: 'planned',
    detailsUrl: detailsUrlOf(context, update),
    documents,
    pages,
    diagnostics,
    ...(api?.kind === 'compared' ? { apiChanges: api.changes } : {}),
    notes,
  }
}

/** The site of a record, if one was built. */
function toReportedSite(
  context: AppContext,
  { update, details, project }: Pick<ReportOptions, 'update' | 'details' | 'project'>,
  api: RunResults['api'],
): { readonly site?: ReportedSite } {
  const url = toCommitSite(context, { update, details, project })
  if (!details.site || url === undefined) return {}
  const { mainRoute, changedPages, changedCount, stays } = details.site
  const { screenshotLight: light, screenshotDark: dark } = update
  const pictures = light !== undefined && dark !== undefined && { light, dark, pageUrl: toPageUrl(url, mainRoute) }
  const pages = changedPages.map(({ kind, route, title }) => ({
    kind,
    title: title ?? `/${route}`,
    ...(kind === 'removed' ? {} : { url: toPageUrl(url, route) }),
  }))
  return {
    site: {
      url,
      ...(pictures ? { screenshots: pictures } : {}),
      changedPages: pages,
      ...(api?.kind === 'compared' ? { operations: listOperationPages(api, url) } : {}),
      changedCount,
      ...(stays && { note: `The production site was not updated: ${notPublishedReason}.` }),
    },
  }
}

/** The pages of operations on a site. */
function listOperationPages({ routes }: Extract<ApiComparison, { kind: 'compared' }>, siteUrl: string) {
  return routes.map(({ route, ...page }) => ({ ...page, url: toPageUrl(siteUrl, route) }))
}

function detailsUrlOf(context: AppContext, { _id, createdAt }: EndedUpdate): string {
  return toSignedLink(context.urls.linkKey, context.urls.base(), _id, new Date(createdAt))
}

async function toOutcome(context: AppContext, options: ReportOptions, feedback: Feedback | undefined): Promise<CheckOutcome> {
  const { update, details } = options
  const conclusion = details.checkConclusion ?? update.status
  const shownFeedback = conclusion === 'skipped' || !feedback ? undefined : feedback
  const fallbackSummary = `${escapeMarkdown(update.summary)} (${renderTrustedLink('details', detailsUrlOf(context, update))})`
  return {
    conclusion,
    title: (shownFeedback ? renderCheckTitle(shownFeedback) : update.summary).slice(0, 250),
    summary: (shownFeedback && renderCheckSummary(shownFeedback)) || fallbackSummary,
    annotations: feedback ? listAnnotations(feedback).slice(0, annotationLimit) : [],
    actions: await toActions(context, options),
    completedAt: update.endedAt,
  }
}

/** The branch that buttons may commit to: any branch of this repository except the default branch and merge queues. */
export function toCommitBranch(ref: string, { defaultBranch }: Project): string | undefined {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  return branch === undefined || branch === defaultBranch || branch.startsWith('gh-readonly-queue/') ? undefined : branch
}

async function toActions(
  context: AppContext,
  { update, details, project, results }: ReportOptions,
): Promise<readonly CheckAction[]> {
  const { installationId } = project
  if (details.forkPreview === 'waiting' && !details.overtaken) {
    return [
      {
        label: 'Approve preview',
        description: 'Build and host the site of this commit',
        identifier: 'approve-preview' satisfies ButtonName,
      },
    ]
  }
  if (details.overtaken || installationId === undefined || toCommitBranch(update.commit.ref, project) === undefined) return []
  const isOutdated = update.status === 'success' && (details.changeCount ?? 0) > 0
  const isBreaking = results?.api?.kind === 'compared' && countChanges(listChanges(results.api.changes)).breaking > 0
  if (!(isOutdated || isBreaking) || !(await mayWriteOn(context, installationId, 'contents'))) return []
  return [
    ...(isOutdated
      ? [{ label: 'Regenerate', description: 'Commit the pages to this branch', identifier: 'regenerate' satisfies ButtonName }]
      : []),
    ...(isBreaking
      ? [
          {
            label: 'Accept changes',
            description: 'Record the breaking changes as accepted',
            identifier: 'accept-changes' satisfies ButtonName,
          },
        ]
      : []),
  ]
}

/**
 * Reports an ended record to GitHub from its stored report, after the attempt that ran it failed to do so.
 *
 * No answer ends this promise: it ends when it is kept, when a newer record of the commit overtakes it, or when GitHub does not have the
 * commit any more.
 *
 * @throws {GitHubError}
 */
export async function reportJob(
  context: AppContext,
  addScreenshots: AddScreenshots,
  job: Extract<LeasedJob, { kind: 'run' | 'report' }>,
  signal: AbortSignal,
): Promise<void> {
  const { stored } = job
  const { update, details } = stored
  const project = job.answer === undefined ? job.project : await lookAgain(context, job)
  if (!project) return
  if (update.endedAt === undefined) throw new Error(`Cannot report update \`${update._id}\`: it has not ended`)
  await reportUpdate(context, addScreenshots, { update, details, project }, signal)
}

/**
 * Reads what GitHub refused a report about: the repository by its ID, then the commit.
 *
 * @returns The project with its current name; `undefined` if the commit was missing the last time too, or has a newer record.
 * @throws {GitHubError} if the repository cannot be read, or the commit is missing for the first time: GitHub may not show it yet.
 */
async function lookAgain(
  context: AppContext,
  { stored, project, answer }: Extract<LeasedJob, { kind: 'run' | 'report' }>,
): Promise<Project | undefined> {
  const { _id: statusId, commit } = stored.update
  const newest = await context.store.statuses.list(project.id, { sha: commit.sha, limit: 1 })
  const isOvertaken = newest?.updates[0]?.update._id !== statusId
  if (isOvertaken && stored.details.checkRunId === undefined) return undefined
  const current = await refreshProject(context, project)
  if (await findCommit(clientOf(context, current), toName(current), commit.sha)) return current
  const missing = `Cannot read commit ${commit.sha.slice(0, 7)} of \`${current.owner}/${current.repo}\`: GitHub does not have it`
  if (answer !== missing) throw new GitHubError(missing, { failure: 'not-found', operation: 'read commit' })
  context.log.warn({ statusId, reason: missing }, 'Ended a report')
  return undefined
}

/** The results of a run that the check and the comment show. Plain data. */
export interface RunResults {
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  readonly diagnostics: readonly Diagnostic[]
  /** Absent if the API was not compared. */
  readonly api: ApiComparison | undefined
}

/** Converts the results of a run for the store: all of them, because nothing is checked again for a report. */
export function toStoredResults(
  { documents, pages, diagnostics }: Omit<RunResults, 'api'>,
  api: ApiComparison | undefined,
): Uint8Array {
  const results: RunResults = { documents, pages, diagnostics, api }
  return gzipSync(JSON.stringify(results))
}

/** Reads the stored results of a record; `undefined` if it has none. */
export async function readRunResults({ store }: AppContext, statusId: string): Promise<RunResults | undefined> {
  const stored = await store.statuses.findResults(statusId)
  // `toStoredResults` wrote this type.
  return stored && (JSON.parse(String(gunzipSync(stored))) as RunResults)
}
