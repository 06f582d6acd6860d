import { endGroup, info, startGroup } from '@actions/core'
import { countFindings, formatCounts } from '../diagnostic/diagnostic.ts'
import { formatText, plainPalette } from '../diagnostic/format-text.ts'
import { escapeText } from '../text/escape-text.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { printText } from './print-text.ts'
import { readSources } from './read-sources.ts'

const signs = { added: '+', modified: '~', removed: '-', kept: '=', unchanged: ' ' }

/** Shows in the log all that a run found, and what it changed or would change. */
export async function logUpdate(update: Update, { mode, boundary, branch, commitSha, addedFiles }: ActionReport): Promise<void> {
  if (update.diagnostics.length > 0) {
    startGroup(`Findings: ${formatCounts(countFindings(update.diagnostics))}`)
    const sources = await readSources(update.diagnostics, boundary)
    const sourceOf = (file: string) => sources.get(file)
    printText(formatText(update.diagnostics, { palette: plainPalette, sourceOf, all: true, lineWidth: 160 }))
    endGroup()
  }
  const changed = update.pages.filter((page) => page.kind !== 'unchanged')
  const lines = changed.map(({ kind, path, operation, detail }) => {
    return `  ${signs[kind]} ${escapeText(path)}  ${escapeText(operation)}${detail === undefined ? '' : `  (${escapeText(detail)})`}`
  })
  for (const path of addedFiles) lines.push(`  ~ ${escapeText(path)}  (as an earlier step wrote it)`)
  if (lines.length > 0) printText(lines.join('\n'))
  if (mode === 'dry-run' && update.changes.length > 0) {
    printText(['Files:', ...update.changes.map(({ kind, path }) => `  ${kind.padEnd(6)} ${escapeText(path)}`)].join('\n'))
  }
  if (commitSha !== undefined) printText(`Committed ${commitSha} to ${escapeText(branch ?? '')}`)
  else if (update.changes.length + addedFiles.length === 0 && countFindings(update.diagnostics).errors === 0)
    info('Every page is up to date')
}
