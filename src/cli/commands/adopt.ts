import { countFindings, formatCount } from '../../diagnostic/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostic/format-json.ts'
import { toSafeJson } from '../../text/escape-text.ts'
import { type AdoptReport, runAdopt } from '../../update/run-adopt.ts'
import { choosePalette } from '../choose-palette.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import type { AdoptCommandOptions } from '../command-options.ts'
import { formatAdopt } from '../format-adopt.ts'
import { isUnreadable } from '../is-unreadable.ts'
import { openDocsRoot } from '../open-docs-root.ts'
import type { Workspace } from '../open-workspace.ts'
import { printFindings } from '../print-findings.ts'
import { tellUnreadable } from '../tell-unreadable.ts'
import { toExitCode } from '../to-exit-code.ts'
import { writeChanges } from '../write-changes.ts'

/** Records the pages of a docs root that others have made, or only says which. */
export async function runAdoptCommand(argument: string, options: AdoptCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsRoot(argument, 'adopt', options, context)
  const report = await runAdopt({ root, documents: [], directory: 'api-reference' }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  if (!options.check && !options.dryRun) await writeChanges(workspace.boundary, report.changes, workspace.toShown, root)
  progress.clear()
  const findings = tellUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    context.stdout.write(`${toSafeJson(toAdoptJson({ ...report, diagnostics: shown.diagnostics }))}\n`)
  } else {
    // What has no page is told with its division.
    const told = findings.filter(({ code }) => code !== 'unlisted-operation')
    await printFindings(context.stdout, { diagnostics: told, sources: shown.sources }, options, context)
    if (report.hasDocsConfig) await printReport(report, workspace, options, context)
  }
  const isOpen = options.check && report.changes.length > 0
  // Errors are for `check`: here they only count where they keep all pages from being recorded.
  const blocking = report.isUsable && !isBlocked(report) ? shown.diagnostics.filter(isUnreadable) : shown.diagnostics
  return toExitCode(blocking, { isOpen })
}

/** Whether pages are bound, but errors keep every one of them from being recorded. */
function isBlocked({ areas, knownCount, unbound, diagnostics }: AdoptReport): boolean {
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  return areas.length === 0 && knownCount === 0 && unbound.length > 0 && hasErrors
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
  const count = report.areas.reduce((sum, { pages }) => sum + pages.length, 0)
  const pages = formatCount(count, 'page')
  if (!report.isUsable) {
    stdout.write(palette.error('✖ no page is adopted: fix the errors above, then run `openapi-pages adopt` again\n'))
  } else if (isBlocked(report)) {
    stdout.write(palette.error(`✖ ${describeOpen(report)}\n`))
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

/** Where pages are bound, but none to what can be told for sure. */
function describeOpen({ unbound }: AdoptReport): string {
  const pages = formatCount(unbound.length, 'bound page')
  return `no page is adopted: ${pages} left alone; fix the errors above, then run \`openapi-pages adopt\` again`
}

function describeNothing({ knownCount }: AdoptReport): string {
  if (knownCount > 0)
    return `nothing to adopt: ${formatCount(knownCount, 'page')} ${knownCount === 1 ? 'is' : 'are'} recorded already`
  return 'nothing to adopt: no page is bound to an operation, webhook or schema (run `openapi-pages update` to write pages)'
}

function toAdoptJson({ areas, unbound, changes, remaining, diagnostics }: AdoptReport) {
  return {
    version: 1,
    changed: changes.length > 0,
    divisions: areas.map(({ division, label, source, adopted, pages, unwritten, pattern }) => ({
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
