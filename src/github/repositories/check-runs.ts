import { bySeverity, type Diagnostic, ruleNameOf, type Severity } from '../../diagnostics/diagnostic.ts'
import { toAnnotationRange } from '../../diagnostics/format-text.ts'
import { GitHubError } from '../../text/errors.ts'
import { isObject } from '../../text/json/json-values.ts'
import { escapeLines, escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { annotateChanges, type Feedback } from '../report/feedback.ts'
import { callGitHub, type GitHubOperation, repeatable, toOperation } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/github-client.ts'

/** A button in the check. GitHub's limits: label 20, description 40, identifier 20 characters; three buttons. */
export interface CheckAction {
  readonly label: string
  readonly description: string
  readonly identifier: string
}

/** The result of a check. */
export interface CheckOutcome {
  /** Absent while the check waits for its result. */
  readonly conclusion?: CheckConclusion
  /** One line of text above the summary. Escaped when it is sent. */
  readonly title: string
  /** Markdown of at most 65,535 characters, from `renderCheckSummary`. */
  readonly summary: string
  /** In display order; sent 50 at a time. */
  readonly annotations: readonly CheckAnnotation[]
  readonly actions: readonly CheckAction[]
  /** ISO 8601, UTC. */
  readonly completedAt: string
}

/** Required checks also accept `skipped` and `neutral`. */
type CheckConclusion = 'success' | 'failure' | 'neutral' | 'skipped'

/** The check of a record at a commit. */
interface WantedCheck {
  readonly name: string
  readonly headSha: string
  /** The `statusId`, which links the check to its record. */
  readonly externalId: string
  readonly detailsUrl: string
}

/** GitHub REST, "Update a check run": at most 50 annotations per request. Further requests add to them. */
const annotationsPerRequest = 50

/** Creates the check of a commit that has not ended. An earlier attempt may have created it: search first. @throws {GitHubError} */
export async function createCheckRun(
  client: GitHubClient,
  repository: RepositoryName,
  /** `status` is `queued` by default. */
  check: WantedCheck & { readonly status?: 'queued' | 'in_progress' },
): Promise<CheckRun> {
  const { name, headSha, externalId, detailsUrl, status = 'queued' } = check
  const operation = toOperation('create check run', repository, 'checks: write', headSha)
  return await callGitHub(operation, async () => {
    const { data } = await client.rest.checks.create({
      ...repository,
      name,
      head_sha: headSha,
      external_id: externalId,
      details_url: detailsUrl,
      status,
    })
    return toCheckRun(data)
  })
}

/** Newest first. */
async function listCheckRuns(
  client: GitHubClient,
  repository: RepositoryName,
  headSha: string,
  appId: number,
): Promise<CheckRun[]> {
  const runs = await callGitHub(toOperation('read check runs', repository, 'checks: write', headSha), () =>
    client.paginate(client.rest.checks.listForRef, { ...repository, ref: headSha, app_id: appId, filter: 'all', per_page: 100 }),
  )
  return runs.map(toCheckRun).filter((run) => run.appId === appId)
}

/**
 * Finds the check of a record, under any name: its docs directory may have changed. Otherwise, reassigns a check of this app and name to the record
 * if its own record no longer exists. Another server has another app, whose checks can have the same name.
 *
 * @param hasRecord Whether the store has the record with this ID.
 * @returns `undefined` if there is no such check.
 * @throws {GitHubError}
 */
export async function takeOverCheckRun(
  client: GitHubClient,
  repository: RepositoryName,
  check: WantedCheck & { readonly appId: number },
  hasRecord: (externalId: string) => Promise<boolean>,
): Promise<CheckRun | undefined> {
  const { appId, name, headSha, externalId, detailsUrl } = check
  const runs = await listCheckRuns(client, repository, headSha, appId)
  const own = runs.find((run) => run.externalId === externalId)
  if (own) return own
  for (const run of runs) {
    if (run.name !== name || run.externalId === '' || (await hasRecord(run.externalId))) continue
    await updateCheckRun(client, repository, run.id, { external_id: externalId, details_url: detailsUrl })
    return run
  }
  return undefined
}

/** Marks the check as running. @throws {GitHubError} */
export async function startCheckRun(
  client: GitHubClient,
  repository: RepositoryName,
  checkRunId: number,
  /** ISO 8601, UTC. */
  startedAt: string,
): Promise<void> {
  await updateCheckRun(client, repository, checkRunId, { status: 'in_progress', started_at: startedAt })
}

async function updateCheckRun(
  client: GitHubClient,
  repository: RepositoryName,
  checkRunId: number,
  values: { readonly [name: string]: string },
): Promise<void> {
  const parameters = { ...repository, check_run_id: checkRunId, ...values, request: repeatable }
  await callGitHub(toOperation('update check run', repository, 'checks: write'), () => client.rest.checks.update(parameters))
}

/**
 * Completes a check: sends the annotations in sequential batches, with the conclusion in the last one.
 *
 * Reads the check first and continues after its existing annotations, so that a retry adds no duplicates. The order of the
 * annotations must be the same each time. Changes nothing if the check already says all of this.
 *
 * @throws {GitHubError}
 */
export async function concludeCheckRun(
  client: GitHubClient,
  repository: RepositoryName,
  checkRunId: number,
  outcome: CheckOutcome,
): Promise<void> {
  const operation = toOperation('conclude check run', repository, 'checks: write')
  const { summary, conclusion, completedAt, annotations } = outcome
  const title = escapeText(outcome.title)
  const current = await callGitHub(operation, async () =>
    toCheckRun((await client.rest.checks.get({ ...repository, check_run_id: checkRunId })).data),
  )
  const isEnded = (current.status === 'completed') === (conclusion !== undefined) && current.conclusion === conclusion
  const saysSo = current.title === title && current.summary === summary
  if (isEnded && saysSo && current.annotationCount >= annotations.length) return
  let sent = current.annotationCount
  do {
    const batch = annotations.slice(sent, sent + annotationsPerRequest)
    sent += annotationsPerRequest
    const isLast = sent >= annotations.length
    await callGitHub(operation, () =>
      client.rest.checks.update({
        ...repository,
        check_run_id: checkRunId,
        output: { title, summary, ...(batch.length > 0 ? { annotations: batch } : {}) },
        ...(isLast && conclusion
          ? { status: 'completed', conclusion, completed_at: completedAt, actions: [...outcome.actions] }
          : {}),
      }),
    )
  } while (sent < annotations.length)
}

type CheckRunResponse = Awaited<ReturnType<GitHubClient['rest']['checks']['get']>>['data']

type CheckRun = ReturnType<typeof toCheckRun>

/** A check on GitHub. `externalId` is the `statusId` of its record, `appId` the app that created it. */
function toCheckRun(data: CheckRunResponse) {
  return {
    id: data.id,
    name: data.name,
    externalId: data.external_id ?? '',
    appId: data.app?.id,
    status: data.status,
    conclusion: data.conclusion ?? undefined,
    annotationCount: data.output.annotations_count,
    title: data.output.title,
    summary: data.output.summary,
  }
}

/** An annotation, with the field names of GitHub's REST API. */
interface CheckAnnotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly start_column?: number
  readonly end_column?: number
  readonly annotation_level: 'failure' | 'warning' | 'notice'
  readonly message: string
  readonly title: string
  readonly raw_details?: string
}

const levels: Readonly<Record<Severity, CheckAnnotation['annotation_level']>> = {
  error: 'failure',
  warning: 'warning',
  info: 'notice',
}

/** GitHub REST, "Create a check run": the message and the details of an annotation are limited to 64 KB. */
const textLimitBytes = 65_536
/** Same page: titles are limited to 255 characters. */
const titleLimit = 255

/**
 * The annotations of a check: errors, then breaking changes, warnings, risky changes, and info messages, each in the given order. With
 * a limit on annotations, changes never displace errors.
 *
 * Documents at a URL and changes without a line in the head commit appear only in the summary.
 */
export function listAnnotations({ diagnostics, apiChanges }: Pick<Feedback, 'diagnostics' | 'apiChanges'>): CheckAnnotation[] {
  const problems = toAnnotations(diagnostics)
  const ofLevel = (level: CheckAnnotation['annotation_level']) => problems.filter((problem) => problem.annotation_level === level)
  const changes = annotateChanges(apiChanges)
  const ofChanges = (isBreaking: boolean) => {
    return changes
      .filter(({ change }) => (change.level === 'breaking') === isBreaking)
      .map(({ place, annotation: { level, message, title } }) => ({
        ...toPlace(place),
        annotation_level: level === 'error' ? ('failure' as const) : level,
        message: cut(message),
        title,
      }))
  }
  return [...ofLevel('failure'), ...ofChanges(true), ...ofLevel('warning'), ...ofChanges(false), ...ofLevel('notice')]
}

/**
 * Converts the diagnostics in files of the repository to annotations: errors first, otherwise in the given order.
 *
 * Diagnostics of a document at a URL appear only in the summary.
 */
export function toAnnotations(diagnostics: readonly Diagnostic[]): CheckAnnotation[] {
  return bySeverity(diagnostics)
    .filter(({ file }) => !isUrl(file))
    .map((diagnostic) => {
      const details = toDetails(diagnostic)
      return {
        ...toPlace(diagnostic),
        annotation_level: levels[diagnostic.severity],
        message: cut(diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`),
        title: escapeText(ruleNameOf(diagnostic)).slice(0, titleLimit),
        ...(details === '' ? {} : { raw_details: cut(details) }),
      }
    })
}

/** GitHub accepts columns only for a range on a single line. */
function toPlace({ file, range }: Pick<Diagnostic, 'file' | 'range'>) {
  const { startLine, endLine, startColumn, endColumn } = toAnnotationRange(range)
  return {
    path: file,
    start_line: startLine,
    end_line: endLine,
    ...(startColumn === undefined ? {} : { start_column: startColumn, end_column: endColumn }),
  }
}

function toDetails({ section, related }: Diagnostic): string {
  const places = related.map(({ file, range, message }) => `${file}:${range.start.line}:${range.start.column} ${message}`)
  return [...(section === undefined ? [] : [section]), ...places].join('\n')
}

/** Escapes the lines, and cuts to the limit of UTF-8 bytes without splitting a character. */
function cut(text: string): string {
  const escaped = escapeLines(text)
  const bytes = Buffer.from(escaped)
  if (bytes.length <= textLimitBytes) return escaped
  const start = bytes.subarray(0, textLimitBytes - 4).toString()
  return `${start.replace(/(?<!\uFFFD)\uFFFD+$/, '')}…`
}

/** A commit status. GitHub keeps all of them and uses the newest one of each context. */
interface CommitStatus {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** The displayed name. */
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure'
  /** Cut to GitHub's limit of 140 characters. */
  readonly description: string
  readonly targetUrl: string
}

/** Reads the newest commit status of a context. @throws {GitHubError} */
export async function findCommitStatus(
  client: GitHubClient,
  repository: RepositoryName,
  { sha, context }: Pick<CommitStatus, 'sha' | 'context'>,
): Promise<{ readonly state: string; readonly target_url: string | null; readonly description: string | null } | undefined> {
  const { data } = await callGitHub(toOperation('read commit statuses', repository, 'statuses: write', sha), () =>
    client.rest.repos.listCommitStatusesForRef({ ...repository, ref: sha, per_page: 100 }),
  )
  // Newest first. GitHub ignores case in a context.
  return data.find((one) => one.context.toLowerCase() === context.toLowerCase())
}

/** Sets the commit status of a context. Keeps the newest one if it is the same. @throws {GitHubError} */
export async function setCommitStatus(client: GitHubClient, repository: RepositoryName, status: CommitStatus): Promise<void> {
  const { sha, context, state, targetUrl } = status
  const description = toShortDescription(status.description)
  const operation = toOperation('set commit status', repository, 'statuses: write', sha)
  const newest = await findCommitStatus(client, repository, { sha, context })
  if (newest?.state === state && newest.target_url === targetUrl && newest.description === description) return
  await callGitHub(operation, () =>
    client.rest.repos.createCommitStatus({ ...repository, sha, context, state, description, target_url: targetUrl }),
  )
}

/** A deployment with its final state. */
interface Deployment {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** `docs (production)`. */
  readonly environment: string
  /** False for a preview, whose environment is removed with its branch. */
  readonly isProduction: boolean
  /** The `statusId` of its record: one deployment per record. */
  readonly externalId: string
  readonly state: 'success' | 'failure'
  /** Cut to GitHub's limit of 140 characters. */
  readonly description: string
  readonly logUrl: string
  /** URL of the deployed site. */
  readonly siteUrl?: string
}

/** Creates the deployment of a record and sets its state: only the parts that are missing. @throws {GitHubError} */
export async function setDeployment(client: GitHubClient, repository: RepositoryName, deployment: Deployment): Promise<void> {
  const operation = toOperation('write deployment', repository, 'deployments: write', deployment.sha)
  const found = await findDeployment(client, repository, deployment, operation)
  const id = found ?? (await createDeployment(client, repository, deployment, operation))
  const named = { ...repository, deployment_id: id }
  const { state, description, logUrl, siteUrl } = deployment
  if (found !== undefined) {
    const { data } = await callGitHub(operation, () => client.rest.repos.listDeploymentStatuses({ ...named, per_page: 100 }))
    // A later deployment may have made it `inactive` since.
    if (data.some((status) => status.state === state)) return
  }
  const addresses = { log_url: logUrl, ...(siteUrl === undefined ? {} : { environment_url: siteUrl }) }
  const status = { ...named, state, description: toShortDescription(description), ...addresses }
  await callGitHub(operation, () => client.rest.repos.createDeploymentStatus(status))
}

/** In any environment: the default branch or the docs directory may have changed since it was created. */
async function findDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  { sha, externalId }: Deployment,
  operation: GitHubOperation,
): Promise<number | undefined> {
  const { data } = await callGitHub({ ...operation, operation: 'read deployments' }, () =>
    client.rest.repos.listDeployments({ ...repository, sha, per_page: 100 }),
  )
  return data.find(({ payload }) => isObject(payload) && payload['statusId'] === externalId)?.id
}

async function createDeployment(
  client: GitHubClient,
  repository: RepositoryName,
  deployment: Deployment,
  operation: GitHubOperation,
): Promise<number> {
  const { sha, environment, isProduction, externalId } = deployment
  const id = await callGitHub(operation, async () => {
    const { data } = await client.rest.repos.createDeployment({
      ...repository,
      ref: sha,
      environment,
      production_environment: isProduction,
      transient_environment: !isProduction,
      // Deploy exactly this commit: GitHub must neither merge the default branch into it nor wait for our own check.
      auto_merge: false,
      required_contexts: [],
      payload: { statusId: externalId },
    })
    // GitHub responds 202 with only a message when it merged first.
    return 'id' in data ? data.id : undefined
  })
  if (id !== undefined) return id
  throw new GitHubError(`Cannot ${operation.operation} on ${operation.on}: GitHub did not create one`, {
    failure: 'refused',
    operation: operation.operation,
  })
}

/** GitHub REST, "Create a deployment status". Commit statuses have the same limit. */
const characters = 140

/** Escapes a line and cuts it to the length of the description of a commit status or deployment status. */
function toShortDescription(text: string): string {
  const shown = escapeText(text)
  const all = [...shown]
  return all.length <= characters ? shown : `${all.slice(0, characters - 1).join('')}…`
}
