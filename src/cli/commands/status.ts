import { countFindings, formatCount, formatCounts } from '../../diagnostic/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostic/format-json.ts'
import { toSafeJson } from '../../text/escape-text.ts'
import { runStatus, type StatusReport } from '../../update/run-status.ts'
import { choosePalette } from '../choose-palette.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import type { StatusCommandOptions } from '../command-options.ts'
import { formatStatus } from '../format-status.ts'
import { openDocsRoot } from '../open-docs-root.ts'
import { printFindings } from '../print-findings.ts'
import { tellUnreadable } from '../tell-unreadable.ts'
import { toExitCode } from '../to-exit-code.ts'

/** Shows how the pages of a docs root stand. */
export async function runStatusCommand(argument: string, options: StatusCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsRoot(argument, 'tell the status of', options, context)
  const report = await runStatus({ root, documents: [], directory: 'api-reference' }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  progress.clear()
  const findings = tellUnreadable(shown.diagnostics, context.stderr)
  const { stdout } = context
  if (options.format === 'json') {
    const { root: _, ...rest } = report
    stdout.write(
      `${toSafeJson({ version: 1, upToDate: report.changes.length === 0, ...rest, diagnostics: shown.diagnostics.map(toDiagnosticJson) })}\n`,
    )
  } else {
    // What is only worth knowing would push the page counts out of sight; `check` has it all.
    const errors = options.all ? findings : findings.filter(({ severity }) => severity === 'error')
    await printFindings(stdout, { diagnostics: errors, sources: shown.sources }, options, context)
    // What makes the exit code is said in any case.
    if (report.hasDocsConfig && !(options.quiet && report.changes.length === 0)) {
      const palette = choosePalette(stdout, context, options.color)
      if (!options.quiet) stdout.write(formatStatus(report, { palette, toShown: workspace.toShown, all: options.all }))
      const counts = countFindings(shown.diagnostics)
      if (report.changes.length > 0) stdout.write(palette.warning(`~ ${describeWhole(report)}\n`))
      else if (counts.errors > 0) stdout.write(palette.error(`✖ ${formatCounts(counts)}: an update would change nothing\n`))
      else stdout.write(palette.success(`✔ ${describeWhole(report)}\n`))
    }
  }
  return toExitCode(shown.diagnostics, { isOpen: report.changes.length > 0 })
}

function describeWhole({ changes, divisions, byHand }: StatusReport): string {
  if (changes.length > 0) return `an update would change ${formatCount(changes.length, 'file')} (run \`openapi-pages update\`)`
  if (divisions.length > 0) return 'up to date: an update would change nothing'
  if (byHand.length > 0) return 'nothing is recorded yet: run `openapi-pages adopt` to keep these pages up to date'
  return 'nothing here yet: put `"openapi": "openapi.yaml"` on a tab of docs.json and run `openapi-pages update`'
}
