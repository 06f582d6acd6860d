import { countFindings, type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { configFileNames } from '../../docs/config/config-files.ts'
import type { ChangesSetting } from '../../docs/config/project-config.ts'
import { toRecordTexts } from '../../docs/update/update-results.ts'
import type { OwnPath } from '../../files/boundary.ts'
import { listBranchTips } from '../../github/apps/github-app.ts'
import type { Archive } from '../../github/repositories/archives.ts'
import { readBranch, readTip } from '../../github/repositories/branches.ts'
import { listRepositoryFiles } from '../../github/repositories/commits.ts'
import { readPullRequestTrust } from '../../github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import {
  appendLogs,
  finishUpdate,
  type Project,
  type RunningUpdate,
  startUpdate,
  toBrokenSummary,
} from '../../status/update-record.ts'
import type { EndResults, LeasedJob } from '../../store/queue/jobs.ts'
import type { MissingSite, StoredUpdate, UpdateDetails } from '../../store/records/stored-records.ts'
import { isForkRef } from '../../store/sites/stored-sites.ts'
import { GitHubError } from '../../text/errors.ts'
import { baseName, encodeUrlPart } from '../../text/plain/paths.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toJobFailure, toName } from '../base/projects.ts'
import { countPreviews, findCpuWait, findStorageRefusal } from '../base/quotas.ts'
import { toStoredChanges } from '../base/stored-changes.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { type CheckedRepository, checkArchive, createKeepSiteFiles, type RunCheck, withArchive } from '../check/check-archive.ts'
import { type CommitBase, compareApi, createCommitBase, toToday } from '../check/compare-archives.ts'
import { describeOrganization, readOrganization } from '../check/read-organization.ts'
import { addMissedUpdate, refreshProject, toReconcileContext } from '../github-events/reconcile/settle-repository.ts'
import { findDocsRoots, queueSiblings, syncProjects } from '../github-events/reconcile/sync-projects.ts'
import { lookAgain, toStoredResults } from '../github-events/report/report-run.ts'
import { KeptProcess } from '../isolate/untrusted-process.ts'
import type { BuildSite } from '../publish/build-run-site.ts'
import type { ProjectUpdate, ReviewSource } from '../publish/built-site.ts'
import { type BaseSettings, decideForkPreview, readBaseSettings } from '../publish/fork-previews.ts'
import type { ScreenshotTaker } from '../publish/screenshot-taker.ts'
import { completeCommit, describeBase, describeCheck } from './describe-run.ts'

type RunJob = Extract<LeasedJob, { kind: 'run' }>

/** What the jobs of a server run besides their own code. */
export interface JobPrograms {
  readonly runCheck: RunCheck
  /** `undefined` if the server hosts no sites, or the program was not built. */
  readonly buildSite: BuildSite | undefined
  readonly pictures: ScreenshotTaker
}

/** Only runs that take longer set their check to "in progress", which saves a write for shorter ones. */
const showRunningAfterMs = 3_000

/**
 * Runs an update: reads the files of its commit, checks them, and ends the record. Its check follows under the same lease.
 *
 * @returns `undefined` if another attempt has the job, or if it is back in the queue: the installation has used its CPU time, or a newer commit
 *   of the branch runs first.
 * @throws {GitHubError} for temporary errors; any other error is a bug or an error of the store.
 */
export async function runUpdateJob(
  context: AppContext,
  programs: JobPrograms,
  metrics: Metrics,
  job: RunJob,
  signal: AbortSignal,
): Promise<ProjectUpdate | undefined> {
  const { store, now } = context
  if (await mustWait(context, job)) return undefined
  const started = start(job.stored, now())
  if (!started || !(await store.queue.save(job.lease, started))) return undefined
  context.log.info({ headSha: started.commit.sha, attempt: job.lease.attempt }, 'Update started')
  const startedAt = now()
  const end = await check(context, programs, metrics, { job, started, signal }).catch((error: unknown): Checked => {
    // What GitHub refuses to show, it may show later.
    if (!(error instanceof GitHubError) || error.failure !== 'refused') throw error
    return {
      update: started,
      project: job.project,
      status: 'failure',
      summary: toBrokenSummary(toJobFailure(error).reason),
      logs: [],
      details: {},
    }
  })
  if (end === 'postponed') return undefined
  const { project, status, summary, details, report } = end
  const endedAt = now()
  const ended = finishUpdate(end.update, { status, summary, endedAt: endedAt.toISOString(), logs: end.logs })
  const durationMs = Math.max(0, endedAt.getTime() - startedAt.getTime())
  const isPreview = ended.commit.ref !== `refs/heads/${project.defaultBranch}`
  const results = { ...end, isPreview, report: report && JSON.stringify({ ...report, durationMs }) }
  if (!(await store.queue.finish(job.lease, ended, results))) return undefined
  return { update: ended, details: { ...job.stored.details, ...details }, project }
}

/** Postpones an update if its installation has used its CPU time, and adds a line to its logs. */
async function mustWait(context: AppContext, job: RunJob): Promise<boolean> {
  const { installationId } = job.project
  const until = installationId === undefined ? undefined : await findCpuWait(context, installationId)
  if (until === undefined) return false
  const minutes = context.config.installationCpuMinutes
  const quota = `${minutes} CPU minutes an hour (INSTALLATION_CPU_MINUTES=${minutes})`
  const reason = `this installation has used its quota of ${quota}`
  await context.store.queue.retry(job.lease, { reason, refusal: 'quota', retryAfterMs: until - context.now().getTime() })
  return true
}

const readingSummary = 'Reading the files of the commit.'

/** Returns `undefined` if the record has already ended. */
function start({ update }: StoredUpdate, at: Date): RunningUpdate | undefined {
  const line = `Checking ${update.commit.sha.slice(0, 7)} of ${update.commit.ref}, started at `
  if (update.status === 'queued') return appendLogs(startUpdate(update, readingSummary), [`${line}${at.toISOString()}`])
  if (update.status !== 'in_progress') return undefined
  // Drop the lines of the unfinished attempt, because this attempt writes them again.
  const logs = update.logs.slice(0, update.logs.findIndex((one) => one.startsWith(line)) + 1)
  return appendLogs({ ...update, summary: readingSummary, logs }, [`Restarted at ${at.toISOString()}`])
}

interface Checked extends Omit<EndResults, 'report'> {
  readonly update: RunningUpdate
  readonly project: Project
  readonly status: 'success' | 'failure'
  readonly summary: string
  readonly logs: readonly string[]
  readonly details: Partial<UpdateDetails>
  readonly report?: object
}

async function check(
  context: AppContext,
  programs: JobPrograms,
  metrics: Metrics,
  { job, started, signal }: { readonly job: RunJob; readonly started: RunningUpdate; readonly signal: AbortSignal },
): Promise<Checked | 'postponed'> {
  const { store, config } = context
  const { answer } = job
  if (answer !== undefined && !(await lookAgain(context, job, answer))) {
    throw new GitHubError(answer, { failure: 'refused', operation: 'read commit' })
  }
  const client = clientOf(context, job.project)
  // Use the current name and visibility of the repository, because webhooks may be outdated.
  const known = await refreshProject(context, job.project)
  const position = await findBranchPosition(context, client, known, job)
  const { isOvertaken, tipSha } = position
  if (tipSha !== started.commit.sha) await ensureTipUpdate(context, metrics, client, known, position)
  if (isOvertaken) {
    // Once: the update of the tip may have to wait too.
    const mayYield = tipSha !== undefined && !job.validationOnly
    if (mayYield && (await store.queue.yieldToTip(job.lease, tipSha))) return 'postponed'
  }
  const timeMs = config.runTimeoutSeconds * 1000
  const endsAt = performance.now() + timeMs
  // A check that waits says so until it ends.
  const running = job.stored.details.waiting ? undefined : showRunning(context, job)
  try {
    const completed = await completeCommit(client, known, started, job.stored.details)
    const since = await describeBase(store, client, known, completed.update, job.stored.details)
    const overtaken = isOvertaken ? [describeOvertaken(position)] : []
    const update = appendLogs(completed.update, [...completed.logs, ...(since === undefined ? [] : [since]), ...overtaken])
    const { sha } = update.commit
    // Another branch may show the commit. A site that cannot be built fails its check there, so it has to fail here too.
    const isUnseen = isOvertaken && job.validationOnly && (await store.statuses.list(known.id, { sha }))?.updates.length === 1
    const buildSite = isUnseen ? undefined : programs.buildSite
    const keep = buildSite ? createKeepSiteFiles() : undefined
    return await withArchive(context, { project: known, sha, timeMs, signal, keep }, async (archive, folder) => {
      const timeLeft = () => Math.max(1_000, Math.ceil(endsAt - performance.now()))
      const run = { job: { ...job, project: known }, update, position, archive, folder, timeLeft, signal }
      const kept = new KeptProcess()
      const result = await judge(context, programs, run, kept).finally(() => kept.end())
      const judged = { ...result, details: { ...result.details, ...completed.details } }
      const { checked } = judged
      if (!checked || !hasSite(checked)) return judged
      if (!programs.buildSite) return withoutSite(judged, 'hosting')
      if (!buildSite) return judged
      return await addSite(context, { ...programs, buildSite }, run, { ...judged, checked })
    })
  } finally {
    clearTimeout(running)
  }
}

/** An update whose files were read. */
interface Run {
  readonly job: RunJob
  readonly update: RunningUpdate
  readonly position: BranchPosition
  readonly archive: Archive
  /** Where the archive was unpacked. */
  readonly folder: OwnPath
  /** In milliseconds. */
  readonly timeLeft: () => number
  readonly signal: AbortSignal
}

/** A result with what the site is built from; without `checked`, the check was stopped. */
interface Judged extends Checked {
  readonly checked?: CheckedRepository
  /** Settings of the default branch for a commit of a fork. */
  readonly github?: BaseSettings['github'] | undefined
  /** The base whose documents differ. */
  readonly base?: { readonly commit: CommitBase; readonly sha: string; readonly settings: ChangesSetting | undefined } | undefined
}

/** Checks the documents of a commit and compares its API with the version before, in one process. */
async function judge(
  context: AppContext,
  { runCheck, buildSite }: JobPrograms,
  { job, update, position, archive, folder, timeLeft, signal }: Run,
  kept: KeptProcess,
): Promise<Judged> {
  const { isTip } = position
  const project = await resolveProject(context, job, archive)
  const settings = isForkRef(update.commit.ref) ? await readBaseSettings(context, project) : undefined
  const github = settings?.github
  const stored = { ...job.stored, update }
  const base = createCommitBase(context, { project, stored, folder, timeMs: timeLeft(), signal })
  const files = { archive, folder, project, base, kept, signal }
  const found = await readOrganization(context, { ...files, today: toToday(stored) })
  const organization = found.kind === 'found' ? found.request : undefined
  const end = await checkArchive(runCheck, { ...files, withChanges: false, github, organization, timeMs: timeLeft() })
  const read = describeArchive(archive)
  if (end.kind === 'stopped') {
    const details = toPositionDetails(position)
    return { update, project, status: 'failure', summary: toBrokenSummary(end.reason), logs: read, details, isTip }
  }
  const checked = end.answer
  const { status, logs, ...described } = describeCheck(checked, project.root)
  const isHidden = position.isOvertaken && buildSite !== undefined && hasSite(checked)
  const compared = await compareApi(context, runCheck, {
    ...files,
    checked,
    settings: settings?.changes,
    stored,
    timeMs: timeLeft(),
  })
  const comparison = compared?.comparison
  return {
    update,
    project,
    status,
    summary: isHidden ? `${described.summary} ${describeOvertaken(position)}.` : described.summary,
    logs: [...read, ...logs, ...describeOrganization(found, checked.organization), ...(compared?.logs ?? [])],
    details: { ...described.details, ...toPositionDetails(position), ...compared?.details },
    isTip,
    results: toStoredResults(checked, compared?.comparison),
    report: checked.report,
    apiChanges: compared && toStoredChanges(compared.comparison),
    audiences: findAudiences(checked),
    checked,
    github,
    ...(comparison?.kind === 'compared' &&
      comparison.concernsDocuments && {
        base: { commit: base, sha: comparison.changes.baseSha, settings: settings?.changes },
      }),
  }
}

/** The audiences that the configuration of a commit has. `undefined` if the file has errors, because it may mean others. */
function findAudiences({ site, diagnostics }: CheckedRepository): EndResults['audiences'] {
  const isWrong = ({ severity, file }: Diagnostic) =>
    severity === 'error' && configFileNames.some((name) => name === baseName(file))
  return diagnostics.some(isWrong) ? undefined : (site.audiences ?? 'none')
}

/** Builds the site of a checked commit, unless settings or quotas forbid it. */
async function addSite(
  context: AppContext,
  { buildSite, pictures: { isOn } }: JobPrograms & { readonly buildSite: BuildSite },
  run: Run,
  judged: Judged & { readonly checked: CheckedRepository },
): Promise<Checked> {
  const { job, update, position, archive, folder, signal } = run
  const { project, checked, status, summary, details } = judged
  const addLogs = (...logs: readonly string[]): Judged => ({ ...judged, logs: [...judged.logs, ...logs] })
  const { _id: statusId, commit } = update
  const isPreview = commit.ref !== `refs/heads/${project.defaultBranch}`
  if (isPreview && countPreviews(context, project) === 0) {
    const isOffOnServer = context.config.sitePreviews === 0
    const source = isOffOnServer ? 'on this server (SITE_PREVIEWS)' : 'in the settings of the project'
    return withoutSite(addLogs(`No preview: previews are off ${source}`), 'previews')
  }
  const { github } = judged
  const fork = github && (await decideForkPreview(context, { project, stored: job.stored, settings: github }))
  const forkLines = fork ? [fork.reason] : []
  if (fork && fork.kind !== 'build') return { ...addLogs(...forkLines), details: { ...details, forkPreview: fork.kind } }
  const reason = project.installationId === undefined ? undefined : await findStorageRefusal(context, project.installationId)
  if (reason !== undefined) {
    const refusal = `No site was built: ${reason}. Published sites stay online.`
    return withoutSite({ ...addLogs(refusal), summary: `${summary} ${refusal}` }, 'quota')
  }
  const { errors } = countFindings(checked.diagnostics)
  const checkResult = errors === 0 ? 'The check succeeded.' : `The check found ${formatCount(errors, 'error')}.`
  const line = `Building the site, started at ${context.now().toISOString()}`
  const summaryWhileBuilding = `${checkResult} Building the site.`
  const building = appendLogs({ ...update, summary: summaryWhileBuilding }, [...judged.logs, ...forkLines, line])
  // If the lease is lost, the caller discards the result.
  if (!(await context.store.queue.save(job.lease, building))) return judged
  const mayPublish = status === 'success' || checked.site.publish === 'always' ? 'always' : 'until-success'
  const publish = position.isOvertaken ? 'never' : mayPublish
  const review = isPreview ? await openReview(context, run, judged) : undefined
  // Another branch cannot change who reads what.
  const own = position.isTip ? findAudiences(checked) : undefined
  const audiences = own === 'none' ? undefined : (own ?? project.audiences)
  const reported = toRecordTexts(checked, checked.site.audiences !== undefined).diagnostics
  const site = { archive, folder, project, statusId, commit, reported, publish, review, audiences } as const
  const built = await buildSite(site, signal)
  if (built.kind === 'gone') return judged
  if (built.kind === 'staged') {
    const pictures = isOn ? { pictures: 'awaited' as const } : {}
    const tags = built.usesTags ? { usesTags: true as const } : {}
    const more = { details: { ...details, site: built.summary, ...tags, ...pictures }, site: built.site }
    return { ...addLogs(...forkLines, ...built.logs), ...more }
  }
  const remedy = built.setting === undefined ? '' : ` Make the site smaller, or increase \`${built.setting}\` on the server.`
  const failed = addLogs(...forkLines, `The site was not built: ${built.reason}. The published site stays online.${remedy}`)
  // Errors in documents are the more useful summary.
  return { ...failed, status: 'failure', summary: errors > 0 ? summary : toBrokenSummary(built.reason) }
}

/** What the review of a commit is made from. Without the archive of its base, the site has no review. */
async function openReview({ urls }: AppContext, { job, update }: Run, { base }: Judged): Promise<ReviewSource | undefined> {
  const archive = await base?.commit.unpack(base.sha)
  if (!base || !archive || 'reason' in archive) return undefined
  const acceptUrl = `${urls.base()}/updates/${encodeUrlPart(update._id)}`
  const { folder } = base.commit
  const today = toToday({ ...job.stored, update })
  return { base: { folder, archive }, baseSha: base.sha, today, settings: base.settings, acceptUrl }
}

function withoutSite(judged: Judged, noSite: MissingSite): Judged {
  return { ...judged, details: { ...judged.details, noSite } }
}

function toPositionDetails({ isOvertaken, tipSha }: BranchPosition): Partial<UpdateDetails> {
  return isOvertaken ? { overtaken: true, ...(tipSha === undefined ? {} : { overtakenBy: tipSha }) } : {}
}

function describeOvertaken({ branch, tipSha }: BranchPosition): string {
  return tipSha === undefined
    ? `Not published: ${branch} no longer exists`
    : `Not published: ${branch} is at ${tipSha.slice(0, 7)}`
}

function hasSite({ kind, hasDocsConfig }: CheckedRepository): boolean {
  return kind !== 'nothing' && hasDocsConfig
}

/** Determines the docs directory of the record, and creates projects for the others. */
async function resolveProject(context: AppContext, job: RunJob, archive: Archive): Promise<Project> {
  const { project, stored } = job
  const { commit } = stored.update
  let { roots, leftOutCount } = findDocsRoots(archive.kept)
  const isDefaultBranch = commit.ref === `refs/heads/${project.defaultBranch}`
  // Only the default branch defines projects: untrusted pull requests must not create any.
  if (!isDefaultBranch) {
    const isUnsettled = project.root === '' && !project.hasDocsConfig && roots.length > 0
    if (!isUnsettled) return project
    const listing = await listRepositoryFiles(clientOf(context, project), toName(project), project.defaultBranch)
    ;({ roots, leftOutCount } = findDocsRoots(listing.paths))
  }
  if (leftOutCount > 0) context.log.warn({ repositoryId: project.repositoryId, leftOutCount }, 'Too many docs directories')
  const projects = await syncProjects(context, project, roots)
  await queueSiblings(context, stored, projects)
  return projects.find(({ id }) => id === project.id) ?? project
}

function describeArchive({ kept, refused, refusedCount, expandedBytes }: Archive): string[] {
  const lines = refused.slice(0, 10).map(({ path, reason }) => `Skipped \`${path}\`: ${reason}`)
  const hidden = refusedCount - lines.length
  const size = `${Math.ceil(expandedBytes / 1024).toLocaleString('en-US')} KB`
  return [
    `Read ${formatCount(kept.length, 'file')} from the archive (${size} in total)`,
    ...lines,
    ...(hidden > 0 ? [`… and skipped ${hidden.toLocaleString('en-US')} more`] : []),
  ]
}

/** Wants the check to be "in progress" if the run takes longer. */
function showRunning({ store, log }: AppContext, { stored: { update } }: RunJob): NodeJS.Timeout {
  const { _id: statusId } = update
  return setTimeout(() => {
    store.accept({ wanted: [{ statusId, subject: 'check' }] }).catch((error: unknown) => {
      log.warn({ err: error, statusId }, 'Cannot show that an update is running')
    })
  }, showRunningAfterMs)
}

/** Where GitHub's branch is, compared with the commit of an update. */
interface BranchPosition {
  /** The default branch points at the commit, so its site is published. */
  readonly isTip: boolean
  /** Another commit is the one to show. A commit requested through the API is shown until the branch moves. */
  readonly isOvertaken: boolean
  /** The commit that the branch points at; `undefined` if there is no such branch, or if it was not read. */
  readonly tipSha: string | undefined
  /** As people write it: `main`, `#7`. */
  readonly branch: string
}

/**
 * Compares the commit of an update with its branch on GitHub. The order in which webhooks arrived says nothing about it.
 *
 * Every commit of other branches than the default one may have a preview, so these are read only for their first update, which may come late,
 * and if a newer update of the branch is known.
 *
 * @throws {GitHubError}
 */
async function findBranchPosition(
  { store }: AppContext,
  client: GitHubClient,
  project: Project,
  job: RunJob,
): Promise<BranchPosition> {
  const { update, details } = job.stored
  const { sha, ref } = update.commit
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const pullNumber = Number(/^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1] ?? 0)
  const name = branch ?? (pullNumber > 0 ? `#${pullNumber}` : ref)
  const isDefault = branch === project.defaultBranch
  const mayBeOld = isDefault || job.validationOnly
  const isFirst = async () => (await store.statuses.list(project.id, { ref, limit: 2 }))?.updates.length === 1
  if (!mayBeOld && !(await isFirst())) return { isTip: false, isOvertaken: false, tipSha: undefined, branch: name }
  const tipSha = await readHead(client, project, { branch, pullNumber })
  const isRequested = isDefault && tipSha !== undefined && details.requestedAtTip === tipSha
  const isOvertaken = mayBeOld && tipSha !== sha && !isRequested
  return { isTip: isDefault && tipSha === sha, isOvertaken, tipSha: isRequested ? undefined : tipSha, branch: name }
}

/** The commit that a branch or the head of a pull request points at; `undefined` if there is no such branch. @throws {GitHubError} */
async function readHead(
  client: GitHubClient,
  project: Project,
  { branch, pullNumber }: { readonly branch: string | undefined; readonly pullNumber: number },
): Promise<string | undefined> {
  const repository = toName(project)
  if (branch === project.defaultBranch) return await readTip(client, repository, branch)
  // GitHub answers 404 also by mistake, for a moment. A list without the branch is certain.
  if (branch !== undefined)
    return (await readBranch(client, repository, branch)) ?? (await listBranchTips(client, repository)).get(branch)
  return pullNumber === 0 ? undefined : (await readPullRequestTrust(client, repository, pullNumber)).headSha
}

/** Queues an update of the commit that the branch points at, if the webhook of its push was lost. @throws {GitHubError} */
async function ensureTipUpdate(
  context: AppContext,
  metrics: Metrics,
  client: GitHubClient,
  project: Project,
  { branch, tipSha }: BranchPosition,
): Promise<void> {
  const ref = `refs/heads/${branch}`
  if (tipSha === undefined || branch.startsWith('#')) return
  if ((await context.store.statuses.findForTip({ projectId: project.id, ref, sha: tipSha })) !== undefined) return
  await addMissedUpdate(toReconcileContext(context, metrics), client, project, { ref, sha: tipSha })
}
