import { countFindings, type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-text.ts'
import { type AdoptedDivisionReport, type AdoptReport, runAdopt } from '../../docs/update/docs-status.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { isUnreadable, reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { openDocsDirectory, type Workspace } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { formatVerdict } from '../print/check-summary.ts'
import { formatPlan } from '../print/format-plan.ts'
import type { UpdateFormatOptions } from '../print/format-update.ts'
import { choosePalette, printDiagnostics } from '../print/terminal.ts'

interface AdoptCommandOptions extends CommonOptions {
  readonly check: boolean
  readonly dryRun: boolean
}

/** The options of `adopt`. */
export const defineAdoptCommand: DefineCommand = (command) => {
  command
    .option('--check', 'do not write; exit 1 if any page is not adopted', false)
    .option('--dry-run', 'do not write; print the planned changes', false)
  addCommonOptions(command, ['text', 'json'])
  return runAdoptCommand
}

/** Adopts the existing pages of a docs directory. */
async function runAdoptCommand(argument: string, options: AdoptCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = await openDocsDirectory(argument, 'adopt', options, context)
  const { access, terms, reporting } = workspace
  const report = await runAdopt({ root }, access, terms, reporting)
  const shown = await workspace.show(report.diagnostics)
  if (!options.check && !options.dryRun) await writeChanges(workspace.boundary, report.changes, workspace.toShown, root)
  progress.clear()
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    context.stdout.write(`${toSafeJson(toAdoptJson({ ...report, diagnostics: shown.diagnostics }))}\n`)
  } else {
    // The report lists operations without a page with their division.
    const listed = diagnostics.filter((each) => each.code !== 'unlisted-operation' && (options.all || concernsAdoption(each)))
    await printDiagnostics(context.stdout, { diagnostics: listed, sources: shown.sources }, options, context)
    if (report.hasDocsConfig) await printReport(report, workspace, options, context)
  }
  const isOpen = options.check && report.changes.length > 0
  // Errors fail this command only if they prevent every page from being adopted. `check` reports them anyway.
  const blocking = report.isUsable && !isBlocked(report) ? shown.diagnostics.filter(isUnreadable) : shown.diagnostics
  return toExitCode(blocking, { isOpen })
}

/** Whether a diagnostic can prevent an adoption. Warnings of OpenAPI documents cannot, and documents may have hundreds. */
function concernsAdoption({ severity, file }: Diagnostic): boolean {
  return severity === 'error' || !/\.(json|ya?ml)$/i.test(file) || /(^|\/)(docs|mint|openapi-pages\.lock)\.json$/.test(file)
}

/** Whether errors prevent every bound page from being adopted. */
function isBlocked({ divisions, knownCount, unbound, diagnostics }: AdoptReport): boolean {
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  return divisions.length === 0 && knownCount === 0 && unbound.length > 0 && hasErrors
}

async function printReport(
  report: AdoptReport,
  workspace: Workspace,
  options: AdoptCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  const format = { palette, toShown: workspace.toShown, all: options.all, isWritten: !options.check && !options.dryRun }
  if (!options.quiet) stdout.write(formatAdopt(report, format))
  if (options.dryRun) {
    stdout.write(formatPlan(report.changes, format))
  }
  // Always print what determines the exit code.
  if (options.quiet && !(options.check && report.changes.length > 0)) return
  const count = report.divisions.reduce((sum, { pages }) => sum + pages.length, 0)
  const pages = formatCount(count, 'page')
  const { errors } = countFindings(report.diagnostics)
  const stopped = describeStopped(report.documents, workspace.toShown)
  let done: string | undefined
  if (!report.isUsable) {
    stdout.write(palette.error('✖ No pages adopted. Fix the errors above and run `openapi-pages adopt` again\n'))
  } else if (isBlocked(report)) {
    const skipped = formatCount(report.unbound.length, 'bound page')
    const next = 'Fix the errors above and run `openapi-pages adopt` again'
    stdout.write(palette.error(`✖ No pages adopted, ${skipped} skipped. ${next}\n`))
  } else if (report.changes.length === 0) {
    done = describeNothing(report)
  } else if (options.check) {
    stdout.write(palette.error(`✖ ${pages} not adopted (run \`openapi-pages adopt\`)\n`))
  } else if (options.dryRun) {
    stdout.write(`Dry run: ${pages} to adopt (run \`openapi-pages adopt\` to record ${count === 1 ? 'it' : 'them'})\n`)
  } else {
    const next =
      report.remaining.length === 0
        ? 'the next update changes nothing'
        : `the next update changes ${formatCount(report.remaining.length, 'file')}`
    done = `${pages} adopted, ${next}`
    if (errors > 0) done += `\n  Fix the ${formatCount(errors, 'error')} above. Until then, the affected pages are not updated.`
  }
  stdout.write(formatVerdict(done, stopped, palette, errors === 0 && !stopped))
}

function describeNothing({ knownCount }: AdoptReport): string {
  if (knownCount > 0) return `Nothing to adopt: ${formatCount(knownCount, 'page')} already recorded`
  return 'Nothing to adopt: no page is bound to an operation, webhook or schema (run `openapi-pages update` to generate pages)'
}

function toAdoptJson({ divisions, unbound, changes, remaining, diagnostics }: AdoptReport) {
  return {
    version: 1,
    changed: changes.length > 0,
    divisions: divisions.map(({ division, label, source, adopted, pages, unwritten, pattern }) => ({
      division,
      label,
      document: source,
      adopted,
      pages,
      withoutPage: unwritten,
      ...(pattern ? { pattern } : {}),
    })),
    unbound: unbound.map(({ page, reason }) => ({ path: page, reason })),
    remaining: remaining.map(({ path }) => path),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}

const listedDivisions = 12
const listedOperations = 5

/** Lists the adopted pages of each division, their common pattern, and the operations without a page. */
function formatAdopt(report: AdoptReport, options: UpdateFormatOptions): string {
  const { palette, all } = options
  const shown = all ? report.divisions : report.divisions.slice(0, listedDivisions)
  const blocks = shown.map((area) => formatDivision(area, report, options))
  const left = report.divisions.length - shown.length
  if (left > 0) blocks.push(palette.dim(`  … and ${formatCount(left, 'more division')} (use --all to show them)\n`))
  for (const [reason, rows] of groupBy(report.unbound, (row) => row.reason)) {
    const paths = listFirst(rows, all ? rows.length : listedOperations, ({ page }) =>
      escapeText(options.toShown(joinPath(report.root, page ?? ''))),
    )
    const count = palette.warning(`${formatCount(rows.length, 'page')} skipped`)
    blocks.push(`${count} (${reason}): ${paths}\n`)
  }
  return blocks.map((block) => `${block}\n`).join('')
}

/** Describes a naming rule in a sentence. `--format json` has the names of the rules. */
function describeNameRule(name: string): string {
  const text = name.replace(/ with _$/, ', joined with `_`').replace(/(?:the )?end of the path/, 'the last segment of the path')
  return /^(?:method$|operationId|summary|title)/.test(text) ? `the ${text}` : text
}

function formatDivision(
  area: AdoptedDivisionReport,
  { root, configPath }: AdoptReport,
  { palette, toShown, all }: UpdateFormatOptions,
): string {
  const { label, division, source, pages, unwritten, pattern, adopted } = area
  const name = escapeText(label === '' ? division : label)
  const keptCount = pages.filter(({ isKept }) => isKept).length
  const counts = [
    `${formatCount(pages.length, 'page')} of ${escapeText(toShown(joinPath(root, source)))}`,
    ...(keptCount > 0 ? [`${formatNumber(keptCount)} with hand-written text`] : []),
  ]
  const lines = [`${palette.strong(name)}   ${counts.join(', ')}`]
  if (pattern) {
    const fileNames = pattern.name === undefined ? 'no naming pattern' : `named after ${describeNameRule(pattern.name)}`
    const folder = escapeText(toShown(joinPath(root, pattern.folder)))
    lines.push(`  files     ${folder}/…${pattern.extension}, ${fileNames}`)
    const title = pattern.title === undefined ? '' : ` (title from ${pattern.title})`
    lines.push(`  fields    ${escapeText(pattern.keys.join(', '))}${title}${pattern.sharesBody ? ', common body text' : ''}`)
    lines.push(`  binding   openapi: ${escapeText(pattern.binding)}`)
  }
  lines.push(
    adopted === 'growing'
      ? '  new       new operations get a similar page here'
      : '  new       new operations get no page here, because only a few operations have one',
  )
  if (unwritten.length > 0) {
    const names = listFirst(unwritten, all ? unwritten.length : listedOperations, escapeText)
    lines.push(`  missing   ${formatCount(unwritten.length, 'operation')} without a page: ${names}`)
    lines.push(palette.dim(`            (to add them, set \`unlisted: add\` in ${escapeText(toShown(configPath))})`))
  }
  return `${lines.join('\n')}\n`
}
