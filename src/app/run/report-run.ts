import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import { type CheckAction, type CheckOutcome, concludeCheckRun, listAnnotations, toAnnotations } from '../../github/check-run.ts'
import type { Feedback, ReportedDocument, ReportedPage, ReportedSite } from '../../github/report/feedback.ts'
import { escapeMarkdown, renderTrustedLink } from '../../github/report/markdown.ts'
import { renderCheckSummary, renderCheckTitle } from '../../github/report/render-check-summary.ts'
import type { EndedUpdate, Project, UpdateCommit } from '../../status/types.ts'
import type { LeasedJob } from '../../store/job-rows.ts'
import { isForkRef } from '../../store/stored-sites.ts'
import type { UpdateDetails } from '../../store/update-rows.ts'
import { changedPagesId } from '../pages/changed-pages-section.ts'
import { addComparison } from '../screenshots/compare-pages.ts'
import { addScreenshots } from '../screenshots/screenshots.ts'
import { toSignedLink } from '../signed-links.ts'
import type { ReportedDiagnostic, UpdateReport } from '../stored-report.ts'
import { notPublishedReason } from './build-run-site.ts'
import { toCommitSite, toPageUrl } from './built-site.ts'
import { type CheckedRepository, checkArchive, withArchive } from './check-archive.ts'
import { commentOnPullRequests, ensureCheck, mayWriteOn, reportCommitStatus, reportDeployment } from './commit-feedback.ts'
import { readBaseSettings } from './fork-previews.ts'
import { clientOf, type RunContext, toName } from './run-context.ts'

/** Maximum annotations per check. At 50 per request, they use 40 of the 500 writes per hour that GitHub allows an installation. */
const annotationLimit = 2_000
/** Leaves space for another sentence below GitHub's limit of 65,535 characters. */
const summaryCharacters = 65_000

interface ReportOptions {
  readonly update: EndedUpdate
  readonly details: UpdateDetails
  readonly project: Project
  readonly validationOnly: boolean
  /** Absent if nothing was checked. */
  readonly findings: RunResults | undefined
  /** An earlier attempt may have reported partially. */
  readonly isRetry: boolean
}

/**
 * Takes screenshots of the site, then reports the result of an update to GitHub: the check, the comments on pull requests, and the commit
 * status and deployment if the repository enables them. Then takes screenshots of the changed pages of a preview.
 *
 * Every step is idempotent. If the app may not write checks, it still does the other steps.
 *
 * @throws {GitHubError}
 */
export async function reportUpdate(context: RunContext, options: ReportOptions, signal: AbortSignal): Promise<void> {
  const update = await addScreenshots(context, options, signal)
  const { details, project, findings, validationOnly, isRetry } = options
  const feedback = findings && toFeedback(context, { update, details, project }, findings)
  const outcome = await reportCheck(context, options, feedback)
  if (outcome === 'gone') return
  if (feedback && !validationOnly && details.trigger !== 'merge_group') {
    await commentOnPullRequests(context, { update, details, project, feedback })
  }
  const isCheckRefused = outcome !== 'reported'
  const mayExist = isRetry || details.mayHaveCheck === true
  await reportCommitStatus(context, { statusId: update._id, project, isCheckRefused, mayExist })
  await reportDeployment(context, { update, details, project, validationOnly, mayExist })
  // After the report, which they would delay. The page of the update shows them.
  await addComparison(context, { update, project }, signal)
  if (outcome !== 'reported') throw outcome
}

/** Returns the error if the app may not write checks, and `gone` if the record no longer exists. */
async function reportCheck(
  context: RunContext,
  options: ReportOptions,
  feedback: Feedback | undefined,
): Promise<'reported' | 'gone' | GitHubError> {
  const { update, details, project, isRetry } = options
  try {
    const checkRunId = await ensureCheck(context, { statusId: update._id, project, mayExist: isRetry })
    if (checkRunId === undefined) return 'gone'
    if (details.checkConcludedAt !== undefined) return 'reported'
    const outcome = await toOutcome(context, options, feedback)
    await conclude(context, project, checkRunId, outcome)
    await context.store.statuses.addDetails(update._id, { checkConcludedAt: context.now().toISOString() })
    return 'reported'
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'forbidden') return error
    throw error
  }
}

/** Concludes the check, without annotations if GitHub rejects them: a check must end. */
async function conclude(context: RunContext, project: Project, checkRunId: number, outcome: CheckOutcome): Promise<void> {
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
  context: RunContext,
  { update, details, project }: Pick<ReportOptions, 'update' | 'details' | 'project'>,
  { documents, pages, diagnostics }: RunResults,
): Feedback {
  const shown = toAnnotations(diagnostics).length
  const notes = [
    ...(shown > annotationLimit ? [`Annotations show only the first ${annotationLimit} of ${shown} problems`] : []),
    ...(details.filesTruncated ? ['The list of changed files may be incomplete'] : []),
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
    notes,
  }
}

/** The site of a record, if one was built. */
function toReportedSite(
  context: RunContext,
  { update, details, project }: Pick<ReportOptions, 'update' | 'details' | 'project'>,
): { readonly site?: ReportedSite } {
  const url = toCommitSite(context, { update, details, project })
  if (!details.site || url === undefined) return {}
  const { mainRoute, changedPages, changedCount, stays } = details.site
  const { screenshotLight: light, screenshotDark: dark } = update
  const isCompared = details.comparison !== undefined && details.comparison.state !== 'failed'
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
      ...(isCompared ? { comparisonUrl: `${detailsUrlOf(context, update)}#${changedPagesId}` } : {}),
      ...(stays && { note: `The production site was not updated: ${notPublishedReason}.` }),
    },
  }
}

function detailsUrlOf(context: RunContext, { _id, createdAt }: EndedUpdate): string {
  return toSignedLink(context.linkKey, context.baseUrl(), _id, new Date(createdAt))
}

async function toOutcome(context: RunContext, options: ReportOptions, feedback: Feedback | undefined): Promise<CheckOutcome> {
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

/** Identifier of the button that approves the preview of a commit from a fork. */
export const approveIdentifier = 'approve-preview'

/** Identifier of the button that commits pages to the branch. */
export const regenerateIdentifier = 'regenerate'

/** The branch that "Regenerate" may commit to: any branch of this repository except the default branch and merge queues. */
export function toRegenerateBranch(ref: string, { defaultBranch }: Project): string | undefined {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  return branch === undefined || branch === defaultBranch || branch.startsWith('gh-readonly-queue/') ? undefined : branch
}

async function toActions(
  context: RunContext,
  { update, details, project, validationOnly }: ReportOptions,
): Promise<readonly CheckAction[]> {
  const { installationId } = project
  if (details.forkPreview === 'waiting' && !validationOnly) {
    return [{ label: 'Approve preview', description: 'Build and host the site of this commit', identifier: approveIdentifier }]
  }
  const wanted = update.status === 'success' && (details.changeCount ?? 0) > 0 && !validationOnly
  if (!wanted || installationId === undefined || toRegenerateBranch(update.commit.ref, project) === undefined) return []
  if (!(await mayWriteOn(context, installationId, 'contents'))) return []
  return [{ label: 'Regenerate', description: 'Commit the pages to this branch', identifier: regenerateIdentifier }]
}

/**
 * Reports an ended record to GitHub from its stored report, after the attempt that ran it failed to do so.
 *
 * @throws {GitHubError}
 */
export async function reportJob(
  context: RunContext,
  { stored, project, validationOnly }: Extract<LeasedJob, { kind: 'run' | 'report' }>,
  signal: AbortSignal,
): Promise<void> {
  const { update, details } = stored
  if (update.endedAt === undefined) throw new Error(`Cannot report update \`${update._id}\`: it has not ended`)
  const json = await context.store.statuses.findReport(update._id)
  let findings = json === undefined ? undefined : readRunResults(json)
  if (findings && !findings.isComplete && details.checkConcludedAt === undefined) {
    // The store keeps only the first diagnostics. Checking the same commit again produces all of them.
    findings = await checkAgain(context, { commit: update.commit, project }, findings, signal)
  }
  await reportUpdate(context, { update, details, project, validationOnly, findings, isRetry: true }, signal)
}

async function checkAgain(
  context: RunContext,
  { commit: { sha, ref }, project }: { commit: UpdateCommit; project: Project },
  stored: RunResults,
  signal: AbortSignal,
): Promise<RunResults> {
  const timeMs = context.config.runTimeoutSeconds * 1000
  const github = isForkRef(ref) ? await readBaseSettings(context, project) : undefined
  const end = await withArchive(context, { project, sha, timeMs, signal }, (archive, folder) =>
    checkArchive(context, { archive, folder, project, withChanges: false, github, timeMs, signal }),
  )
  return end.kind === 'done' ? toRunResults(end.checked) : stored
}

/** The results of a run that the check and the comment show. */
export interface RunResults {
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  readonly diagnostics: readonly Diagnostic[]
  /** False if only the first diagnostics are stored. */
  readonly isComplete: boolean
}

export function toRunResults({ documents, pages, diagnostics }: CheckedRepository): RunResults {
  return { documents, pages, diagnostics, isComplete: true }
}

/** Reads results from the stored report of a record. */
export function readRunResults(json: string): RunResults {
  // The run stored exactly this type.
  const report = JSON.parse(json) as UpdateReport
  const { error, warning, info } = report.findingCounts
  return {
    documents: report.documents.map((document) => ({ ...document, version: document.version })),
    pages: report.pages.map(({ kind, path, operation = '', detail }) => ({ kind, path, document: '', operation, detail })),
    diagnostics: report.findings.map(toDiagnostic),
    isComplete: report.findings.length === error + warning + info,
  }
}

function toDiagnostic(finding: ReportedDiagnostic): Diagnostic {
  const { code, severity, message, file, pointer, hint, related = [] } = finding
  return {
    // The report stores codes as strings, so that records of other versions stay readable.
    code: code as Diagnostic['code'],
    severity,
    message,
    file,
    pointer,
    range: toRange(finding),
    related: related.map((place) => ({ file: place.file, message: place.message, range: toRange(place) })),
    ...(hint === undefined ? {} : { hint }),
  }
}

function toRange(place: { line: number; column: number; endLine: number; endColumn: number }): Diagnostic['range'] {
  return { start: { line: place.line, column: place.column }, end: { line: place.endLine, column: place.endColumn } }
}
