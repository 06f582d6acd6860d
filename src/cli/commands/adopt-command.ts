import { countFindings, formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-json.ts'
import { escapeText, toSafeJson } from '../../source/escape-text.ts'
import { groupBy } from '../../source/group-by.ts'
import { joinPath } from '../../source/relative-path.ts'
import { type AdoptedDivisionReport, type AdoptReport, runAdopt } from '../../update/run-adopt.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable, toExitCode } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import type { UpdateFormatOptions } from '../format-update.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette } from '../terminal.ts'
import { openDocsDirectory, type Workspace } from '../workspace.ts'
import { writeChanges } from '../write-output.ts'

interface AdoptCommandOptions extends CommonOptions {
  readonly check: boolean
  readonly dryRun: boolean
}

/** The options, help and action of `adopt`. */
export const defineAdoptCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Finds every page that is bound to an operation, webhook or schema and records it in openapi-pages.lock.json; nothing else changes. ' +
        'From then on an update gives a new operation a page beside its siblings and made like them, and takes away that of one that is gone.',
    )
    .option('--check', 'change nothing; exit 1 where pages are not adopted', false)
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Operations without a page are not added: set \`unlisted: add\` in openapi-pages.config.yaml to get them with the next update.
To undo it, delete openapi-pages.lock.json. A lock file that is damaged is made again by this command.

Examples:
  openapi-pages adopt                  take over the pages of this folder
  openapi-pages adopt docs --dry-run   see what would be recorded
  openapi-pages update                 then keep them up to date`,
    )
    .action(async (root: string, options: AdoptCommandOptions) => {
      end(await runAdoptCommand(root, options, context))
    })
}

/** Records the pages of a docs directory that others have made, or only says which. */
async function runAdoptCommand(argument: string, options: AdoptCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsDirectory(argument, 'adopt', options, context)
  const report = await runAdopt({ root, documents: [], directory: 'api-reference' }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  if (!options.check && !options.dryRun) await writeChanges(workspace.boundary, report.changes, workspace.toShown, root)
  progress.clear()
  const findings = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    context.stdout.write(`${toSafeJson(toAdoptJson({ ...report, diagnostics: shown.diagnostics }))}\n`)
  } else {
    // Operations without a page are listed with their division.
    const told = findings.filter(({ code }) => code !== 'unlisted-operation')
    await printDiagnostics(context.stdout, { diagnostics: told, sources: shown.sources }, options, context)
    if (report.hasDocsConfig) await printReport(report, workspace, options, context)
  }
  const isOpen = options.check && report.changes.length > 0
  // Errors are for `check`: here they only count where they keep all pages from being recorded.
  const blocking = report.isUsable && !isBlocked(report) ? shown.diagnostics.filter(isUnreadable) : shown.diagnostics
  return toExitCode(blocking, { isOpen })
}

/** Whether pages are bound, but errors keep every one of them from being recorded. */
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
    const { formatPlan } = await import('../format-plan.ts')
    stdout.write(formatPlan(report.changes, format))
  }
  // What makes the exit code is said in any case.
  if (options.quiet && !(options.check && report.changes.length > 0)) return
  const count = report.divisions.reduce((sum, { pages }) => sum + pages.length, 0)
  const pages = formatCount(count, 'page')
  if (!report.isUsable) {
    stdout.write(palette.error('✖ no page is adopted: fix the errors above, then run `openapi-pages adopt` again\n'))
  } else if (isBlocked(report)) {
    stdout.write(palette.error(`✖ ${describeBlocked(report)}\n`))
  } else if (report.changes.length === 0) {
    stdout.write(palette.success(`✔ ${describeNothing(report)}\n`))
  } else if (options.check) {
    stdout.write(palette.error(`✖ ${pages} ${count === 1 ? 'is' : 'are'} not adopted (run \`openapi-pages adopt\`)\n`))
  } else if (options.dryRun) {
    stdout.write(`dry run: ${pages} would be adopted, nothing is written (run \`openapi-pages adopt\` to write)\n`)
  } else {
    const next =
      report.remaining.length === 0
        ? 'the next update changes nothing'
        : `the next update changes ${formatCount(report.remaining.length, 'file')}`
    stdout.write(palette.success(`✔ ${pages} adopted, nothing else is changed; ${next}\n`))
    const { errors } = countFindings(report.diagnostics)
    if (errors > 0)
      stdout.write(
        `  Fix the ${formatCount(errors, 'error')} above before the next update: until then, affected pages are not updated.\n`,
      )
  }
}

/** For pages whose bindings cannot be resolved because of errors. */
function describeBlocked({ unbound }: AdoptReport): string {
  const pages = formatCount(unbound.length, 'bound page')
  return `no page is adopted: ${pages} left alone; fix the errors above, then run \`openapi-pages adopt\` again`
}

function describeNothing({ knownCount }: AdoptReport): string {
  if (knownCount > 0)
    return `nothing to adopt: ${formatCount(knownCount, 'page')} ${knownCount === 1 ? 'is' : 'are'} recorded already`
  return 'nothing to adopt: no page is bound to an operation, webhook or schema (run `openapi-pages update` to write pages)'
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
    unbound,
    remaining: remaining.map(({ path }) => path),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}

const unboundReasons = {
  'faulty-document': 'because errors in their document hide what they are bound to',
  ambiguous: 'until their binding names one of the documents that have it',
  unresolved: 'since nothing has what they are bound to',
} as const

const listedDivisions = 12
const listedOperations = 5

/** Shows what was taken over: each part of the navigation with its pages, how they are made, and what has no page there. */
function formatAdopt(report: AdoptReport, options: UpdateFormatOptions): string {
  const { palette, all } = options
  const shown = all ? report.divisions : report.divisions.slice(0, listedDivisions)
  const blocks = shown.map((area) => formatDivision(area, report.root, options))
  const left = report.divisions.length - shown.length
  if (left > 0) blocks.push(palette.dim(`  … and ${formatCount(left, 'more document')} (--all shows them)\n`))
  for (const [reason, pages] of groupBy(report.unbound, (page) => page.reason)) {
    const paths = (all ? pages : pages.slice(0, listedOperations)).map(({ path }) =>
      escapeText(options.toShown(joinPath(report.root, path))),
    )
    const rest = pages.length - paths.length
    const more = rest > 0 ? ` and ${formatNumber(rest)} more` : ''
    const count = palette.warning(`${formatCount(pages.length, 'page')} left alone`)
    blocks.push(`${count}, ${unboundReasons[reason]}: ${paths.join(', ')}${more}\n`)
  }
  return blocks.map((block) => `${block}\n`).join('')
}

function formatDivision(area: AdoptedDivisionReport, root: string, { palette, toShown, all }: UpdateFormatOptions): string {
  const { label, division, source, pages, unwritten, pattern, adopted } = area
  const place = escapeText(label === '' ? division : label)
  const kept = pages.filter(({ isKept }) => isKept).length
  const words = [
    `${formatCount(pages.length, 'page')} of ${escapeText(toShown(joinPath(root, source)))}`,
    ...(kept > 0 ? [`${formatNumber(kept)} with a text of ${kept === 1 ? 'its' : 'their'} own`] : []),
  ]
  const lines = [`${palette.strong(place)}   ${words.join(', ')}`]
  if (pattern) {
    const name = pattern.name === undefined ? 'names of their own' : `named after ${pattern.name}`
    const folder = escapeText(toShown(joinPath(root, pattern.folder)))
    lines.push(`  files     ${folder}/…${pattern.extension}, ${name}`)
    const title = pattern.title === undefined ? '' : `, title from ${pattern.title}`
    lines.push(
      `  header    ${escapeText(pattern.keys.join(', '))}${title}${pattern.sharesBody ? ', and a text that most share' : ''}`,
    )
    lines.push(`  binding   openapi: ${escapeText(pattern.binding)}`)
  }
  lines.push(
    adopted === 'growing'
      ? '  new       an operation that comes gets a page here, made likewise'
      : '  new       an operation that comes gets no page here: these are but a few of all',
  )
  if (unwritten.length > 0) {
    const some = all ? unwritten : unwritten.slice(0, listedOperations)
    const more = unwritten.length > some.length ? ` and ${formatNumber(unwritten.length - some.length)} more` : ''
    const verb = unwritten.length === 1 ? 'has' : 'have'
    lines.push(
      `  missing   ${formatCount(unwritten.length, 'operation')} ${verb} no page: ${some.map(escapeText).join(', ')}${more}`,
    )
    lines.push(palette.dim('            (`unlisted: add` in openapi-pages.config.yaml gets them with the next update)'))
  }
  return `${lines.join('\n')}\n`
}
