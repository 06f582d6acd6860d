import { countFindings, formatCount, formatCounts, formatNumber } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-json.ts'
import { displayWidth, escapeText, toSafeJson } from '../../source/escape-text.ts'
import { joinPath } from '../../source/relative-path.ts'
import { type DivisionStatus, type PageStatus, runStatus, type StatusReport } from '../../update/run-status.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { reportUnreadable, toExitCode } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import type { UpdateFormatOptions } from '../format-update.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette } from '../terminal.ts'
import { openDocsDirectory } from '../workspace.ts'

/** The options, help and action of `status`. */
export const defineStatusCommand: DefineCommand = (command, context, end) => {
  command.description(
    'Shows the documents and pages of each division of a docs.json: which pages are as they were written, edited or deleted by ' +
      'hand, which operations are new or gone, and whether an update would change something. Writes nothing.',
  )
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Exit codes: 0 the pages are up to date, 1 an update would change something or errors were found, 2 the command could not run.

Examples:
  openapi-pages status
  openapi-pages status docs --all
  openapi-pages status --format json | jq '.divisions[] | {label, mode}'`,
    )
    .action(async (root: string, options: CommonOptions) => {
      end(await runStatusCommand(root, options, context))
    })
}

/** Shows the page status of a docs directory. */
async function runStatusCommand(argument: string, options: CommonOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsDirectory(argument, 'tell the status of', options, context)
  const report = await runStatus({ root, documents: [], directory: 'api-reference' }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  progress.clear()
  const findings = reportUnreadable(shown.diagnostics, context.stderr)
  const { stdout } = context
  if (options.format === 'json') {
    const { root: _, ...rest } = report
    stdout.write(
      `${toSafeJson({ version: 1, upToDate: report.changes.length === 0, ...rest, diagnostics: shown.diagnostics.map(toDiagnosticJson) })}\n`,
    )
  } else {
    // What is only worth knowing would push the page counts out of sight; `check` has it all.
    const errors = options.all ? findings : findings.filter(({ severity }) => severity === 'error')
    await printDiagnostics(stdout, { diagnostics: errors, sources: shown.sources }, options, context)
    // What makes the exit code is said in any case.
    if (report.hasDocsConfig && !(options.quiet && report.changes.length === 0)) {
      const palette = choosePalette(stdout, context, options.color)
      if (!options.quiet) stdout.write(formatStatus(report, { palette, toShown: workspace.toShown, all: options.all }))
      const counts = countFindings(shown.diagnostics)
      if (report.changes.length > 0) stdout.write(palette.warning(`~ ${describeOutcome(report)}\n`))
      else if (counts.errors > 0) stdout.write(palette.error(`✖ ${formatCounts(counts)}: an update would change nothing\n`))
      else stdout.write(palette.success(`✔ ${describeOutcome(report)}\n`))
    }
  }
  return toExitCode(shown.diagnostics, { isOpen: report.changes.length > 0 })
}

function describeOutcome({ changes, divisions, byHand }: StatusReport): string {
  if (changes.length > 0) return `an update would change ${formatCount(changes.length, 'file')} (run \`openapi-pages update\`)`
  if (divisions.length > 0) return 'up to date: an update would change nothing'
  if (byHand.length > 0) return 'nothing is recorded yet: run `openapi-pages adopt` to keep these pages up to date'
  return 'nothing here yet: put `"openapi": "openapi.yaml"` on a tab of docs.json and run `openapi-pages update`'
}

const listedPages = 10
const widestPath = 60

const modeLabels: { readonly [mode in DivisionStatus['mode']]: string } = {
  materialised: 'pages are written here',
  adopted: 'adopted: others made the pages',
  virtual: 'virtual: the host makes the pages',
  listed: 'listed by hand',
  gone: 'not in docs.json any more',
}

const stateLabels: { readonly [state in PageStatus['state']]: string } = {
  untouched: 'untouched',
  edited: 'edited by hand',
  deleted: 'deleted by hand',
  new: 'not yet written',
  gone: 'whose operation is gone',
  'by-hand': 'by hand',
}

/** Formats the page status of each division, with the pages that differ from what was written. */
function formatStatus(report: StatusReport, options: Omit<UpdateFormatOptions, 'isWritten'>): string {
  const { palette, toShown } = options
  const blocks = report.divisions.map((division) => formatDivision(division, report, options))
  const toPath = (path: string) => escapeText(toShown(joinPath(report.root, path)))
  if (report.byHand.length > 0) {
    const lines = shorten(report.byHand, options).map((path) => `  ${path === undefined ? '…' : toPath(path)}\n`)
    blocks.push(
      `${palette.strong(`${formatCount(report.byHand.length, 'page')} by hand`)}, bound to an operation and recorded nowhere\n${lines.join('')}`,
    )
  }
  if (report.unbound.length > 0) {
    const lines = shorten(report.unbound, options).map((page) =>
      page === undefined ? '  …\n' : `  ${palette.warning('?')} ${toPath(page.path)}   ${escapeText(page.binding)}\n`,
    )
    blocks.push(`${palette.strong(`${formatCount(report.unbound.length, 'page')} bound to nothing`)}\n${lines.join('')}`)
  }
  return blocks.map((block) => `${block}\n`).join('')
}

function formatDivision(
  { label, id, mode, documents, pages, withoutPage }: DivisionStatus,
  { root }: StatusReport,
  options: Omit<UpdateFormatOptions, 'isWritten'>,
): string {
  const { palette, toShown } = options
  const name = palette.strong(escapeText(label === '' ? id || '.' : label))
  const lines = [`${name}   ${modeLabels[mode]}   ${documents.map(escapeText).join(', ')}`]
  const counts = Object.entries(stateLabels)
    .map(([state, word]) => ({ word, count: pages.filter((page) => page.state === state).length }))
    .filter(({ count }) => count > 0)
  if (pages.length > 0) {
    lines.push(
      `  ${formatCount(pages.length, 'page')}: ${counts.map(({ word, count }) => `${formatNumber(count)} ${word}`).join(', ')}`,
    )
  }
  const signs = { untouched: '~', edited: '=', deleted: '×', new: '+', gone: '−', 'by-hand': '=' } as const
  const notable = pages.filter(({ state, next }) => state !== 'untouched' || next !== undefined)
  const shown = shorten(notable, options)
  const paths = shown.map((page) => (page === undefined ? '' : escapeText(toShown(joinPath(root, page.path)))))
  const width = Math.min(widestPath, Math.max(0, ...paths.map(displayWidth)))
  shown.forEach((page, index) => {
    if (page === undefined) {
      lines.push(palette.dim(`  … and ${formatNumber(notable.length - shown.length + 1)} more (--all shows them)`))
      return
    }
    const path = paths[index] ?? ''
    const next = page.next === undefined || page.state === 'new' ? '' : `, next: ${escapeText(page.next)}`
    const gap = ' '.repeat(Math.max(0, width - displayWidth(path)))
    lines.push(`  ${signs[page.state]} ${path}${gap}   ${escapeText(page.operation)}, ${stateLabels[page.state]}${next}`)
  })
  if (withoutPage.length > 0) {
    const some = options.all ? withoutPage : withoutPage.slice(0, 3)
    const more = withoutPage.length > some.length ? ` and ${formatNumber(withoutPage.length - some.length)} more` : ''
    lines.push(
      palette.dim(`  ${formatCount(withoutPage.length, 'operation')} without a page: ${some.map(escapeText).join(', ')}${more}`),
    )
  }
  return `${lines.join('\n')}\n`
}

/** The first elements, and `undefined` in the place of the rest. */
function shorten<Element>(elements: readonly Element[], { all }: { readonly all: boolean }): (Element | undefined)[] {
  return all || elements.length <= listedPages ? [...elements] : [...elements.slice(0, listedPages), undefined]
}
