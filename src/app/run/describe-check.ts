import { countFindings, formatCount } from '../../diagnostic/count-findings.ts'
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { toFailedSummary, toValidSummary } from '../../status/update-summary.ts'
import type { UpdateDetails } from '../../store/types.ts'
import type { CheckedRepository } from './check-types.ts'

/** How a record ends after its check. */
export interface CheckVerdict {
  readonly status: 'success' | 'failure'
  readonly summary: string
  readonly logs: readonly string[]
  readonly details: Pick<UpdateDetails, 'checkConclusion' | 'commentOff' | 'changeCount' | 'commitStatus' | 'deployment'>
}

const listedFindings = 30
const listedPages = 50

/** Says in words what a check found, and how the record and the check on GitHub end. */
export function describeCheck(checked: CheckedRepository, root: string): CheckVerdict {
  const { kind, diagnostics, github, changeCount } = checked
  const errors = countFindings(diagnostics).errors
  const wanted = {
    ...(github.comment === 'off' ? { commentOff: true } : {}),
    ...(github['commit-status'] ? { commitStatus: 'wanted' as const } : {}),
    ...(github.deployment ? { deployment: true } : {}),
  }
  if (kind === 'checked' || errors > 0) {
    const blocks = errors > 0 && github.check === 'failure'
    return {
      status: errors > 0 ? 'failure' : 'success',
      summary: errors > 0 ? toFailedSummary(diagnostics) : toSuccess(checked),
      logs: [...checked.documents.map(describeDocument), ...listFindings(diagnostics), ...listPages(checked)],
      details: { changeCount, ...wanted, ...(errors > 0 && !blocks ? { checkConclusion: 'neutral' as const } : {}) },
    }
  }
  const place = root === '' ? 'this repository' : `\`${root}/\``
  const summary =
    kind === 'off'
      ? 'Nothing checked: `github.check` is `off` in the configuration file.'
      : `Nothing to check: ${place} has no \`docs.json\` and no OpenAPI document at this commit.`
  const details = { changeCount: 0, checkConclusion: 'skipped' as const, ...wanted }
  return { status: 'success', summary, logs: listFindings(diagnostics), details }
}

function toSuccess({ documents, pages, diagnostics, hasDocsConfig }: CheckedRepository): string {
  const { warnings } = countFindings(diagnostics)
  const changed = pages.filter(({ kind }) => kind !== 'kept').length
  return toValidSummary({
    documents: documents.length,
    operations: documents.reduce((sum, { operationCount }) => sum + operationCount, 0),
    warnings,
    ...(hasDocsConfig ? { pages: changed } : {}),
  })
}

function describeDocument({ path, version, operationCount, errorCount, warningCount }: CheckedRepository['documents'][number]) {
  const parts = [
    ...(version === undefined ? [] : [`OpenAPI ${version}`]),
    formatCount(operationCount, 'operation'),
    errorCount > 0 ? formatCount(errorCount, 'error') : 'valid',
    ...(warningCount > 0 ? [formatCount(warningCount, 'warning')] : []),
  ]
  return `${path}: ${parts.join(', ')}`
}

function listFindings(diagnostics: readonly Diagnostic[]): string[] {
  const lines = diagnostics.slice(0, listedFindings).map(({ file, range, severity, code, message, hint }) => {
    const place = `${file}:${range.start.line}:${range.start.column}`
    // A hint may show a whole file to paste; the log has its first line.
    const words = hint === undefined ? '' : ` (${hint.split('\n', 1)[0]})`
    return `${place} ${severity} ${code}: ${message}${words}`
  })
  const hidden = diagnostics.length - lines.length
  return hidden > 0 ? [...lines, `… and ${formatCount(hidden, 'more finding')}`] : lines
}

function listPages({ pages, changeCount }: CheckedRepository): string[] {
  const signs = { added: '+', modified: '~', removed: '-', kept: '=', unchanged: ' ' }
  const lines = pages.slice(0, listedPages).map(({ kind, path, operation, detail }) => {
    return `${signs[kind]} ${path} ${operation}${detail === undefined ? '' : ` (${detail})`}`
  })
  const hidden = pages.length - lines.length
  const more = hidden > 0 ? [`… and ${formatCount(hidden, 'more page')}`] : []
  const advice = changeCount > 0 ? [`${formatCount(changeCount, 'file')} would change: run \`openapi-pages update\``] : []
  return [...lines, ...more, ...advice]
}
