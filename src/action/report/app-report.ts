import { setSecret } from '@actions/core'
import { countFindings } from '../../diagnostics/diagnostic.ts'
import type { Update } from '../../docs/types.ts'
import {
  describeStopped,
  toRecordTexts,
  toUpdateLogs,
  toUpdateReport,
  type UpdateReport,
} from '../../docs/update/update-results.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import type { Files } from '../../files/files.ts'
import { type Git, openTrustedGit, readGit } from '../../git/git.ts'
import { toChangeLogs } from '../../github/report/feedback.ts'
import { requestWorkflowToken, sendReport } from '../../status/client/call-app.ts'
import {
  type FilesChanged,
  toBrokenSummary,
  toFailedSummary,
  toValidSummary,
  type UpdateCommit,
} from '../../status/update-record.ts'
import { ask } from '../../text/errors.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { describeGrant } from '../inputs/github-access.ts'
import type { DocsInputs, ReportInputs } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'
import { type ActionReport, type AppResult, explainFailure } from './summary.ts'

/**
 * Reports a run to the app, one record per docs directory. Authenticates with the OIDC token of the workflow or with `app-token`.
 *
 * Never rejects and takes at most half a minute: the run does not fail if the app is unreachable.
 */
export async function reportToApp(
  inputs: Pick<ReportInputs, 'appUrl' | 'appToken'> & Pick<DocsInputs, 'workingDirectory'>,
  event: ActionEvent,
  report: ActionReport,
  environment: NodeJS.ProcessEnv,
): Promise<AppResult> {
  const { appUrl, appToken } = inputs
  const records: AppResult['records'][number][] = []
  const fail = (reason: string, hint: string, isExpected = false): AppResult => {
    return { records, trouble: `Cannot report to \`${appUrl}\`: ${reason}. ${hint}`, isExpected }
  }
  if (appUrl === undefined) return { records, trouble: undefined, isExpected: false }
  try {
    if (event.sha === undefined || !event.ref.startsWith('refs/')) {
      return fail('this event has no commit', 'Use `app-url` on pushes and pull requests', true)
    }
    const identity = appToken === undefined ? await requestWorkflowToken(environment, appUrl) : undefined
    if (identity?.kind === 'absent') {
      return event.isFork
        ? fail('workflows of forks have no OIDC token', 'Install the app, which checks pull requests from forks', true)
        : fail('the OIDC token is missing', `${describeGrant(report.access, 'id-token: write')}, or set the input \`app-token\``)
    }
    if (identity?.kind === 'failed') {
      return fail(`cannot get an OIDC token: ${identity.reason}`, 'Run the job again, or set the input `app-token`')
    }
    const token = appToken ?? identity?.token ?? ''
    // Masks the token in the log.
    setSecret(token)
    const commit = await readCommit(openTrustedGit(report.boundary), event.sha, event.ref, environment)
    const updates = report.updates.length > 0 ? report.updates : [undefined]
    const files = openDiskFiles(report.boundary)
    for (const update of updates) {
      const root = update?.root ?? joinPath('', inputs.workingDirectory)
      const body = await toAppReport({ root, update }, report, commit, files)
      const result = await sendReport(body, { url: appUrl, token, proxyVariables: environment })
      if (result.kind === 'failed') return fail(result.reason, result.hint)
      records.push({ root, statusId: result.statusId, detailsUrl: result.detailsUrl })
    }
    return { records, trouble: undefined, isExpected: false }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 'Report this bug in openapi-pages with this message')
  }
}

async function readCommit(git: Git, sha: string, ref: string, environment: NodeJS.ProcessEnv): Promise<ReportedCommit> {
  // A checkout can lack the commit of the event.
  const message = await ask(() => readGit(git, 'read the commit', ['log', '-1', '--format=%B', sha, '--']))
  const author = environment['GITHUB_ACTOR'] || 'unknown'
  return { sha, ref, message: message.kind === 'known' ? message.value.trim() : '', author }
}

/** The commit of a run. */
export interface ReportedCommit extends Omit<UpdateCommit, 'filesChanged'> {
  readonly author: string
}

// The limits of the API (docs/status-api.md). The app would reject the whole report if one of them was exceeded.
const summaryCharacters = 1_000
const lineCharacters = 4_096
const messageCharacters = 65_536
const pathsPerList = 20_000
/** Slightly less than the 4 MiB that the app accepts. */
const bodyBytes = 4_000_000

/** Creates the body of `POST /v1/project/report` for one docs directory. */
export async function toAppReport(
  { root, update }: { readonly root: string; readonly update: Update | undefined },
  report: ActionReport,
  commit: ReportedCommit,
  files: Files,
): Promise<object> {
  const failures = report.failures.map((failure) => toOneLine(explainFailure(failure).message))
  const shown = update && toRecordTexts(update, update.hasAudiences)
  const errors = countFindings(update?.diagnostics ?? []).errors
  const apiChanges = report.apiChanges?.get(root)
  const logs = [
    ...(shown ? toUpdateLogs(shown) : []),
    ...(apiChanges ? toChangeLogs(apiChanges) : []),
    ...failures,
    ...(report.commitSha === undefined ? [] : [`Committed ${report.commitSha} to ${report.branch ?? ''}`]),
    ...report.addedFiles.slice(0, 50).map((path) => `~ ${path} (written by an earlier step)`),
    ...describeIncompleteList(report.filesChanged),
  ]
  const pages = update?.pages.filter(({ kind }) => kind !== 'unchanged') ?? []
  const found = update && {
    ...(await toUpdateReport({ ...update, pages, unchangedPageCount: update.pages.length - pages.length }, files)),
    durationMs: Math.min(86_400_000, Math.round(performance.now())),
  }
  const body = {
    root,
    status: failures.length > 0 || errors > 0 ? 'failure' : 'success',
    summary: truncate(toSummary(failures, errors, shown, report), summaryCharacters),
    author: truncate(commit.author, 255),
    logs: logs.map((line) => truncate(line, lineCharacters)),
    commit: {
      sha: commit.sha,
      ref: commit.ref,
      message: commit.message.slice(0, messageCharacters),
      filesChanged: truncateLists(report.filesChanged),
    },
  }
  if (found) {
    // Shrink a large report: first omit source lines, then more and more diagnostics.
    for (const shown of [found, ...[500, 100, 20, 0].map((count) => shrinkReport(found, count))]) {
      if (sizeOf({ ...body, report: shown }) <= bodyBytes) return { ...body, report: shown }
    }
  }
  return sizeOf(body) <= bodyBytes ? body : { ...body, commit: { ...body.commit, filesChanged: noFiles } }
}

function shrinkReport(report: UpdateReport, count: number): UpdateReport {
  const findings = report.findings.slice(0, count).map(({ frame, ...finding }) => finding)
  return { ...report, findings, pages: report.pages.slice(0, count * 40) }
}

function toSummary(failures: readonly string[], errors: number, update: Update | undefined, { commitSha }: ActionReport): string {
  if (failures[0] !== undefined) return toBrokenSummary(failures[0])
  if (!update) return 'Nothing to do.'
  if (errors > 0) return toFailedSummary(update.diagnostics)
  const { documents, pages, diagnostics, hasDocsConfig } = update
  return toValidSummary({
    documents: documents.length,
    operations: documents.reduce((sum, { operationCount }) => sum + operationCount, 0),
    problems: countFindings(diagnostics),
    stopped: describeStopped(documents)?.what,
    ...(hasDocsConfig ? { pages: pages.filter(({ kind }) => kind !== 'kept' && kind !== 'unchanged').length } : {}),
    isWritten: commitSha !== undefined,
  })
}

const noFiles: FilesChanged = { added: [], modified: [], removed: [] }

function truncateLists(found: ActionReport['filesChanged']): FilesChanged {
  const { added, modified, removed } = found === undefined || found.way === 'all' ? noFiles : found.filesChanged
  const take = (paths: readonly string[]) => paths.filter((path) => path.length <= lineCharacters).slice(0, pathsPerList)
  return { added: take(added), modified: take(modified), removed: take(removed) }
}

/** Explains why the lists of changed files are incomplete, if they are. */
function describeIncompleteList(found: ActionReport['filesChanged']): readonly string[] {
  if (found === undefined) return []
  if (found.way === 'all') return [`Cannot determine the changed files, so all files are treated as changed: ${found.reason}`]
  const { added, modified, removed } = found.filesChanged
  const isCut = Math.max(added.length, modified.length, removed.length) > pathsPerList
  const notes = isCut ? [`The list of changed files is incomplete: it is limited to ${pathsPerList} files of each kind`] : []
  return found.truncated === undefined ? notes : [`The list of changed files is incomplete: ${found.truncated}`, ...notes]
}

/** Shortens text to one line of limited length, as the API requires. */
function truncate(text: string, characters: number): string {
  const line = text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() || '–'
  return line.length > characters ? `${line.slice(0, characters - 1)}…` : line
}

function sizeOf(body: object): number {
  return Buffer.byteLength(JSON.stringify(body))
}
