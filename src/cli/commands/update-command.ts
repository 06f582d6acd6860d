import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { toSafeJson } from '../../source/escape-text.ts'
import { runUpdate } from '../../update/run-update.ts'
import type { UpdateOptions, UpdateWithSources } from '../../update/types.ts'
import { toUpdateJson } from '../../update/update-results.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { reportUnreadable, toExitCode } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { countPages, formatUpdate } from '../format-update.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette } from '../terminal.ts'
import type { Workspace } from '../workspace.ts'
import { openDocsDirectory } from '../workspace.ts'
import { writeChanges } from '../write-output.ts'

interface UpdateCommandOptions extends CommonOptions {
  readonly check: boolean
  readonly dryRun: boolean
  /** False with `--no-renames`; else the configuration file decides. */
  readonly renames: boolean
  /** `update.onError: operation`, whatever the configuration file says. */
  readonly keepGoing?: boolean
}

/** The options, help and action of `update`. */
export const defineUpdateCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Reads docs.json, checks the documents it names, and writes one page per operation and the navigation. ' +
        'Pages edited by hand are kept. The pages of an invalid document are left as they are.',
    )
    .option('--check', 'change nothing; exit 1 where something would change', false)
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
    .option('--no-renames', 'do not guess which operation was renamed; only its operationId tells')
    .option('--keep-going', 'update the pages of operations that no error affects', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages update                 write what is out of date
  openapi-pages update docs            the same in another folder
  openapi-pages update --dry-run       see what would be written
  openapi-pages update --check         for CI: fail where pages are out of date`,
    )
    .action(async (root: string, options: UpdateCommandOptions) => {
      end(await runUpdateCommand(root, options, context))
    })
}

/** Brings the pages and navigation of a docs directory up to date, or only says what that would change. */
async function runUpdateCommand(argument: string, options: UpdateCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDocsDirectory(argument, 'update', options, context)
  const asked: UpdateOptions = {
    root,
    documents: [],
    directory: 'api-reference',
    ...(options.renames ? {} : { renames: false }),
    ...(options.keepGoing ? { onError: 'operation' } : {}),
  }
  const update = await runUpdate(asked, workspace.environment)
  const shown = await workspace.show(update.diagnostics, update.sourceOf)
  if (!options.check && !options.dryRun && update.changes.length > 0) {
    progress.step(`writing ${formatCount(update.changes.length, 'file')}`)
    await writeChanges(workspace.boundary, update.changes, workspace.toShown, update.root)
  }
  progress.clear()
  const findings = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    const documents = update.documents.map((document) => ({ ...document, path: workspace.toShown(document.path) }))
    context.stdout.write(`${toSafeJson(toUpdateJson({ ...update, documents, diagnostics: shown.diagnostics }))}\n`)
  } else {
    await printDiagnostics(context.stdout, { diagnostics: findings, sources: shown.sources }, options, context)
    if (update.hasDocsConfig) await printPlan(update, workspace, options, context)
  }
  return toExitCode(shown.diagnostics, { isOpen: options.check && update.changes.length > 0 })
}

async function printPlan(
  update: UpdateWithSources,
  workspace: Workspace,
  options: UpdateCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  const files = formatCount(update.changes.length, 'file')
  const isWritten = !options.check && !options.dryRun
  if (!options.quiet) {
    const text = formatUpdate(update, { palette, toShown: workspace.toShown, all: options.all, isWritten })
    if (text !== '') stdout.write(`${text}\n`)
  }
  if (options.dryRun) {
    const { formatPlan } = await import('../format-plan.ts')
    stdout.write(formatPlan(update.changes, { palette, toShown: workspace.toShown, all: options.all }))
    if (!options.quiet && update.changes.length > 0) {
      stdout.write(`dry run: ${files} would change, nothing is written (run \`openapi-pages update\` to write)\n`)
    }
  }
  // What makes the exit code is said in any case.
  if (options.quiet && !(options.check && update.changes.length > 0)) return
  const counts = countFindings(update.diagnostics)
  if (counts.errors > 0) {
    const inFiles = formatCount(new Set(update.diagnostics.map(({ file }) => file)).size, 'file')
    stdout.write(
      palette.error(`✖ ${formatCounts(counts)} in ${inFiles}${update.changes.length === 0 ? ', nothing is changed' : ''}\n`),
    )
  }
  if (update.changes.length === 0) {
    if (counts.errors === 0) stdout.write(palette.success(`✔ ${describeUpToDate(update)}\n`))
  } else if (options.check) {
    const verb = update.changes.length === 1 ? 'is' : 'are'
    stdout.write(palette.error(`✖ ${files} ${verb} out of date (run \`openapi-pages update\`)\n`))
  } else if (isWritten) stdout.write(palette.success(`✔ ${countPages(update.pages) || `${files} changed`}\n`))
}

function describeUpToDate({ pages, otherBoundCount }: UpdateWithSources): string {
  if (pages.length === 0 && otherBoundCount > 0) {
    const them = otherBoundCount === 1 ? 'it' : 'them'
    return `nothing to do: ${formatCount(otherBoundCount, 'page')} made by others (run \`openapi-pages adopt\` to have ${them} kept up to date)`
  }
  if (pages.length === 0) return 'nothing to do: the navigation has no division whose pages are written'
  return pages.length === 1 ? '1 page is up to date' : `${formatCount(pages.length, 'page')} are up to date`
}
