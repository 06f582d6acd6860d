import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { endGroup, error, info, notice, setOutput, startGroup, warning } from '@actions/core'
import { type Change, countChanges } from '../../changes/change.ts'
import {
  countFindings,
  type Diagnostic,
  formatCount,
  formatCounts,
  renameFiles,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { type Annotation, formatText, plainPalette, toAnnotation } from '../../diagnostics/format-text.ts'
import type { Update } from '../../docs/types.ts'
import { describeStopped, toUpdateJson } from '../../docs/update/update-results.ts'
import { findInside, type InsidePath, joinOwned, type OwnedPath, toUserPath, type UserPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFile, disk, makeTemporaryFolder, replaceFile } from '../../files/disk-writes.ts'
import { annotateChanges, describeApiChanges, listChanges, listFailingChanges } from '../../github/report/feedback.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject, parseJson } from '../../text/json/json-values.ts'
import { escapeLines, escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { countPages, type Delivery, describeDelivery } from '../delivery/commit-message.ts'
import type { ReportInputs } from '../inputs/inputs.ts'
import { type ActionReport, type AppResult, explainFailure, hasNoPages, listProblems, renderSummary } from './summary.ts'

/**
 * Publishes a run: log, annotations, job summary, files and outputs. Returns whether the step passes.
 *
 * @param environment of the process, in which the runner names the summary file.
 */
export async function publishReport(
  found: ActionReport,
  inputs: Pick<ReportInputs, 'failOn' | 'failOnDrift' | 'sarifFile'>,
  workspace: OwnedPath,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly passed: boolean }> {
  const report = await withSarifFile(found, inputs.sarifFile, workspace)
  const { update, failures, note, troubles, app, source } = report
  setOutputs(report, await writeReportFile(report, environment))
  if (note !== undefined) notice(escapeText(note))
  if (update) await logUpdate(update, report)
  else if (source) await logProblems(source.diagnostics, source.boundary)
  const isNoticed = report.delivery ? logDelivery(report.delivery) : false
  const warnings = report.delivery?.warnings ?? []
  for (const line of warnings) warning(escapeText(line), { title: 'API pages' })
  const isWarned = app ? logAppResult(app) : false
  if (troubles.length > 0) printText(troubles.map(escapeText).join('\n'))
  for (const failure of failures) {
    const { message, hint } = explainFailure(failure, report.access)
    error(escapeLines(hint === undefined ? message : `${message}\n${hint}`), { title: 'API pages' })
  }
  const hasDrifted = report.mode === 'check' && inputs.failOnDrift && !source && update !== undefined && update.changes.length > 0
  if (hasDrifted) {
    const count = `${formatCount(update.changes.length, 'file')} out of date`
    error(`${count}\nRun \`openapi-pages update\` and commit the changes`, { title: 'API pages' })
  }
  const failing = listFailing(report)
  if (failing.length > 0) {
    error(
      `${escapeLines(describeApiChanges(failing) ?? '')}\n\`changes.failOn\` in the configuration file makes the run fail. The job summary lists them`,
      {
        title: 'API changes',
      },
    )
  }
  const used = {
    error: failures.length + Number(hasDrifted) + Number(failing.length > 0),
    warning: Number(isWarned) + warnings.length,
    info: Number(note !== undefined) + Number(isNoticed),
  }
  // Only files of this repository have lines to annotate.
  const changes = source ? [] : [...(report.apiChanges?.values() ?? [])].flatMap(annotateChanges)
  const { diagnostics, boundary } = source ?? { diagnostics: update?.diagnostics ?? [], boundary: report.boundary }
  annotate(diagnostics, changes, { boundary, workspace }, used)
  await writeSummary(report, toUserPath(environment['GITHUB_STEP_SUMMARY'] ?? ''))
  return { passed: failures.length === 0 && !hasDrifted && failing.length === 0 && !hasFailingDiagnostics(report, inputs.failOn) }
}

/** The changes that make the run fail. */
function listFailing({ apiChanges }: ActionReport): readonly Change[] {
  return [...(apiChanges?.values() ?? [])].flatMap(listFailingChanges)
}

/** Returns whether it created an annotation. */
function logDelivery(delivery: Delivery): boolean {
  const lines = describeDelivery(delivery)
  if (lines.length > 0) printText(lines.map(escapeText).join('\n'))
  // The run passes, but the user has to act.
  const isKept = delivery.operation === 'pull-request-kept' || delivery.operation === 'pull-request-declined'
  if (isKept) notice(escapeText(delivery.notes.at(-1) ?? ''), { title: 'API pages' })
  return isKept
}

async function withSarifFile(report: ActionReport, sarifFile: string | undefined, workspace: OwnedPath): Promise<ActionReport> {
  if (sarifFile === undefined) return report
  try {
    await writeSarifFile(report, sarifFile, workspace)
    return report
  } catch (reason) {
    return { ...report, failures: [...report.failures, reason] }
  }
}

/** Returns whether it created an annotation. */
function logAppResult({ records, trouble, isExpected }: AppResult): boolean {
  if (records.length > 0) printText(records.map(({ statusId }) => `Reported to the app: ${escapeText(statusId)}`).join('\n'))
  if (trouble === undefined) return false
  if (isExpected) printText(escapeText(trouble))
  else warning(escapeText(trouble))
  return !isExpected
}

function hasFailingDiagnostics(report: ActionReport, failOn: ReportInputs['failOn']): boolean {
  const { errors, warnings } = countFindings(listProblems(report))
  return failOn !== 'never' && (errors > 0 || (failOn === 'warning' && warnings > 0))
}

/** Appends the job summary. Failing to write it does not fail the run. */
async function writeSummary(report: ActionReport, path: UserPath | undefined): Promise<void> {
  if (!path) return
  try {
    const { size } = await stat(path)
    await disk.appendFile(path, renderSummary(report, size))
  } catch (reason) {
    warning(`Cannot write the job summary: ${escapeText(reason instanceof Error ? reason.message : String(reason))}`)
  }
}

/** Sets every output of `action.yml`, also if the run failed. */
function setOutputs(report: ActionReport, reportPath: string): void {
  const { update, updates, addedFiles, commitSha, delivery, app, apiChanges } = report
  const counts = apiChanges && countChanges([...apiChanges.values()].flatMap(listChanges))
  const { errors, warnings } = countFindings(listProblems(report))
  const { added, modified, removed } = countPages(update?.pages ?? [])
  setOutput('changed', addedFiles.length > 0 || (update !== undefined && update.changes.length > 0))
  setOutput('committed', commitSha !== undefined)
  setOutput('commit-sha', commitSha ?? '')
  setOutput('commit-verified', delivery?.isVerified ?? '')
  setOutput('operation', delivery?.operation ?? 'none')
  setOutput('pull-request-number', delivery?.pullRequest?.number ?? '')
  setOutput('pull-request-url', delivery?.pullRequest?.url ?? '')
  setOutput('error-count', errors)
  setOutput('warning-count', warnings)
  setOutput('pages-added', added)
  setOutput('pages-modified', modified)
  setOutput('pages-removed', removed)
  setOutput('breaking-changes', counts?.breaking ?? '')
  setOutput('risky-changes', counts?.risky ?? '')
  setOutput('compatible-changes', counts?.compatible ?? '')
  setOutput('status-id', (app?.records ?? []).map(({ statusId }) => statusId).join('\n'))
  setOutput('roots', JSON.stringify(updates.map(toRootResult)))
  setOutput('report-path', reportPath)
  setOutput('review', report.review ?? '')
}

/** Returns the entry of a docs directory in the output `roots`. */
function toRootResult({ root, changes, diagnostics, pages }: Update): object {
  const { errors, warnings } = countFindings(diagnostics)
  const { added, modified, removed, kept } = countPages(pages)
  return { root: root || '.', changed: changes.length > 0, errors, warnings, added, modified, removed, kept }
}

/**
 * Writes the result of a run as JSON to a new folder in the runner's temporary folder.
 *
 * @returns the path of the file, or `''` if it cannot be written.
 */
async function writeReportFile(report: ActionReport, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const folder = makeTemporaryFolder('openapi-pages-', environment['RUNNER_TEMP'])
    const path = joinOwned(folder, 'report.json')
    createFile(path, `${toSafeJson(toReportJson(report))}\n`)
    return path
  } catch {
    return ''
  }
}

/** Starts with the fields of `update --format json`. Fields are only ever added. */
function toReportJson(report: ActionReport): object {
  const { update, updates, mode, note, branch, commitSha, delivery, plannedAt, filesChanged, links, failures, access, source } =
    report
  const nothing = { pages: [], changes: [], documents: [], diagnostics: [] }
  return {
    ...toUpdateJson(update ?? nothing),
    mode,
    ...(note === undefined ? {} : { note }),
    ...(branch === undefined ? {} : { branch }),
    commit: plannedAt,
    ...(commitSha === undefined ? {} : { commitSha }),
    operation: delivery?.operation ?? 'none',
    addedFiles: report.addedFiles,
    ...(delivery?.isVerified === undefined ? {} : { commitVerified: delivery.isVerified }),
    ...(delivery?.pullRequest === undefined ? {} : { pullRequest: delivery.pullRequest }),
    filesChanged:
      filesChanged === undefined || filesChanged.way === 'all'
        ? { way: 'all', ...(filesChanged === undefined ? {} : { reason: filesChanged.reason }) }
        : {
            way: filesChanged.way,
            ...filesChanged.filesChanged,
            ...(filesChanged.truncated === undefined ? {} : { truncated: filesChanged.truncated }),
          },
    documents: update?.documents ?? [],
    roots: updates
      .map(({ root, ...rest }) => ({ root: root || '.', ...toUpdateJson(rest) }))
      .map(({ diagnostics: _, ...root }) => root),
    ...(update?.stored === undefined ? {} : { stored: update.stored }),
    ...(source === undefined
      ? {}
      : {
          source: {
            docsRepository: source.docsRepository,
            commit: source.sha,
            documents: source.documents,
            diagnostics: toUpdateJson({ pages: [], changes: [], documents: [], diagnostics: source.diagnostics }).diagnostics,
          },
        }),
    runUrl: links.runUrl,
    failures: failures.map((failure) => explainFailure(failure, access)),
  }
}

/**
 * Writes the diagnostics as SARIF to the file named by the input `sarif-file`. Writes the file even without diagnostics, for the upload step.
 *
 * @throws {ConfigError} if the file cannot be written, and for the errors of `toSarifPath`.
 */
async function writeSarifFile(report: ActionReport, sarifFile: string, workspace: OwnedPath): Promise<void> {
  const path = await toSarifPath(sarifFile, workspace)
  const { formatSarif } = await import('../../diagnostics/format-ci.ts')
  try {
    replaceFile(
      path,
      formatSarif((report.source ?? report.update)?.diagnostics ?? [], { isComplete: report.failures.length === 0 }),
      { parents: true },
    )
  } catch (error) {
    throw toInputError(sarifFile, `cannot write the file: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Resolves the input `sarif-file`. Only SARIF files may be overwritten, so that a typo or a symbolic link in a fork cannot replace other
 * files.
 *
 * @throws {ConfigError} if the path is outside the workspace or in `.git`, or another kind of file exists.
 */
export async function toSarifPath(sarifFile: string, workspace: OwnedPath): Promise<InsidePath> {
  const path = findInside(workspace, sarifFile)
  if (path === undefined) throw toInputError(sarifFile, 'expected a file in the workspace, outside `.git`')
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return path
  if (!stats.isFile()) throw toInputError(sarifFile, 'expected a file, but a directory with this name exists')
  if (!isSarif(await readFile(path, 'utf8')))
    throw toInputError(sarifFile, 'expected a new file or an existing SARIF file', nameHint)
  return path
}

const nameHint = 'Use a path such as `openapi-pages.sarif`'

function toInputError(sarifFile: string, what: string, hint?: string): ConfigError {
  return new ConfigError(`Unexpected \`${sarifFile}\` for the input \`sarif-file\`, ${what}`, hint === undefined ? {} : { hint })
}

/** Accepts an empty file too, because an earlier step may have created it. */
function isSarif(text: string): boolean {
  if (text.trim() === '') return true
  const value = parseJson(text)
  return isObject(value) && Array.isArray(value['runs'])
}

const signs = { added: '+', modified: '~', removed: '-', kept: '=', unchanged: ' ' }

/** Logs all diagnostics in a group. */
async function logProblems(diagnostics: readonly Diagnostic[], boundary: OwnedPath, title = 'Problems'): Promise<void> {
  if (diagnostics.length === 0) return
  startGroup(`${title}: ${formatCounts(countFindings(diagnostics))}`)
  const sources = await readSources(diagnostics, boundary)
  const sourceOf = (file: string) => sources.get(file)
  printText(formatText(diagnostics, { palette: plainPalette, sourceOf, all: true, lineWidth: 160 }))
  endGroup()
}

/** Logs all diagnostics and changes of a run. */
async function logUpdate(update: Update, report: ActionReport): Promise<void> {
  const { mode, boundary, branch, commitSha, addedFiles, source } = report
  if (source) await logProblems(source.diagnostics, source.boundary)
  await logProblems(update.diagnostics, boundary, source ? `Problems in ${source.docsRepository}` : undefined)
  const changed = update.pages.filter((page) => page.kind !== 'unchanged')
  const lines = changed.map(({ kind, path, operation, detail }) => {
    return `  ${signs[kind]} ${escapeText(path)}  ${escapeText(operation)}${detail === undefined ? '' : `  (${escapeText(detail)})`}`
  })
  for (const { kind, path, origin } of update.stored ?? []) {
    lines.push(
      `  ${signs[kind]} ${escapeText(path)}  (from ${escapeText(origin.repository)}@${escapeText(origin.sha.slice(0, 7))})`,
    )
  }
  for (const path of addedFiles) lines.push(`  ~ ${escapeText(path)}  (written by an earlier step)`)
  if (lines.length > 0) printText(lines.join('\n'))
  if (mode === 'dry-run' && update.changes.length > 0) {
    printText(['Files:', ...update.changes.map(({ kind, path }) => `  ${kind.padEnd(6)} ${escapeText(path)}`)].join('\n'))
  }
  if (commitSha !== undefined) printText(`Committed ${commitSha} to ${escapeText(branch ?? '')}`)
  else if (update.changes.length + addedFiles.length === 0 && countFindings(update.diagnostics).errors === 0)
    info(
      describeStopped(update.documents)?.text ??
        (hasNoPages(update) ? 'The documents have no errors' : 'All pages are up to date'),
    )
}

/**
 * Creates annotations for the most severe diagnostics, spread over the files, and then for API changes, as many as GitHub shows. Logs how
 * many problems were left out.
 *
 * @param place the folder that diagnostics are relative to, and the workspace, which annotations must be relative to.
 * @param used the number of existing annotations per level.
 */
function annotate(
  diagnostics: readonly Diagnostic[],
  changes: ReturnType<typeof annotateChanges>,
  place: { readonly boundary: OwnedPath; readonly workspace: OwnedPath },
  used: { readonly [severity in Severity]: number },
): void {
  const shown = chooseAnnotations(diagnostics, used)
  const prefix = relative(resolve(place.workspace), place.boundary).split(sep).join('/')
  const toWorkspace = (file: string) => (prefix === '' || isUrl(file) ? file : `${prefix}/${file}`)
  const commands = { error, warning, notice }
  const create = ({ level, message, title, place: at }: Annotation, file: string) => {
    // GitHub cannot show an annotation at a file that does not exist.
    commands[level](message, {
      title,
      ...(at && existsSync(join(place.workspace, file)) ? { ...at, file: escapeText(file) } : {}),
    })
  }
  for (const diagnostic of renameFiles(shown, toWorkspace)) create(toAnnotation(diagnostic), diagnostic.file)
  // Changes only use what the problems leave.
  for (const level of ['error', 'warning'] as const) {
    const taken = used[level] + shown.filter(({ severity }) => severity === level).length
    const ofLevel = changes.filter(({ annotation }) => annotation.level === level)
    for (const { annotation, place: at } of ofLevel.slice(0, Math.max(0, shownPerLevel - taken)))
      create(annotation, toWorkspace(at.file))
  }
  if (shown.length < diagnostics.length) {
    info(
      `Annotations show ${formatNumber(shown.length)} of ${formatCount(diagnostics.length, 'problem')}. The group above lists all of them`,
    )
  }
}

/** GitHub shows this many annotations per level and step, and silently drops the rest. */
const shownPerLevel = 10

const severities: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Chooses at most ten diagnostics per severity for annotations, the first of each file before the second of any file. The most severe come
 * first, in their original order.
 *
 * @param used the number of existing annotations per level.
 */
export function chooseAnnotations(
  diagnostics: readonly Diagnostic[],
  used: { readonly [severity in Severity]: number },
): readonly Diagnostic[] {
  return severities.flatMap((severity) => {
    const ofSeverity = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    const left = Math.max(0, shownPerLevel - used[severity])
    const chosen = new Set(spreadOverFiles(ofSeverity).slice(0, left))
    return ofSeverity.filter((diagnostic) => chosen.has(diagnostic))
  })
}

function spreadOverFiles(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, number>()
  const ranked = diagnostics.map((diagnostic) => {
    const rank = seen.get(diagnostic.file) ?? 0
    seen.set(diagnostic.file, rank + 1)
    return { diagnostic, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ diagnostic }) => diagnostic)
}

/** Reads the files of diagnostics to show source lines. Skips unreadable files. */
async function readSources(diagnostics: readonly Diagnostic[], boundary: OwnedPath): Promise<ReadonlyMap<string, SourceFile>> {
  // The clone of a docs repository is removed at the end of the run.
  if (!existsSync(boundary)) return new Map()
  const files = openDiskFiles(boundary)
  const sources = new Map<string, SourceFile>()
  for (const path of new Set(diagnostics.map(({ file }) => file))) {
    if (isUrl(path)) continue
    const result = await files.read(path)
    if (result.kind === 'file') sources.set(path, toSourceFile(path, result.bytes))
  }
  return sources
}

/**
 * Prints text to the log so that the runner never interprets a line of it as a workflow command.
 *
 * Wraps only text that could be a command in `::stop-commands::`, because these lines are visible in the log.
 * Source: "Workflow commands for GitHub Actions", "Stopping and starting workflow commands".
 */
export function printText(text: string): void {
  const block = text.endsWith('\n') ? text : `${text}\n`
  if (!couldBeCommand(block)) process.stdout.write(block)
  else {
    const token = randomUUID()
    process.stdout.write(`::stop-commands::${token}\n${block}::${token}::\n`)
  }
}

/**
 * Whether the runner could read a line as a command: the trimmed line starts with `::`, or it contains `##[`. Source: `ActionCommand` of
 * the runner. Its comparison ignores invisible characters, so this function removes them first.
 */
function couldBeCommand(text: string): boolean {
  return text.split(/[\r\n\v\f\x85\u2028\u2029]/).some((line) => {
    const visible = line.replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    return /^\s*::/.test(visible) || visible.includes('##[')
  })
}
