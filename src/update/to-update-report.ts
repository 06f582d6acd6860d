import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { bySeverity, countFindings } from '../diagnostic/diagnostic.ts'
import { toDiagnosticJson } from '../diagnostic/format-json.ts'
import type { Files } from '../files/files.ts'
import { isUrl } from '../text/relative-path.ts'
import { toSourceFile } from '../text/source-file.ts'
import type { DocumentReport, PageReport } from './types.ts'
import { keptFindings, type ReportedFinding, type UpdateReport } from './update-report.ts'

/** Lines shown before and after a finding. */
const around = 2
const lineCharacters = 400
const textCharacters = 4_096
const keptDocuments = 2_000
const keptPages = 20_000

/**
 * What is kept beside a record: counts of everything, the first findings with the lines around them.
 *
 * The findings are those that count most, in the order of the diagnostics within one severity.
 */
export async function toUpdateReport(
  found: {
    readonly documents: readonly DocumentReport[]
    readonly pages: readonly PageReport[]
    readonly diagnostics: readonly Diagnostic[]
    readonly unchangedPageCount: number
  },
  files: Files,
): Promise<UpdateReport> {
  const { documents, pages, diagnostics, unchangedPageCount } = found
  const kept = bySeverity(diagnostics).slice(0, keptFindings)
  const lines = await readLines(new Set(kept.map(({ file }) => file)), files)
  const { errors, warnings, infos } = countFindings(diagnostics)
  return {
    documents: documents
      .slice(0, keptDocuments)
      .map(({ path, version, operationCount, errorCount, warningCount, infoCount }) => ({
        path: cut(path),
        ...(version === undefined ? {} : { version: version.slice(0, 50) }),
        operationCount,
        errorCount,
        warningCount,
        infoCount,
      })),
    pages: pages
      .slice(0, keptPages)
      .flatMap(({ kind, path, operation, detail }) =>
        kind === 'unchanged'
          ? []
          : [{ kind, path: cut(path), operation: cut(operation), ...(detail === undefined ? {} : { detail: cut(detail) }) }],
      ),
    unchangedPageCount,
    findings: kept.map((diagnostic) => toReportedFinding(diagnostic, lines.get(diagnostic.file))),
    findingCounts: { error: errors, warning: warnings, info: infos },
  }
}

function toReportedFinding(diagnostic: Diagnostic, lines: readonly string[] | undefined): ReportedFinding {
  const { message, file, pointer, hint, related, ...rest } = toDiagnosticJson(diagnostic)
  const { start, end } = diagnostic.range
  const firstLine = Math.max(1, start.line - around)
  const shown = lines?.slice(firstLine - 1, start.line + around).map((line) => line.slice(0, lineCharacters))
  return {
    ...rest,
    message: cut(message),
    file: cut(file),
    endLine: Math.max(start.line, end.line),
    pointer: cut(pointer),
    ...(hint === undefined ? {} : { hint: cut(hint) }),
    ...(related === undefined
      ? {}
      : {
          related: related.slice(0, 20).map((place, index) => {
            const range = diagnostic.related[index]?.range ?? diagnostic.range
            const { line, column } = range.end
            return { ...place, file: cut(place.file), message: cut(place.message), endLine: line, endColumn: column }
          }),
        }),
    ...(shown === undefined || shown.length === 0 ? {} : { frame: { firstLine, lines: shown } }),
  }
}

async function readLines(paths: ReadonlySet<string>, files: Files): Promise<Map<string, readonly string[]>> {
  const lines = new Map<string, readonly string[]>()
  for (const path of paths) {
    const result = isUrl(path) ? undefined : await files.read(path)
    if (result?.kind === 'file') lines.set(path, toSourceFile(path, result.bytes).text.split(/\r\n|\n|\r/))
  }
  return lines
}

function cut(text: string): string {
  return text.length > textCharacters ? `${text.slice(0, textCharacters - 1)}…` : text
}
