import {
  bySeverity,
  countFindings,
  type Diagnostic,
  diagnosticCodes,
  formatCount,
  type RuleReference,
  ruleNameOf,
} from '../../diagnostics/diagnostic.ts'
import { type DiagnosticJson, toDiagnosticJson } from '../../diagnostics/format-text.ts'
import type { Files } from '../../files/files.ts'
import { compareText, listFirst } from '../../text/plain/lists.ts'
import { baseName, isDataFile, isUrl, joinPath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import type { PageReport } from '../pages/subjects.ts'
import type { DocumentFile, DocumentReport, ReadDocument, StoppedPages, Update } from '../types.ts'

/** Number of lines shown before and after a diagnostic. */
const contextLines = 2
const lineCharacters = 400
const textCharacters = 4_096
const maxReportedDocuments = 2_000
const maxReportedPages = 20_000

/** Creates the stored report of an update: all counts, and the most severe diagnostics with their source lines. */
export async function toUpdateReport(
  found: Pick<Update, 'documents' | 'pages' | 'diagnostics'> & { readonly unchangedPageCount: number },
  files: Files,
): Promise<UpdateReport> {
  const { documents, pages, diagnostics, unchangedPageCount } = found
  const keptDiagnostics = bySeverity(diagnostics).slice(0, maxReportedFindings)
  const lines = await readLines(new Set(keptDiagnostics.map(({ file }) => file)), files)
  const { errors, warnings, infos } = countFindings(diagnostics)
  return {
    documents: documents
      .slice(0, maxReportedDocuments)
      .map(({ path, version, operationCount, errorCount, warningCount, infoCount }) => ({
        path: truncate(path),
        ...(version === undefined ? {} : { version: version.slice(0, 50) }),
        operationCount,
        errorCount,
        warningCount,
        infoCount,
      })),
    pages: pages.slice(0, maxReportedPages).flatMap(({ kind, path, operation, detail }) =>
      kind === 'unchanged'
        ? []
        : [
            {
              kind,
              path: truncate(path),
              operation: truncate(operation),
              ...(detail === undefined ? {} : { detail: truncate(detail) }),
            },
          ],
    ),
    unchangedPageCount,
    findings: keptDiagnostics.map((diagnostic) => toReportedFinding(diagnostic, lines.get(diagnostic.file))),
    findingCounts: { error: errors, warning: warnings, info: infos },
  }
}

function toReportedFinding(diagnostic: Diagnostic, lines: readonly string[] | undefined): ReportedFinding {
  const { rule, message, file, pointer, hint, related, ...rest } = toDiagnosticJson(diagnostic)
  const { start, end } = diagnostic.range
  const firstLine = Math.max(1, start.line - contextLines)
  const shown = lines?.slice(firstLine - 1, start.line + contextLines).map((line) => line.slice(0, lineCharacters))
  return {
    ...rest,
    ...(rule && { rule: toReportedRule(rule) }),
    message: truncate(message),
    file: truncate(file),
    endLine: Math.max(start.line, end.line),
    pointer: truncate(pointer),
    ...(hint === undefined ? {} : { hint: truncate(hint) }),
    ...(related === undefined
      ? {}
      : {
          related: related.slice(0, 20).map((place, index) => {
            const range = diagnostic.related[index]?.range ?? diagnostic.range
            const { line, column } = range.end
            return { ...place, file: truncate(place.file), message: truncate(place.message), endLine: line, endColumn: column }
          }),
        }),
    ...(shown === undefined || shown.length === 0 ? {} : { frame: { firstLine, lines: shown } }),
  }
}

function toReportedRule({ name, documentationUrl }: RuleReference): RuleReference {
  const isShort = documentationUrl !== undefined && documentationUrl.length <= textCharacters
  return { name: truncate(name), ...(isShort && { documentationUrl }) }
}

async function readLines(paths: ReadonlySet<string>, files: Files): Promise<Map<string, readonly string[]>> {
  const lines = new Map<string, readonly string[]>()
  for (const path of paths) {
    const result = isUrl(path) ? undefined : await files.read(path)
    if (result?.kind === 'file') lines.set(path, toSourceFile(path, result.bytes).text.split(/\r\n|\n|\r/))
  }
  return lines
}

function truncate(text: string): string {
  return text.length > textCharacters ? `${text.slice(0, textCharacters - 1)}…` : text
}

/**
 * The report of an update as plain JSON. The Action sends it to the app, which stores it and shows it on the page of the record.
 * `texts/api.json` describes it and defines the length limits.
 *
 * Diagnostics have the format of `openapi-check --format json`, with source lines added.
 */
export interface UpdateReport {
  /** Duration of the run without waiting time. */
  durationMs?: number
  documents: ReportedDocument[]
  pages: ReportedPage[]
  unchangedPageCount: number
  /** The most severe ones. `findingCounts` counts all. */
  findings: ReportedFinding[]
  findingCounts: { error: number; warning: number; info: number }
}

/** The largest number of diagnostics in a report. */
export const maxReportedFindings = 500

type ReportedDocument = { version?: string } & Pick<
  DocumentReport,
  'path' | 'operationCount' | 'errorCount' | 'warningCount' | 'infoCount'
>

interface ReportedPage {
  kind: 'added' | 'modified' | 'removed' | 'kept'
  path: string
  operation?: string
  detail?: string
}

type ReportedPlace = Pick<DiagnosticJson, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>

interface ReportedFinding extends ReportedPlace, Pick<Diagnostic, 'rule' | 'severity' | 'message' | 'pointer' | 'hint'> {
  code: string
  related?: (ReportedPlace & { message: string })[]
  /** Source lines around the diagnostic. `firstLine` counts from 1. */
  frame?: { firstLine: number; lines: string[] }
}

/**
 * What the log and the summary of a record may say about an update. With audiences, they have readers who may not read all sources: findings only have
 * their place and kind, and pages only their path.
 */
export function toRecordTexts<Found extends Pick<Update, 'diagnostics' | 'pages'>>(found: Found, hasAudiences: boolean): Found {
  if (!hasAudiences) return found
  const diagnostics = found.diagnostics.map(({ hint: _, ...one }) => ({ ...one, message: diagnosticCodes[one.code].title }))
  return { ...found, diagnostics, pages: found.pages.map(({ detail: _, ...page }) => ({ ...page, operation: '' })) }
}

/** The log of a record is limited to 64 KiB. The page of the record shows everything. */
const listedFindings = 30
const listedPages = 50

/** Formats the log of an update: all documents, the first diagnostics and the first pages. */
export function toUpdateLogs({ documents, diagnostics, pages }: Pick<Update, 'documents' | 'diagnostics' | 'pages'>): string[] {
  return [...documents.map(describeDocument), ...listFindings(diagnostics), ...listPages(pages)]
}

/** Formats the first diagnostics, one line each, errors first. The last line counts the omitted ones. */
export function listFindings(diagnostics: readonly Diagnostic[]): string[] {
  const keptDiagnostics = bySeverity(diagnostics).slice(0, listedFindings)
  const lines = keptDiagnostics.map((diagnostic) => {
    const { file, range, severity, message, hint } = diagnostic
    const location = `${file}:${range.start.line}:${range.start.column}`
    return `${location} ${severity} ${ruleNameOf(diagnostic)}: ${message}${hint === undefined ? '' : `. ${hint}`}`
  })
  const hidden = diagnostics.length - lines.length
  return hidden > 0 ? [...lines, `… and ${formatCount(hidden, 'more problem')}`] : lines
}

function describeDocument({
  path,
  version,
  operationCount,
  errorCount,
  warningCount,
  knownCount,
  valid,
}: DocumentReport): string {
  const parts = [
    ...(version === undefined ? [] : [`OpenAPI ${version}`]),
    formatCount(operationCount, 'operation'),
    ...(errorCount > 0 ? [formatCount(errorCount, 'error')] : []),
    ...(errorCount === 0 && valid ? ['valid'] : []),
    ...(knownCount === undefined ? [] : [formatCount(knownCount, 'known problem')]),
    ...(warningCount > 0 ? [formatCount(warningCount, 'warning')] : []),
  ]
  return `${path}: ${parts.join(', ')}`
}

const signs = { added: '+', modified: '~', removed: '-', kept: '=' }

function listPages(pages: readonly PageReport[]): string[] {
  const lines = pages.flatMap(({ kind, path, operation, detail }) =>
    kind === 'unchanged' ? [] : [`${signs[kind]} ${path} ${operation}${detail === undefined ? '' : ` (${detail})`}`],
  )
  const hidden = lines.length - listedPages
  return hidden > 0 ? [...lines.slice(0, listedPages), `… and ${formatCount(hidden, 'more page')}`] : lines
}

/** The output of `update --format json`. This is a public format: fields are only ever added. */
export interface UpdateJson {
  readonly version: 1
  /** Whether any file changes, including `docs.json` and the lock file. */
  readonly changed: boolean
  /** Page files with extension, relative to the docs directory. */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** Pages with a new path. `from` is also in `removed`, `to` in `added`. */
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  /** Pages of renamed operations. */
  readonly renamed: readonly { readonly page: string; readonly from: string; readonly to: string }[]
  /** Operations that are not updated because of errors, while others of their document are. */
  readonly skipped: readonly { readonly document: string; readonly operation: string }[]
  readonly diagnostics: readonly DiagnosticJson[]
}

/** Converts an update to the public JSON format. */
export function toUpdateJson({
  pages,
  changes,
  documents,
  diagnostics,
}: Pick<Update, 'pages' | 'changes' | 'documents' | 'diagnostics'>): UpdateJson {
  const paths = (kind: PageReport['kind']) => pages.filter((page) => page.kind === kind).map(({ path }) => path)
  const moved = pages.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : { from: movedFrom, to: path }))
  const arrivals = new Set(moved.map(({ to }) => to))
  return {
    version: 1,
    changed: changes.length > 0,
    added: [...paths('added'), ...arrivals].sort(),
    modified: paths('modified').filter((path) => !arrivals.has(path)),
    removed: [...paths('removed'), ...moved.map(({ from }) => from)].sort(),
    kept: paths('kept'),
    moved,
    renamed: pages.flatMap(({ path, operation, renamedFrom }) =>
      renamedFrom === undefined ? [] : { page: path, from: renamedFrom, to: operation },
    ),
    skipped: documents.flatMap(({ path, skipped = [] }) => skipped.map((operation) => ({ document: path, operation }))),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}

/**
 * The verdict of all commands and the Action: which operations have no page that equals their document, and why, with the next step.
 * Without it, the pages are those of the documents.
 *
 * @param toShown Names a document.
 * @param hasErrors Whether only an error is shown before it. Then a decision, which can wait, is left out.
 */
export function describeStopped(
  documents: readonly {
    readonly path: string
    readonly stopped?: StoppedPages | undefined
    readonly errorCount?: number
    readonly open?: readonly string[] | undefined
  }[],
  toShown: (path: string) => string = (path) => path,
  hasErrors = false,
): { readonly what: string; readonly text: string } | undefined {
  const found = documents.flatMap(({ stopped, ...document }) => (stopped ? { ...document, ...stopped } : []))
  const open = documents.flatMap((document) => document.open ?? [])
  if (found.length === 0) return open.length === 0 || hasErrors ? undefined : describeOpen(open)
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0)
  const what =
    count === 0 ? 'No current pages' : `${formatCount(count, 'operation')} ${count === 1 ? 'has' : 'have'} no current page`
  const isKnown = found.every(({ errorCount }) => errorCount === 0)
  const names = listFirst(found, 3, ({ path }) => toShown(path))
  const why = `${names} ${found.length === 1 ? 'has' : 'have'} errors${isKnown ? ' that the baseline accepts' : ''}`
  const [setting] = found.flatMap((document) => document.setting ?? [])
  const fix = `Fix the errors${isKnown ? ' that the baseline lists' : ''}`
  const next = setting === undefined ? fix : `To update pages until they are fixed, set \`${setting}\` in the configuration file`
  const more = open.length === 0 ? '' : `. ${describeOpen(open).text}`
  return { what, text: `${what}, because ${why}. ${next}${more}` }
}

/** Operations that no page shows, and pages without an operation. */
function describeOpen(open: readonly string[]) {
  const what = `${formatCount(open.length, 'operation')} ${open.length === 1 ? 'needs' : 'need'} a decision`
  return { what, text: `${what}: ${listFirst(open, 3, (one) => one)}. \`openapi-pages status --table\` shows all` }
}

/**
 * Whether documents can differ between two versions: a file of a document differs, or a data file that can be one or names one.
 *
 * @param changed Paths of all files that differ, relative to the boundary.
 */
export function concernsDocuments(changed: readonly string[], { documentFiles }: Pick<Update, 'documentFiles'>): boolean {
  const known = new Set(documentFiles.map(({ path }) => path))
  return changed.some((path) => known.has(path) || isDataFile(path))
}

/** Lists the files of descriptions without duplicates, sorted by path. */
export function listDocumentFiles(documents: readonly Pick<ReadDocument, 'isValid' | 'files'>[]): readonly DocumentFile[] {
  const isValidByPath = new Map<string, boolean>()
  for (const { isValid, files } of documents) {
    for (const path of files) isValidByPath.set(path, isValid || isValidByPath.get(path) === true)
  }
  return [...isValidByPath].map(([path, isValid]) => ({ path, isValid })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Merges the updates of several docs directories for reports about the whole run. Returns a single update unchanged.
 *
 * In a merged update, paths of pages and folders are relative to the boundary.
 */
export function mergeUpdates(updates: readonly Update[]): Update | undefined {
  const [first, ...others] = updates
  if (!first || others.length === 0) return first
  return {
    root: '',
    hasDocsConfig: updates.some((update) => update.hasDocsConfig),
    hasAudiences: updates.some((update) => update.hasAudiences),
    configPath: baseName(first.configPath),
    documents: updates.flatMap((update) => update.documents),
    documentFiles: listDocumentFiles(
      updates.flatMap(({ documentFiles }) => documentFiles.map(({ path, isValid }) => ({ files: [path], isValid }))),
    ),
    pages: updates
      .flatMap(({ root, pages }) => pages.map((page) => prefixPaths(root, page)))
      .sort((a, b) => compareText(a.path, b.path)),
    materialized: updates.flatMap(({ root, materialized }) =>
      materialized.map((division) => ({ ...division, directory: joinPath(root, division.directory) })),
    ),
    navigation: {
      added: updates.reduce((sum, { navigation }) => sum + navigation.added, 0),
      removed: updates.reduce((sum, { navigation }) => sum + navigation.removed, 0),
    },
    diagnostics: updates.flatMap((update) => update.diagnostics),
    hasUnknownChanges: updates.some((update) => update.hasUnknownChanges),
    changes: updates.flatMap((update) => update.changes).sort((a, b) => compareText(a.path, b.path)),
    ...(updates.some(({ stored }) => stored) ? { stored: updates.flatMap(({ stored = [] }) => stored) } : {}),
  }
}

function prefixPaths(root: string, page: PageReport): PageReport {
  const path = joinPath(root, page.path)
  return page.movedFrom === undefined ? { ...page, path } : { ...page, path, movedFrom: joinPath(root, page.movedFrom) }
}
