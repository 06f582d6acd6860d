import {
  type Change,
  type ChangeLevel,
  type ChangeThreshold,
  type Comparison,
  changeLevels,
  countChanges,
  meetsThreshold,
} from '../../changes/change.ts'
import {
  formatChangesGithub,
  formatChangesJunit,
  formatChangesSarif,
  toChangesJson,
  toDirectoryChangesJson,
} from '../../changes/show/changes-formats.ts'
import {
  describeChangedClients,
  findNeededVersion,
  formatChangesText,
  formatLevels,
  listSides,
  nameOperations,
  summarizeClients,
} from '../../changes/show/changes-text.ts'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { packageVersion } from '../../docs/config/config-files.ts'
import { maxCommentLength, renderChangesMarkdown } from '../../github/report/markdown.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import { addCommonOptions, type CommonOptions, choiceOption, type DefineCommand } from '../base/command-options.ts'
import { addComparisonOptions, type ComparisonOptions, failOnOption } from '../base/comparison-options.ts'
import { type ComparedVersions, compareNamed, type NamedComparison } from '../open/compare-named.ts'
import { choosePalette, createProgress, lineWidth } from '../print/terminal.ts'

const formats = ['text', 'json', 'markdown', 'github', 'sarif', 'junit'] as const

interface ChangesCommandOptions extends Omit<CommonOptions, 'format'>, ComparisonOptions {
  readonly format: (typeof formats)[number]
  /** The least severe level that makes the command fail. Default: the setting `changes.failOn`. */
  readonly failOn?: readonly ChangeThreshold[]
  readonly only?: ChangeLevel
}

/** The options of `changes`. */
export const defineChangesCommand: DefineCommand = (command) => {
  command
    .addOption(failOnOption())
    .addOption(choiceOption('--only <level>', 'list only changes of this level: breaking, risky, compatible', changeLevels))
  addComparisonOptions(command)
  addCommonOptions(command, formats)
  return runChangesCommand
}

/** Compares two versions and prints their changes. */
async function runChangesCommand(
  base: string,
  revision: string,
  options: ChangesCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const isForGithub = options.format === 'github' || options.format === 'sarif'
  // GitHub expects paths relative to the root of the checkout, wherever the step runs.
  const shownFrom = (isForGithub ? context.env['GITHUB_WORKSPACE'] : undefined) || context.workingDirectory
  const compareOptions = { ...options, shownFrom, placesRemoved: isForGithub }
  return await runComparison({ base, revision }, compareOptions, context, (compared) => {
    if (options.format === 'text') printText(compared, options, context)
    else context.stdout.write(formatChanges(compared, { ...options, format: options.format }))
    if (!options.quiet && (options.format === 'text' || options.format === 'github')) printSummary(compared, options, context)
  })
}

/** Compares two versions, prints them, and returns the exit code for their changes. */
export async function runComparison(
  names: Parameters<typeof compareNamed>[0],
  options: Parameters<typeof compareNamed>[1] & Pick<ChangesCommandOptions, 'failOn'>,
  context: CliContext,
  print: (compared: ComparedVersions) => void | Promise<void>,
): Promise<ExitCode> {
  const progress = createProgress(context.stderr, options.quiet)
  const compared = await compareNamed(names, options, context, progress)
  const isComplete = compared?.documents.every(({ comparison }) => comparison) === true
  if (!compared || (!isComplete && !compared.isDirectory)) return 2
  await print(compared)
  const { documents } = compared
  if (!options.quiet) for (const document of documents) warnAboutErrors(document, compared, context)
  if (!isComplete) return 2
  const fails = createFails(documents, options)
  return documents.some(({ comparison }) => comparison?.changes.some(fails)) ? 1 : 0
}

/** Whether a change meets `--fail-on`, else the setting of its docs directory. */
function createFails(
  documents: readonly NamedComparison[],
  { failOn }: Pick<ChangesCommandOptions, 'failOn'>,
  byDefault?: ChangeThreshold,
) {
  const failing = new Set(
    documents.flatMap(({ comparison, failOn: setting }) => {
      const threshold = failOn ?? setting
      const used = [threshold].flat().every((one) => one === 'never') ? (byDefault ?? threshold) : threshold
      return (comparison?.changes ?? []).filter((change) => meetsThreshold(change, used))
    }),
  )
  return (change: Change) => failing.has(change)
}

/** The documents with the changes to list. */
function listDocuments({ documents }: ComparedVersions, { only }: ChangesCommandOptions): readonly NamedComparison[] {
  if (!only) return documents
  return documents.map((document) => {
    const { comparison } = document
    const changes = comparison?.changes.filter(({ level }) => level === only) ?? []
    return { ...document, comparison: comparison && { ...comparison, changes } }
  })
}

function printText(compared: ComparedVersions, options: ChangesCommandOptions, { stdout, ...context }: CliContext) {
  const palette = choosePalette(stdout, { ...context, stdout }, options.color)
  const blocks = listDocuments(compared, options).flatMap((document) => {
    const { comparison } = document
    if (!comparison || comparison.changes.length === 0) return []
    const text = formatChangesText(comparison, {
      palette,
      sources: toSources(document),
      all: options.all,
      lineWidth: lineWidth(stdout),
    })
    if (!compared.isDirectory) return text
    const [name, facts] = [describeDocument(document), formatLevels(countChanges(comparison.changes))]
    return `${palette.strong(name)}${palette.dim(`  ${facts}`)}\n${palette.dim('─'.repeat(name.length + facts.length + 2))}\n\n${text}`
  })
  if (blocks.length > 0) stdout.write(options.quiet ? blocks.join('\n') : `${blocks.join('\n')}\n`)
}

/** `docs/pets.yaml (1.0.0 → 2.0.0)`, escaped. */
export function describeDocument({ document, kind, comparison }: NamedComparison): string {
  const sides = comparison && listSides(comparison)
  const names = kind === 'compared' && sides ? sides.documents : [document]
  const facts = [
    ...(kind === 'compared' ? [] : [kind]),
    ...(sides && sides.versions.length > 0 ? [sides.versions.join(' → ')] : []),
  ]
  return escapeText(`${names.join(' → ')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`)
}

function toSources({ sources: { base, revision } }: NamedComparison) {
  return { base: (file: string) => base.get(file), revision: (file: string) => revision.get(file) }
}

/** Formats for programs. */
function formatChanges(
  compared: ComparedVersions,
  options: ChangesCommandOptions & { readonly format: Exclude<ChangesCommandOptions['format'], 'text'> },
): string {
  const documents = listDocuments(compared, options)
  const comparisons = documents.flatMap(({ comparison }) => comparison ?? [])
  const [first] = comparisons
  switch (options.format) {
    case 'json':
      return `${toSafeJson(compared.isDirectory || !first ? toDirectoryChangesJson(documents) : toChangesJson(first, documents[0]))}\n`
    case 'markdown': {
      const { all } = options
      const listed = documents.filter(({ comparison }) => !compared.isDirectory || comparison?.changes.length !== 0)
      return renderChangesMarkdown(listed, { all, limitBytes: all ? Number.POSITIVE_INFINITY : maxCommentLength })
    }
    case 'github':
      return comparisons.map(formatChangesGithub).join('')
    case 'sarif':
      return formatChangesSarif(comparisons, { version: packageVersion })
    case 'junit':
      return formatChangesJunit(comparisons, createFails(documents, options, 'breaking'))
  }
}

/** The runner parses stdout for annotations, so the summary of that format goes to stderr. */
export function printSummary(
  compared: ComparedVersions,
  { format, color }: Pick<ChangesCommandOptions, 'format' | 'color'>,
  context: CliContext,
): void {
  const output = format === 'github' ? context.stderr : context.stdout
  output.write(formatSummary(compared, choosePalette(output, context, color)))
  for (const { document, kind, comparison } of compared.documents) {
    const needed = comparison && kind === 'compared' ? findNeededVersion(comparison) : undefined
    if (!needed) continue
    const place = compared.isDirectory ? ` of ${escapeText(document)}` : ''
    output.write(`hint: Set \`info.version\`${place} to ${needed.version}. Breaking changes need a new ${needed.part} version\n`)
  }
}

function warnAboutErrors(
  { document, comparison, errors, incomplete = [] }: NamedComparison,
  { named }: ComparedVersions,
  { stderr }: CliContext,
): void {
  if (!comparison) return
  const sides = (['base', 'revision'] as const).flatMap((side) => {
    if (errors[side] === 0) return []
    const { revision } = named[side]
    const shown = comparison[side].document || document
    const at = revision === undefined ? '' : ` at ${escapeText(revision)}`
    return {
      text: `${escapeText(shown)}${at} has ${formatCount(errors[side], 'error')}`,
      file: revision === undefined ? shown : undefined,
    }
  })
  if (sides.length === 0) return
  const files = [...new Set(sides.flatMap(({ file }) => file ?? []))]
  const next = files.length === 0 ? '' : ` Run \`openapi-pages check ${files.map(quoteForShell).join(' ')}\`.`
  stderr.write(`${sides.map(({ text }) => text).join(' and ')}, so the list can be incomplete.${next}\n`)
  if (incomplete.length === 0) return
  stderr.write(`hint: Correct references first. Parts of these operations cannot be read: ${nameOperations(incomplete)}\n`)
}

function formatSummary({ documents, isDirectory, named }: ComparedVersions, palette: ReturnType<typeof choosePalette>): string {
  const changes = documents.flatMap(({ comparison }) => comparison?.changes ?? [])
  const [first] = documents
  const facts = isDirectory || !first?.comparison ? describeDirectories(documents, named) : describeSides(first.comparison)
  const shownFacts = palette.dim(`(${facts.map(escapeText).join(', ')})`)
  if (changes.length === 0) {
    const isRead = documents.some(({ comparison }) => comparison)
    return isRead ? `${palette.success('✔ No changes for API clients')} ${shownFacts}\n` : ''
  }
  const counts = countChanges(changes)
  const total = `${formatLevels(counts)} ${changes.length === 1 ? 'change' : 'changes'}`
  const shown = counts.breaking > 0 ? palette.error(`✖ ${total}`) : palette.success(`✔ ${total}`)
  const clients = summarizeClients(changes)
  const changed = describeChangedClients(documents)
  return [`${shown} ${shownFacts}`, ...(clients === undefined ? [] : [`  ${escapeText(clients)}`]), ...changed.map(escapeText)]
    .map((line) => `${line}\n`)
    .join('')
}

function describeSides(comparison: Comparison): readonly string[] {
  const { documents, versions } = listSides(comparison)
  return [documents.join(' → '), versions.join(' → ')].filter(Boolean)
}

function describeDirectories(
  documents: readonly NamedComparison[],
  { base, revision }: ComparedVersions['named'],
): readonly string[] {
  const changed = documents.filter(({ comparison }) => comparison && comparison.changes.length > 0).length
  const count = formatCount(documents.length, 'document')
  return [`${base.argument} → ${revision.argument}`, changed === 0 ? count : `${formatNumber(changed)} of ${count}`]
}
