import { type Diagnostic, type Finding, formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { ChangeLevel } from '../../openapi/changes/change-codes.ts'
import { type ChangeThreshold, changeThresholds, meetsThreshold } from '../../openapi/changes/change-threshold.ts'
import { countChanges, formatChangesJson } from '../../openapi/changes/changes-json.ts'
import { formatChangesText, formatLevels, listSides } from '../../openapi/changes/changes-text.ts'
import { compare, toComparable } from '../../openapi/changes/compare.ts'
import { locateChanges } from '../../openapi/changes/locate-changes.ts'
import { placeInRevision } from '../../openapi/changes/place-in-revision.ts'
import { selectChanges } from '../../openapi/changes/select-changes.ts'
import type { ComparableDescription, ComparedDocument, Comparison, LocatedPlace } from '../../openapi/changes/types.ts'
import { findNeededVersion } from '../../openapi/changes/version-advice.ts'
import type { DescriptionCheck } from '../../openapi/check-description.ts'
import { escapeText } from '../../source/escape-text.ts'
import type { SourceFile } from '../../source/source-file.ts'
import { packageVersion } from '../../update/package-version.ts'
import { checkEntryDocument } from '../../update/run-check.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, choiceOption, type DefineCommand } from '../command-options.ts'
import { type NamedDocument, openNamedDocument } from '../open-revision.ts'
import { lineWidth, printDiagnostics } from '../print-diagnostics.ts'
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
  const open = { ...options, shownFrom }
  const named = {
    base: await openNamedDocument(base, open, context, progress),
    revision: await openNamedDocument(revision, open, context, progress),
  }
  progress.step(`reading ${base}`)
  const before = await readDocument(named.base)
  progress.step(`reading ${revision}`)
  const after = await readDocument(named.revision)
  progress.step('comparing')
  if (!before.comparable || !after.comparable) {
    progress.clear()
    for (const one of [before, after]) if (!one.comparable) await printErrors(one, options, context)
    return 2
  }
  // Without a valid configuration, the levels can be wrong.
  if (after.configErrors.length > 0) {
    progress.clear()
    await printErrors({ ...after, errors: after.configErrors }, options, context)
    return 2
  }
  const today = new Date().toISOString().slice(0, 10)
  const { levels, failOn: configured } = after.check.config.changes
  const failOn = options.failOn ?? configured
  const found = compare(before.comparable, after.comparable, { today, levels })
  const selected = {
    ...found,
    changes: selectChanges(found.changes, { paths: options.path, tags: options.tag }, before.comparable, after.comparable),
  }
  const located = await locateChanges(selected, { base: before.check.sources, revision: after.check.sources })
  const placed = isForGithub ? await placeInRevision(located, after.check.sources) : located
  const comparison = toShownComparison(placed, named)
  progress.clear()
  const listed = { ...comparison, changes: comparison.changes.filter(({ level }) => !options.only || level === options.only) }
  const read = { base: before, revision: after }
  if (options.format === 'text') printText(listed, options, read, context)
  else context.stdout.write(await formatChanges(listed, { ...options, format: options.format, failOn }, read))
  if (!options.quiet) {
    if (options.format === 'text' || options.format === 'github') printSummary(comparison, options, context)
    warnAboutErrors(read, context)
  }
  return comparison.changes.some((change) => meetsThreshold(change, failOn)) ? 1 : 0
}

interface ReadDocument {
  readonly named: NamedDocument
  readonly check: Awaited<ReturnType<typeof checkEntryDocument>>
  /** Absent if the document cannot be read as OpenAPI. */
  readonly comparable: ComparableDescription | undefined
  /** Errors of the description. */
  readonly errors: readonly Diagnostic[]
  /** Errors of the nearest configuration file. */
  readonly configErrors: readonly Diagnostic[]
}

async function readDocument(named: NamedDocument): Promise<ReadDocument> {
  const check = await checkEntryDocument(named.entry, named.environment, { checksExamples: false })
  const errors = await listErrors(
    check.findings.filter((finding) => !check.configFindings.includes(finding)),
    check,
  )
  return { named, check, comparable: toComparable(check), errors, configErrors: await listErrors(check.configFindings, check) }
}

async function listErrors(findings: readonly Finding[], { sources }: DescriptionCheck): Promise<Diagnostic[]> {
  const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
  return diagnostics.filter(({ severity }) => severity === 'error')
}

async function printErrors(
  { named, check, errors }: ReadDocument,
  options: ChangesCommandOptions,
  context: CliContext,
): Promise<void> {
  const diagnostics = renameFiles(errors, named.toShown)
  const inDocument = reportUnreadable(
    diagnostics.filter((diagnostic) => isUnreadable(diagnostic)),
    context.stderr,
  )
  const others = diagnostics.filter((diagnostic) => !isUnreadable(diagnostic))
  const sources = toShownSources(check, named)
  await printDiagnostics(context.stderr, { diagnostics: [...inDocument, ...others], sources }, options, context)
}

function toShownSources({ sources }: DescriptionCheck, { toShown }: NamedDocument): ReadonlyMap<string, SourceFile> {
  return new Map([...sources].map(([file, source]) => [toShown(file), source]))
}

/** Replaces the file names of a comparison by names relative to the working directory. */
function toShownComparison(
  comparison: Comparison,
  named: { readonly base: NamedDocument; readonly revision: NamedDocument },
): Comparison {
  const rename = (document: ComparedDocument, { toShown }: NamedDocument) => ({
    ...document,
    document: toShown(document.document),
  })
  const move = (place: LocatedPlace, { toShown }: NamedDocument) => ({ ...place, file: toShown(place.file) })
  return {
    base: rename(comparison.base, named.base),
    revision: rename(comparison.revision, named.revision),
    changes: comparison.changes.map((change) => ({
      ...change,
      base: change.base && move(change.base, named.base),
      revision: change.revision && move(change.revision, named.revision),
      ...(change.surrounding ? { surrounding: move(change.surrounding, named.revision) } : {}),
    })),
  }
}

interface ReadDocuments {
  readonly base: ReadDocument
  readonly revision: ReadDocument
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
  const sources = { base: toShownSources(base.check, base.named), revision: toShownSources(revision.check, revision.named) }
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
