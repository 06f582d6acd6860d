import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { bySeverity, formatCount } from '../diagnostic/diagnostic.ts'
import type { DocumentReport, PageReport, Update } from './types.ts'

/** A record's log has room for 64 KiB in all, also for what a run did; its page shows the rest. */
const listedFindings = 30
const listedPages = 50

/** The lines of an update for the log of its record: each document, the first findings, the first pages. */
export function toUpdateLogs({ documents, diagnostics, pages }: Pick<Update, 'documents' | 'diagnostics' | 'pages'>): string[] {
  return [...documents.map(describeDocument), ...listFindings(diagnostics), ...listPages(pages)]
}

/** The first findings, errors before warnings and infos, one line each; the last line counts those that are left out. */
export function listFindings(diagnostics: readonly Diagnostic[]): string[] {
  const kept = bySeverity(diagnostics).slice(0, listedFindings)
  const lines = kept.map(({ file, range, severity, code, message, hint }) => {
    const place = `${file}:${range.start.line}:${range.start.column}`
    // A hint may show a whole file to paste; the log has its first line.
    const words = hint === undefined ? '' : ` (${hint.split('\n', 1)[0]})`
    return `${place} ${severity} ${code}: ${message}${words}`
  })
  const hidden = diagnostics.length - lines.length
  return hidden > 0 ? [...lines, `… and ${formatCount(hidden, 'more finding')}`] : lines
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
