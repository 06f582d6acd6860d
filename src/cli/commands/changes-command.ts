import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { ChangeLevel } from '../../openapi/changes/change-codes.ts'
import { type ChangeThreshold, changeThresholds, meetsThreshold } from '../../openapi/changes/change-threshold.ts'
import { countChanges, formatChangesJson } from '../../openapi/changes/changes-json.ts'
import { formatChangesText, formatLevels, listSides } from '../../openapi/changes/changes-text.ts'
import type { Comparison } from '../../openapi/changes/types.ts'
import { findNeededVersion } from '../../openapi/changes/version-advice.ts'
import { escapeText } from '../../source/escape-text.ts'
import { packageVersion } from '../../update/package-version.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { addCommonOptions, type CommonOptions, choiceOption, type DefineCommand } from '../command-options.ts'
import { compareNamed, type ReadDocuments, toShownSources } from '../compare-named.ts'
import { lineWidth } from '../print-diagnostics.ts'
import { choosePalette, createProgress } from '../terminal.ts'

const formats = ['text', 'json', 'markdown', 'html', 'github', 'sarif', 'junit'] as const

interface ChangesCommandOptions extends Omit<CommonOptions, 'format'> {
  readonly format: (typeof formats)[number]
  /** The least severe level that makes the command fail. Default: the setting `changes.failOn`. */
  readonly failOn?: ChangeThreshold
  readonly only?: ChangeLevel
  /** Paths with `*`; empty for all. */
  readonly path: readonly string[]
  /** Names of tags; empty for all. */
  readonly tag: readonly string[]
}

/** The options, help and action of `changes`. */
export const defineChangesCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Compares two versions of an API description and reports each change as breaking, risky or compatible for API clients, with its ' +
        'place in both versions and the operations it affects.',
    )
    .addOption(
      choiceOption(
        '--fail-on <level>',
        'exit with code 1 for changes of this level or worse: breaking, risky, any, never (default: `changes.failOn`, or never)',
        changeThresholds,
      ),
    )
    .addOption(
      choiceOption('--only <level>', 'list only changes of this level: breaking, risky, compatible', [
        'breaking',
        'risky',
        'compatible',
      ]),
    )
    .option('--path <pattern>', 'compare only operations with this path; * matches any characters (repeatable)', collect, [])
    .option('--tag <name>', 'compare only operations with this tag (repeatable)', collect, [])
  addCommonOptions(command, formats)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages changes old.yaml openapi.yaml
  openapi-pages changes main:openapi.yaml openapi.yaml      The work tree against a branch
  openapi-pages changes HEAD~1:openapi.yaml HEAD:openapi.yaml
  openapi-pages changes https://example.com/openapi.json openapi.json
  openapi-pages changes main:openapi.yaml openapi.yaml --fail-on breaking
  openapi-pages changes old.yaml openapi.yaml --path '/pets*' --tag admin
  openapi-pages changes main:openapi.yaml openapi.yaml --format github   Annotations in a GitHub workflow
  openapi-pages changes old.yaml openapi.yaml --format html > changes.html
  openapi-pages changes old.yaml openapi.yaml --format json | jq '.changes[].message'`,
    )
    .action(async (base: string, revision: string, options: ChangesCommandOptions) => {
      end(await runChangesCommand(base, revision, options, context))
    })
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** Compares two descriptions and prints their changes. */
async function runChangesCommand(
  base: string,
  revision: string,
  options: ChangesCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const progress = createProgress(context.stderr, options.quiet)
  const isForGithub = options.format === 'github' || options.format === 'sarif'
  // GitHub expects paths relative to the root of the checkout, wherever the step runs.
  const shownFrom = (isForGithub ? context.env['GITHUB_WORKSPACE'] : undefined) || context.workingDirectory
  const names = { base, revision }
  const compared = await compareNamed(names, { ...options, shownFrom, placesRemoved: isForGithub }, context, progress)
  if (!compared) return 2
  const { comparison, ...read } = compared
  const failOn = options.failOn ?? read.revision.check.config.changes.failOn
  const listed = { ...comparison, changes: comparison.changes.filter(({ level }) => !options.only || level === options.only) }
  if (options.format === 'text') printText(listed, options, read, context)
  else context.stdout.write(await formatChanges(listed, { ...options, format: options.format, failOn }, read))
  if (!options.quiet) {
    if (options.format === 'text' || options.format === 'github') printSummary(comparison, options, context)
    warnAboutErrors(read, context)
  }
  return comparison.changes.some((change) => meetsThreshold(change, failOn)) ? 1 : 0
}

function printText(listed: Comparison, options: ChangesCommandOptions, read: ReadDocuments, { stdout, ...context }: CliContext) {
  const text = formatChangesText(listed, {
    palette: choosePalette(stdout, { ...context, stdout }, options.color),
    sources: toSources(read),
    all: options.all,
    lineWidth: lineWidth(stdout),
  })
  if (text !== '') stdout.write(options.quiet ? text : `${text}\n`)
}

function toSources({ base, revision }: ReadDocuments) {
  const sources = { base: toShownSources(base), revision: toShownSources(revision) }
  return { base: (file: string) => sources.base.get(file), revision: (file: string) => sources.revision.get(file) }
}

/** Formats for programs. Each is loaded only if it is used. */
async function formatChanges(
  listed: Comparison,
  options: ChangesCommandOptions & {
    readonly format: Exclude<ChangesCommandOptions['format'], 'text'>
    readonly failOn: ChangeThreshold
  },
  read: ReadDocuments,
): Promise<string> {
  switch (options.format) {
    case 'json':
      return formatChangesJson(listed)
    case 'markdown': {
      const { maxCommentLength, renderChangesMarkdown } = await import('../../github/report/changes-markdown.ts')
      const { all } = options
      return renderChangesMarkdown(listed, { all, limitBytes: all ? Number.POSITIVE_INFINITY : maxCommentLength })
    }
    case 'html': {
      const { renderChangesPage } = await import('../../site/render/changes-page.tsx')
      return renderChangesPage(listed, toSources(read))
    }
    case 'github':
    case 'sarif':
    case 'junit': {
      const formatters = await import('../../openapi/changes/changes-ci.ts')
      if (options.format === 'github') return formatters.formatChangesGithub(listed)
      if (options.format === 'sarif') return formatters.formatChangesSarif(listed, { version: packageVersion })
      const failOn = options.failOn === 'never' ? 'breaking' : options.failOn
      return formatters.formatChangesJunit(listed, (change) => meetsThreshold(change, failOn))
    }
  }
}

/** The runner parses stdout for annotations, so the summary of that format goes to stderr. */
function printSummary(all: Comparison, { format, color }: ChangesCommandOptions, context: CliContext): void {
  const output = format === 'github' ? context.stderr : context.stdout
  output.write(formatSummary(all, choosePalette(output, context, color)))
  const needed = findNeededVersion(all)
  if (needed)
    output.write(`hint: Set \`info.version\` to ${needed.version}. Breaking changes need a new ${needed.part} version\n`)
}

function warnAboutErrors({ base, revision }: ReadDocuments, { stderr }: CliContext): void {
  for (const { named, errors } of [base, revision]) {
    if (errors.length === 0) continue
    const shown = escapeText(named.toShown(named.entry))
    stderr.write(
      `${shown} has ${formatCount(errors.length, 'error')}, so the list can be incomplete. Run \`openapi-pages check ${shown}\`.\n`,
    )
  }
}

function formatSummary(comparison: Comparison, palette: ReturnType<typeof choosePalette>): string {
  const { changes } = comparison
  const counts = countChanges(changes)
  const { documents, versions } = listSides(comparison)
  const facts = palette.dim(
    `(${[documents, versions]
      .map((names) => escapeText(names.join(' → ')))
      .filter(Boolean)
      .join(', ')})`,
  )
  if (changes.length === 0) return `${palette.success('✔ No changes for API clients')} ${facts}\n`
  const total = `${formatLevels(counts)} ${changes.length === 1 ? 'change' : 'changes'}`
  const shown = counts.breaking > 0 ? palette.error(`✖ ${total}`) : palette.success(`✔ ${total}`)
  return `${shown} ${facts}\n`
}
