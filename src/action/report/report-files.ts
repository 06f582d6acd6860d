import { mkdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { toUpdateJson } from '../../docs/update/update-results.ts'
import { isInside, resolveThroughLinks } from '../../files/boundary.ts'
import { createFile, makeStagingFolder, replaceFile } from '../../files/disk-writes.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject } from '../../text/json/json-values.ts'
import { toSafeJson } from '../../text/plain/escape-text.ts'
import { type ActionReport, explainFailure } from './action-report.ts'

/**
 * Writes the result of a run as JSON to a new folder in the runner's temporary folder.
 *
 * @returns the path of the file, or `''` if it cannot be written.
 */
export async function writeReportFile(report: ActionReport, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const folder = makeStagingFolder(environment['RUNNER_TEMP'] || tmpdir(), 'openapi-pages-')
    const path = join(folder, 'report.json')
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
export async function writeSarifFile(report: ActionReport, sarifFile: string, workspace: string): Promise<void> {
  const path = await toSarifPath(sarifFile, workspace)
  const { formatSarif } = await import('../../diagnostics/format-ci.ts')
  try {
    mkdirSync(dirname(path), { recursive: true })
    replaceFile(
      path,
      formatSarif((report.source ?? report.update)?.diagnostics ?? [], { isComplete: report.failures.length === 0 }),
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
export async function toSarifPath(sarifFile: string, workspace: string): Promise<string> {
  const path = resolveThroughLinks(join(workspace, sarifFile))
  const top = resolveThroughLinks(workspace)
  if (!isInside(top, path)) throw toInputError(sarifFile, 'expected a file in the workspace')
  if (/(^|[/\\])\.git([/\\]|$)/i.test(relative(top, path))) throw toInputError(sarifFile, 'expected a file outside `.git`')
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
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Array.isArray(value['runs'])
  } catch {
    return false
  }
}
