import { setOutput } from '@actions/core'
import { countFindings } from '../diagnostic/diagnostic.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { countPages } from './count-pages.ts'

/** Sets every output that `action.yml` names, whatever came of the run. */
export function setOutputs({ update, updates, addedFiles, commitSha, delivery, app }: ActionReport, reportPath: string): void {
  const { errors, warnings } = countFindings(update?.diagnostics ?? [])
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
  setOutput('status-id', (app?.records ?? []).map(({ statusId }) => statusId).join('\n'))
  setOutput('roots', JSON.stringify(updates.map(toRootResult)))
  setOutput('report-path', reportPath)
}

/** What the output `roots` says of one docs root. */
function toRootResult({ root, changes, diagnostics, pages }: Update): object {
  const { errors, warnings } = countFindings(diagnostics)
  const { added, modified, removed, kept } = countPages(pages)
  return { root: root || '.', changed: changes.length > 0, errors, warnings, added, modified, removed, kept }
}
