import { countFindings, formatCount } from '../../diagnostic/diagnostic.ts'
import { toFailedSummary, toValidSummary } from '../../status/update-summary.ts'
import type { UpdateDetails } from '../../store/types.ts'
import { listFindings, toUpdateLogs } from '../../update/to-update-logs.ts'
import type { CheckedRepository } from './check-types.ts'

/** How a record ends after its check. */
export interface CheckVerdict {
  readonly status: 'success' | 'failure'
  readonly summary: string
  readonly logs: readonly string[]
  readonly details: Pick<UpdateDetails, 'checkConclusion' | 'commentOff' | 'changeCount' | 'commitStatus' | 'deployment'>
}

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
      logs: [...toUpdateLogs(checked), ...advise(changeCount)],
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

function advise(changeCount: number): readonly string[] {
  return changeCount > 0 ? [`${formatCount(changeCount, 'file')} would change: run \`openapi-pages update\``] : []
}
