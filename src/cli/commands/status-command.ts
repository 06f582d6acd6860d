import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-text.ts'
import { findUpdateTargets } from '../../docs/read/find-docs.ts'
import type { PageRow } from '../../docs/types.ts'
import { runStatus, type StatusReport } from '../../docs/update/docs-status.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { displayWidth, escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { countBy, formatNumber, listFirst } from '../../text/plain/lists.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { openDocsDirectory } from '../open/workspace.ts'
import { formatCheckSummary, formatVerdict } from '../print/check-summary.ts'
import { renderUpdateCommands, type UpdateFormatOptions } from '../print/format-update.ts'
import { choosePalette, printDiagnostics } from '../print/terminal.ts'

interface StatusCommandOptions extends CommonOptions {
  /** Shows a row for each operation instead of the documents. */
  readonly table: boolean
}

/** The options of `status`. */
export const defineStatusCommand: DefineCommand = (command) => {
  addCommonOptions(command, ['text', 'json'])
  command.option('--table', 'show the page of each operation, or why it has none', false)
  return runStatusCommand
}

/** Shows the page status of a docs directory. */
async function runStatusCommand(argument: string, options: StatusCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = await openDocsDirectory(argument, 'show the status of', options, context)
  const { checkedDocuments } = await findUpdateTargets(root, workspace.access)
  const isBare = checkedDocuments.length > 0
  const statusOptions = { root, documents: checkedDocuments, ...(isBare && { materialize: false }) }
  const status = await runStatus(statusOptions, workspace.access, workspace.terms, workspace.reporting)
  const report = isBare ? { ...status, table: [] } : status
  const shown = await workspace.show(report.diagnostics)
  progress.clear()
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  const { stdout } = context
  const stopped = describeStopped(report.documents, workspace.toShown)
  if (options.format === 'json') {
    const { root: _, ...rest } = report
    stdout.write(
      `${toSafeJson({ version: 1, upToDate: report.changes.length === 0 && !stopped, ...rest, diagnostics: shown.diagnostics.map(toDiagnosticJson) })}\n`,
    )
  } else {
    // Warnings would hide the page counts. `check` shows them.
    const errors = options.all ? diagnostics : diagnostics.filter(({ severity }) => severity === 'error')
    await printDiagnostics(stdout, { diagnostics: errors, sources: shown.sources }, options, context)
    if (isBare && !options.quiet) {
      const palette = choosePalette(stdout, context, options.color)
      const documents = report.documents.map((document) => ({ ...document, path: workspace.toShown(document.path) }))
      stdout.write(formatCheckSummary({ documents, diagnostics: shown.diagnostics }, palette))
      stdout.write('No docs.json, so there are no pages. To write one, run `openapi-pages init`\n')
    }
    // Always print what determines the exit code.
    if (report.hasDocsConfig && !(options.quiet && report.changes.length === 0)) {
      const palette = choosePalette(stdout, context, options.color)
      const shownAs = { palette, toShown: workspace.toShown, all: options.all }
      if (!options.quiet) stdout.write(options.table ? `${formatTable(report.table)}\n` : formatStatus(report, shownAs))
      const counts = countFindings(shown.diagnostics)
      if (report.changes.length > 0) stdout.write(palette.warning(`~ ${describeOutcome(report, workspace.toShown)}\n`))
      else if (counts.errors > 0) stdout.write(palette.error(`✖ ${formatCounts(counts)}, but no files to update\n`))
      const isDone = report.changes.length === 0 && counts.errors === 0 && !stopped
      stdout.write(formatVerdict(isDone ? describeOutcome(report, workspace.toShown) : undefined, stopped, palette))
    }
  }
  return toExitCode(shown.diagnostics, { isOpen: report.changes.length > 0 })
}

function describeOutcome(report: StatusReport, toShown: (path: string) => string): string {
  const { changes, documents, table } = report
  if (changes.length > 0)
    return `${formatCount(changes.length, 'file')} out of date (run ${renderUpdateCommands([report], toShown)})`
  if (table.some(({ state }) => state === 'error')) return 'No files to update'
  const hasPlaces = documents.some(({ divisions }) => divisions.length > 0)
  if (hasPlaces || table.some(({ division }) => division !== '')) return 'All pages are up to date'
  if (table.length > 0) return 'No recorded pages. Run `openapi-pages adopt` to keep these pages up to date'
  return 'No API pages. Add `"openapi": "openapi.yaml"` to a tab in docs.json and run `openapi-pages update`'
}

/** Formats the table with a line for each operation, in columns. */
function formatTable(table: readonly PageRow[]): string {
  const lines = table.map(({ branch, operation, page, state, reason }) =>
    [branch, operation, page ?? '–', state, reason].map(escapeText),
  )
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(widestPath, Math.max(0, ...lines.map((line) => displayWidth(line[column] ?? '')))),
  )
  const pad = (text: string, column: number) => text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(text)))
  const rows = lines.map((line) => line.map(pad).filter((text) => text !== ''))
  return rows.map((row) => `${row.join('   ').trimEnd()}\n`).join('')
}

const listedPages = 10
const widestPath = 60

/** Formats where the pages of each document go, and the rows of the table that say more than the page of an operation. */
function formatStatus(report: StatusReport, options: Omit<UpdateFormatOptions, 'isWritten'>): string {
  const { palette } = options
  const blocks = report.documents.map(({ path, divisions }) => {
    const places = listFirst(divisions, options.all ? divisions.length : 3, escapeText)
    return `${palette.strong(escapeText(options.toShown(path)))}${places === '' ? '' : `   ${places}`}\n`
  })
  if (report.table.length > 0) {
    const counts = [...countBy(report.table, ({ state }) => state)].map(([state, count]) => `${formatNumber(count)} ${state}`)
    const notable = report.table.filter(isNotable)
    const shown = options.all ? notable : notable.slice(0, listedPages)
    const left = notable.length - shown.length
    const more = left > 0 ? palette.dim(`… and ${formatNumber(left)} more (use --all to show them)\n`) : ''
    blocks.push(`${palette.strong('Operations')}   ${counts.join(', ')}\n${formatTable(shown)}${more}`)
  }
  return blocks.map((block) => `${block}\n`).join('')
}

function isNotable({ division, state, reason, page, isOpen }: PageRow): boolean {
  if (isOpen) return true
  if (state === 'own page') return division === ''
  return state === 'generated' ? page !== null && reason !== 'up to date' : state !== 'entry'
}
