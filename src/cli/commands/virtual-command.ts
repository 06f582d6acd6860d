import { formatCount } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-json.ts'
import { ConfigError } from '../../errors.ts'
import { escapeText, toSafeJson } from '../../source/escape-text.ts'
import { runVirtual, type VirtualResult } from '../../update/run-virtual.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { countPages, formatPages } from '../format-update.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette } from '../terminal.ts'
import { openDocsDirectory } from '../workspace.ts'
import { writeChanges } from '../write-output.ts'

interface VirtualCommandOptions extends CommonOptions {
  readonly dryRun: boolean
}

/** The options, help and action of `virtual`. */
export const defineVirtualCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Undoes that the pages of a division are files: puts its openapi key back into docs.json, removes its entries and untouched pages, ' +
        'and sets `materialise` for it in the configuration file so that the next update leaves it alone. Pages edited by hand are kept.',
    )
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
To have the pages as files again, take the line out of openapi-pages.config.yaml and run \`openapi-pages update\`.

Examples:
  openapi-pages virtual "API Reference" --dry-run
  openapi-pages virtual "API Reference"`,
    )
    .action(async (division: string, root: string, options: VirtualCommandOptions) => {
      end(await runVirtualCommand(division, root, options, context))
    })
}

/**
 * Gives the pages of a division back to the host, or only says what that would change.
 *
 * @throws {ConfigError} for a name that no one division has, and where it cannot be done.
 */
async function runVirtualCommand(
  name: string,
  argument: string,
  options: VirtualCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsDirectory(argument, 'change', options, context)
  const report = await runVirtual(name, { root, documents: [], directory: 'api-reference' }, workspace.environment)
  const shown = await workspace.show(report.diagnostics)
  progress.clear()
  const findings = reportUnreadable(shown.diagnostics, context.stderr)
  const { stdout } = context
  const { result } = report
  if (!result || options.format === 'text') {
    await printDiagnostics(stdout, { diagnostics: findings, sources: shown.sources }, options, context)
  }
  if (!result) {
    if (report.hasDocsConfig) return shown.diagnostics.some(isUnreadable) ? 2 : 1
    throw new ConfigError(`cannot find docs.json in ${argument}`, {
      hint: 'Name its folder: openapi-pages virtual <division> <folder>',
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
    if (!options.quiet)
      stdout.write(palette.success(`✔ nothing to do: the host makes the pages of ${escapeText(name)} already\n`))
    return 0
  }
  const format = { palette, toShown: workspace.toShown, all: options.all, isWritten: !options.dryRun }
  const { pages, removedEntries, config, label } = result
  if (!options.quiet) {
    const navigation = { added: 0, removed: removedEntries }
    stdout.write(`${formatPages({ root, pages, changes, navigation }, format).join('\n')}\n\n`)
  }
  if (options.dryRun) {
    const { formatPlan } = await import('../format-plan.ts')
    stdout.write(formatPlan(changes, format))
    if (!options.quiet) stdout.write(`dry run: ${formatCount(changes.length, 'file')} would change, nothing is written\n`)
    return 0
  }
  if (!options.quiet) {
    const words = `the host makes the pages of ${escapeText(label)} again: ${countPages(pages) || 'no page was ours'}`
    stdout.write(palette.success(`✔ ${words}; ${escapeText(workspace.toShown(config))} keeps it so\n`))
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
            ? 'No division of docs.json has an `openapi` key or pages of ours.'
            : `${result.known.length === 1 ? 'There is' : 'There are'} ${known}.`
      return new ConfigError(`cannot find the division \`${name}\``, { hint })
    }
    case 'ambiguous':
      return new ConfigError(`cannot tell which division \`${name}\` is meant: ${result.ids.length} have this label`, {
        hint: `Name one by its id: ${result.ids.map((id) => `"${id}"`).join(' or ')}`,
      })
    case 'adopted':
      return new ConfigError(
        `cannot give the pages of \`${name}\` back to the host: others had made them, and they were adopted`,
        {
          hint: 'To have them left alone, remove their lines from openapi-pages.lock.json, or delete that file.',
        },
      )
    case 'no-setting':
      return new ConfigError(`cannot keep the next update from writing the pages of \`${name}\` again: ${result.reason}`, {
        hint: 'Mend them, then run this again.',
      })
  }
}
