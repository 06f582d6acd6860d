import { formatCount } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-json.ts'
import { defaultDirectory } from '../../docs-config/read-divisions.ts'
import { ConfigError } from '../../errors.ts'
import { escapeText, toSafeJson } from '../../source/escape-text.ts'
import { runVirtual, type VirtualResult } from '../../update/run-virtual.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { countPages, formatPages } from '../output/format-update.ts'
import { printDiagnostics } from '../output/print-diagnostics.ts'
import { choosePalette } from '../output/terminal.ts'
import { writeChanges } from '../output/write-output.ts'
import { openDocsDirectory } from '../workspace.ts'

interface VirtualCommandOptions extends CommonOptions {
  readonly dryRun: boolean
}

/** The options, help and action of `virtual`. */
export const defineVirtualCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Removes the generated page files of a division so that the docs host generates its pages again. Restores the `openapi` key in ' +
        'docs.json and sets `materialize: false` for the division in the configuration file. Hand-edited pages are kept.',
    )
    .option('--dry-run', 'do not write; print the planned changes', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
To generate the page files again, remove the setting from the configuration file and run \`openapi-pages update\`.

Examples:
  openapi-pages virtual "API Reference" --dry-run
  openapi-pages virtual "API Reference"`,
    )
    .action(async (division: string, root: string, options: VirtualCommandOptions) => {
      end(await runVirtualCommand(division, root, options, context))
    })
}

/**
 * Makes a division virtual again, or only shows the changes.
 *
 * @throws {ConfigError} if the name does not identify one division, or the division cannot become virtual.
 */
async function runVirtualCommand(
  name: string,
  argument: string,
  options: VirtualCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { progress, workspace, root } = await openDocsDirectory(argument, 'change', options, context)
  const report = await runVirtual(name, { root, documents: [], directory: defaultDirectory }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  progress.clear()
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  const { stdout } = context
  const { result } = report
  if (!result || options.format === 'text') {
    await printDiagnostics(stdout, { diagnostics, sources: shown.sources }, options, context)
  }
  if (!result) {
    if (report.hasDocsConfig) return shown.diagnostics.some(isUnreadable) ? 2 : 1
    throw new ConfigError(`cannot find docs.json in ${argument}`, {
      hint: 'Name its directory: `openapi-pages virtual <division> <directory>`',
    })
  }
  if (result.kind !== 'planned' && result.kind !== 'virtual-already') throw toError(name, result)
  const changes = result.kind === 'planned' ? result.changes : []
  if (!options.dryRun) await writeChanges(workspace.boundary, changes, workspace.toShown, root)
  if (options.format === 'json') {
    const pages = result.kind === 'planned' ? result.pages : []
    const pathsOf = (kind: string) => pages.filter((page) => page.kind === kind).map(({ path }) => path)
    const counts = { removed: pathsOf('removed'), kept: pathsOf('kept') }
    stdout.write(
      `${toSafeJson({ version: 1, changed: changes.length > 0, ...counts, diagnostics: shown.diagnostics.map(toDiagnosticJson) })}\n`,
    )
    return 0
  }
  const palette = choosePalette(stdout, context, options.color)
  if (result.kind === 'virtual-already') {
    if (!options.quiet) stdout.write(palette.success(`✔ ${escapeText(name)} is already virtual\n`))
    return 0
  }
  const format = { palette, toShown: workspace.toShown, all: options.all, isWritten: !options.dryRun }
  const { pages, removedEntries, config, label } = result
  if (!options.quiet) {
    const navigation = { added: 0, removed: removedEntries }
    stdout.write(`${formatPages({ root, pages, changes, navigation }, format).join('\n')}\n\n`)
  }
  if (options.dryRun) {
    const { formatPlan } = await import('../output/format-plan.ts')
    stdout.write(formatPlan(changes, format))
    if (!options.quiet) stdout.write(`Dry run: ${formatCount(changes.length, 'file')} to change\n`)
    return 0
  }
  if (!options.quiet) {
    const line = `${escapeText(label)} is virtual now, ${countPages(pages) || 'no generated pages'}`
    stdout.write(palette.success(`✔ ${line} (set in ${escapeText(workspace.toShown(config))})\n`))
  }
  return 0
}

function toError(name: string, result: Exclude<VirtualResult, { kind: 'planned' | 'virtual-already' }>): ConfigError {
  switch (result.kind) {
    case 'unknown': {
      const known = result.known.map((label) => `\`${label}\``).join(', ')
      const hint =
        result.near !== undefined
          ? `Did you mean \`${result.near}\`?`
          : known === ''
            ? 'No division in docs.json has an `openapi` key or generated pages.'
            : `Available: ${known}.`
      return new ConfigError(`cannot find the division \`${name}\``, { hint })
    }
    case 'ambiguous':
      return new ConfigError(`ambiguous division \`${name}\`: ${result.ids.length} divisions have this label`, {
        hint: `Use an ID instead: ${result.ids.map((id) => `"${id}"`).join(' or ')}`,
      })
    case 'adopted':
      return new ConfigError(`cannot make \`${name}\` virtual: its pages were adopted, not generated`, {
        hint: 'To stop updating them, remove their lines from openapi-pages.lock.json, or delete that file',
      })
    case 'no-setting':
      return new ConfigError(`cannot set \`materialize\` for \`${name}\`: ${result.reason}`, {
        hint: 'Fix the errors and run the command again',
      })
  }
}
