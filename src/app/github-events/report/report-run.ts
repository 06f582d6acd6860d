import { gunzipSync, gzipSync } from 'node:zlib'
import { countChanges } from '../../../changes/change.ts'
import { countFindings, type Diagnostic } from '../../../diagnostics/diagnostic.ts'
import { type Feedback, listChanges, renderCheckSummary, renderCheckTitle } from '../../../github/report/feedback.ts'
import { escapeMarkdown, renderTrustedLink } from '../../../github/report/markdown.ts'
import {
  type CheckAction,
  type CheckOutcome,
  concludeCheckRun,
  listAnnotations,
  startCheckRun,
  toAnnotations,
} from '../../../github/repositories/check-runs.ts'
import { findCommit } from '../../../github/repositories/commits.ts'
import type { EndedUpdate, Project } from '../../../status/update-record.ts'
import type { LeasedJob } from '../../../store/queue/jobs.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, runExclusively } from '../../base/app-context.ts'
import { clientOf, toName } from '../../base/projects.ts'
import { toSignedLink } from '../../base/signed-links.ts'
import type { ApiComparison } from '../../base/stored-changes.ts'
import { describeUnavailable, hasOtherBase } from '../../check/compare-archives.ts'
import { notPublishedReason } from '../../publish/build-run-site.ts'
import { type ProjectUpdate, reviewRoute, toCommitSite, toPageUrl } from '../../publish/built-site.ts'
import type { AddScreenshots } from '../../publish/screenshots.ts'
import { refreshProject } from '../reconcile/settle-repository.ts'
import { type ButtonName, planRerun } from '../webhooks/plan-check.ts'
import {
  type ButtonResult,
  commentOnPullRequests,
  ensureCheck,
  isOvertaken,
  mayCommit,
  mayWantStatus,
  reportCommitStatus,
  reportDeployment,
  showResult,
} from './commit-feedback.ts'

/** Maximum annotations per check. At 50 per request, they use 40 of the 500 writes per hour that GitHub allows an installation. */
const annotationLimit = 2_000
/** Leaves space for another sentence below GitHub's limit of 65,535 characters. */
const summaryCharacters = 65_000

interface ReportOptions extends ProjectUpdate {
  /** Absent if nothing was checked. */
  readonly results: RunResults | undefined
}

type WantedJob = Extract<LeasedJob, { kind: 'wanted' }>

/** A promise, with its project as the store has it. */
type Promised = Pick<WantedJob, 'subject' | 'stored' | 'project'> & Partial<Pick<WantedJob, 'payload' | 'answer'>>

type RefusedJob = Pick<Promised, 'stored' | 'project'> & { readonly subject?: WantedJob['subject'] }

/**
 * Keeps a promise: reads what GitHub should show now, compares it with what is there, and writes what is missing.
 *
 * @throws {GitHubError} if GitHub does not answer or refuses: the promise stays.
 */
export async function keepPromise(
  context: AppContext,
  addScreenshots: AddScreenshots,
  promised: Promised,
  signal: AbortSignal,
): Promise<void> {
  const { subject, stored, payload, answer } = promised
  const { _id: statusId } = stored.update
  const project = answer === undefined ? promised.project : await lookAgain(context, promised, answer)
  if (!project) return
  if (subject === 'status') return await reportCommitStatus(context, { stored, project })
  // `showLater` wrote this type.
  if (subject === 'button') return await showResult(context, { stored, project }, JSON.parse(payload ?? '') as ButtonResult)
  const readEnded = () => readWithPictures(context, addScreenshots, { statusId, project }, signal)
  if (subject === 'check') {
    return await runExclusively(context.store, `check ${statusId}`, async () => {
      const ended = await readEnded()
      if (ended) await concludeCheck(context, { ...ended, results: await readRunResults(context, statusId) })
      else await openCheck(context, statusId, project)
    })
  }
  const ended = await readEnded()
  if (!ended) return
  if (subject === 'deployment') await reportDeployment(context, ended)
  else await comment(context, { ...ended, results: await readRunResults(context, statusId) })
}

/**
 * Reads what GitHub refused to read or to write about: the repository by its ID, then the commit.
 *
 * @returns The project with its current name; `undefined` if the commit was missing the last time too, or needs no check any more.
 * @throws {GitHubError} if the repository cannot be read, or the commit is missing for the first time: GitHub may not show it yet.
 */
export async function lookAgain(
  context: AppContext,
  { subject, stored, project }: RefusedJob,
  answer: string,
): Promise<Project | undefined> {
  const { _id: statusId, commit } = stored.update
  const { checkRunId } = (await context.store.statuses.find(statusId))?.details ?? {}
  if (subject === 'check' && checkRunId === undefined && (await isOvertaken(context, stored.update, subject))) return undefined
  const current = await refreshProject(context, project)
  if (await findCommit(clientOf(context, current), toName(current), commit.sha)) return current
  const missing = `Cannot read commit ${commit.sha.slice(0, 7)} of \`${current.owner}/${current.repo}\`: GitHub does not have it`
  if (answer !== missing) throw new GitHubError(missing, { failure: 'not-found', operation: 'read commit' })
  context.log.warn({ statusId, subject, reason: missing }, 'Ended a promise')
  return undefined
}

/** Reads a record that has ended, once the screenshots of its site are taken. */
async function readWithPictures(
  context: AppContext,
  addScreenshots: AddScreenshots,
  { statusId, project }: { readonly statusId: string; readonly project: Project },
  signal: AbortSignal,
): Promise<ProjectUpdate | undefined> {
  const { store } = context
  // The check and the comment may be written at the same time.
  return await runExclusively(store, `screenshots of ${statusId}`, async () => {
    const ended = await store.statuses.find(statusId)
    if (ended?.update.endedAt === undefined) return undefined
    await addScreenshots({ update: ended.update, details: ended.details, project }, signal)
    const pictured = await store.statuses.find(statusId)
    if (pictured?.update.endedAt === undefined) return undefined
    const { update, details } = pictured
    return { update, details, project }
  })
}

/** Shows the check of a record that has not ended. */
async function openCheck(context: AppContext, statusId: string, project: Project): Promise<void> {
  const { store } = context
  const stored = await store.statuses.find(statusId)
  if (!stored) return
  const check = await ensureCheck(context, { ...stored, project })
  if (!check) return
  const { waiting } = stored.details
  const at = context.now().toISOString()
  if (waiting) {
    const outcome = { title: waiting.line, summary: escapeMarkdown(waiting.line), annotations: [], actions: [], completedAt: at }
    await concludeCheckRun(clientOf(context, project), toName(project), check.id, {
      ...outcome,
      ...(waiting.isLong && { conclusion: 'neutral' as const }),
    })
  } else if (!check.isNew && stored.update.status === 'in_progress') {
    await startCheckRun(clientOf(context, project), toName(project), check.id, at)
  }
  if (!(await mayWantStatus(context, stored))) return
  await store.accept({ wanted: [{ statusId, subject: 'status', details: { statusBegun: true } }] })
}

/** Concludes the check of a record that has ended. Until the app may write checks, a commit status shows the result if possible. */
async function concludeCheck(context: AppContext, options: ReportOptions): Promise<void> {
  const { update, details, project, results } = options
  const feedback = results && toFeedback(context, options, results)
  try {
    const check = await ensureCheck(context, options)
    if (check) await conclude(context, project, check.id, await toOutcome(context, options, feedback))
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'forbidden') {
      await reportCommitStatus(context, { stored: { update, details }, project }, 'check').catch(() => undefined)
    }
    throw error
  }
}

/** Concludes the check, without annotations while GitHub rejects them: a check must not stay open because of them. */
async function conclude(context: AppContext, project: Project, checkRunId: number, outcome: CheckOutcome): Promise<void> {
  const client = clientOf(context, project)
  try {
    await concludeCheckRun(client, toName(project), checkRunId, outcome)
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure !== 'invalid' || outcome.annotations.length === 0) throw error
    const summary = `${outcome.summary.slice(0, summaryCharacters)}\n\nGitHub rejected the annotations. See the details page for the problems.`
    await concludeCheckRun(client, toName(project), checkRunId, { ...outcome, summary, annotations: [] })
    throw error
  }
}

/** Comments on pull requests, unless the update runs again for another base: a pull request was opened or changed meanwhile. */
async function comment(context: AppContext, { results, ...ended }: ReportOptions): Promise<void> {
  const { changedPull, commentOff } = ended.details
  if (!results) return
  if (changedPull !== undefined && (await rerunForOtherBase(context, ended, changedPull))) return
  if (commentOff) return
  await commentOnPullRequests(context, { ...ended, feedback: toFeedback(context, ended, results) })
}

/**
 * Runs an update again if its commit would be compared with another base now. The check must show the changes for the target branch too. The
 * new run comments when it ends.
 */
async function rerunForOtherBase(
  context: AppContext,
  { update, details, project }: ProjectUpdate,
  pullNumber: number,
): Promise<boolean> {
  const { _id, commit } = update
  const stored = { update, details }
  // Two promises about the same pull request may be kept at once.
  return await runExclusively(context.store, `base of ${_id}`, async () => {
    const newest = await context.store.statuses.findNewest(project.id, { sha: commit.sha })
    if (newest?.update._id !== _id) return true
    if (!(await hasOtherBase(clientOf(context, project), project, stored))) return false
    const updates = await planRerun(context, { stored, project }, `for the target of pull request #${pullNumber}`)
    await context.store.accept({ updates })
    return true
  })
}

/** The content of the check and the comment. */
function toFeedback(
  context: AppContext,
  { update, details, project }: ProjectUpdate,
  { documents, pages, diagnostics, api }: RunResults,
): Feedback {
  const shown = toAnnotations(diagnostics).length
  const notes = [
    ...(shown > annotationLimit ? [`Annotations show only the first ${annotationLimit} of ${shown} problems`] : []),
    ...(isBroken({ update, details }, diagnostics) ? [update.summary] : []),
    ...(details.filesTruncated ? ['The list of changed files may be incomplete'] : []),
    ...(api?.kind === 'unavailable' ? [describeUnavailable(api)] : []),
    ...(details.site?.noReview === undefined ? [] : [details.site.noReview]),
    ...(details.forkPreview === 'off' ? ['No preview: `github.forkPreviews` is `never` on the default branch'] : []),
  ]
  return {
    headSha: update.commit.sha,
    ...toReportedSite(context, { update, details, project }),
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

/** The site of a record with its review, if they were made. */
function toReportedSite(context: AppContext, { update, details, project }: ProjectUpdate): Pick<Feedback, 'site' | 'review'> {
  const url = toCommitSite(context, { update, details, project })
  if (!details.site || url === undefined) return {}
  const { mainRoute, changedPages, changedCount, stays, hasReview } = details.site
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
      changedCount,
      ...(stays && { note: `The production site was not updated: ${notPublishedReason}.` }),
    },
    ...(hasReview && { review: { words: 'review', url: toPageUrl(url, reviewRoute) } }),
  }
}

function detailsUrlOf(context: AppContext, { _id, createdAt }: EndedUpdate): string {
  return toSignedLink(context.urls.linkKey, context.urls.base(), _id, new Date(createdAt))
}

/** Whether an update failed for another reason than its documents: its site cannot be built. */
function isBroken({ update, details }: Omit<ProjectUpdate, 'project'>, diagnostics: readonly Diagnostic[]): boolean {
  return update.status === 'failure' && details.checkConclusion === undefined && countFindings(diagnostics).errors === 0
}

async function toOutcome(context: AppContext, options: ReportOptions, feedback: Feedback | undefined): Promise<CheckOutcome> {
  const { update, details } = options
  const conclusion = details.checkConclusion ?? update.status
  const shownFeedback = conclusion === 'skipped' || !feedback ? undefined : feedback
  const fallbackSummary = `${escapeMarkdown(update.summary)} (${renderTrustedLink('details', detailsUrlOf(context, update))})`
  return {
    conclusion,
    title: (shownFeedback && !isBroken(options, shownFeedback.diagnostics)
      ? renderCheckTitle(shownFeedback)
      : update.summary
    ).slice(0, 250),
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
    return [toButton('approve-preview')]
  }
  if (details.overtaken || installationId === undefined || toCommitBranch(update.commit.ref, project) === undefined) return []
  const isOutdated = update.status === 'success' && (details.changeCount ?? 0) > 0
  const isBreaking = results?.api?.kind === 'compared' && countChanges(listChanges(results.api.changes)).breaking > 0
  if (!(isOutdated || isBreaking) || !(await mayCommit(context, installationId))) return []
  return [...(isOutdated ? [toButton('regenerate')] : []), ...(isBreaking ? [toButton('accept-changes')] : [])]
}

const buttons: Readonly<Record<ButtonName, Omit<CheckAction, 'identifier'>>> = {
  'approve-preview': { label: 'Approve preview', description: 'Build and host the site of this commit' },
  regenerate: { label: 'Regenerate', description: 'Commit the pages to this branch' },
  'accept-changes': { label: 'Accept changes', description: 'Record the breaking changes as accepted' },
}

function toButton(identifier: ButtonName): CheckAction {
  return { ...buttons[identifier], identifier }
}

/** The results of a run that the check and the comment show. Plain data. */
export interface RunResults extends Pick<Feedback, 'documents' | 'pages' | 'diagnostics'> {
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
async function readRunResults({ store }: AppContext, statusId: string): Promise<RunResults | undefined> {
  const stored = await store.statuses.findResults(statusId)
  // `toStoredResults` wrote this type.
  return stored && (JSON.parse(String(gunzipSync(stored))) as RunResults)
}
