import { type Diagnostic, formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { ChangeLevel } from '../../openapi/changes/change-codes.ts'
import { countChanges, formatChangesJson } from '../../openapi/changes/changes-json.ts'
import { formatChangesText, formatLevels } from '../../openapi/changes/changes-text.ts'
import { compare, toComparable } from '../../openapi/changes/compare.ts'
import { locateChanges } from '../../openapi/changes/locate-changes.ts'
import type { Change, ComparableDescription, ComparedDocument, Comparison, LocatedPlace } from '../../openapi/changes/types.ts'
import type { DescriptionCheck } from '../../openapi/check-description.ts'
import { escapeText } from '../../source/escape-text.ts'
import type { SourceFile } from '../../source/source-file.ts'
import { checkEntryDocument } from '../../update/run-check.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, choiceOption, type DefineCommand } from '../command-options.ts'
import { type NamedDocument, openNamedDocument } from '../open-revision.ts'
import { lineWidth, printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette, createProgress } from '../terminal.ts'

const thresholds = ['breaking', 'risky', 'any', 'never'] as const

interface ChangesCommandOptions extends CommonOptions {
  /** The least severe level that makes the command fail. */
  readonly failOn: (typeof thresholds)[number]
  readonly only?: ChangeLevel
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
        'exit with code 1 for changes of this level or worse: breaking, risky, any, never (default: never)',
        thresholds,
      ).default('never'),
    )
    .addOption(
      choiceOption('--only <level>', 'list only changes of this level: breaking, risky, compatible', [
        'breaking',
        'risky',
        'compatible',
      ]),
    )
  addCommonOptions(command, ['text', 'json'])
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
  openapi-pages changes old.yaml openapi.yaml --format json | jq '.changes[].message'`,
    )
    .action(async (base: string, revision: string, options: ChangesCommandOptions) => {
      end(await runChangesCommand(base, revision, options, context))
    })
}

/** Compares two descriptions and prints their changes. */
async function runChangesCommand(
  base: string,
  revision: string,
  options: ChangesCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const progress = createProgress(context.stderr, options.quiet)
  const named = {
    base: await openNamedDocument(base, options, context, progress),
    revision: await openNamedDocument(revision, options, context, progress),
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
  const today = new Date().toISOString().slice(0, 10)
  const found = compare(before.comparable, after.comparable, { today })
  const located = await locateChanges(found, { base: before.check.sources, revision: after.check.sources })
  const comparison = toShownComparison(located, named)
  progress.clear()
  const listed = { ...comparison, changes: comparison.changes.filter(({ level }) => !options.only || level === options.only) }
  if (options.format === 'json') context.stdout.write(formatChangesJson(listed))
  else printText(listed, comparison, { base: before, revision: after }, options, context)
  return isFailure(comparison.changes, options) ? 1 : 0
}

interface ReadDocument {
  readonly named: NamedDocument
  readonly check: DescriptionCheck
  /** Absent if the document cannot be read as OpenAPI. */
  readonly comparable: ComparableDescription | undefined
  readonly errorCount: number
}

async function readDocument(named: NamedDocument): Promise<ReadDocument> {
  const check = await checkEntryDocument(named.entry, named.environment, { checksExamples: false })
  const errorCount = (await listErrors(check)).length
  return { named, check, comparable: toComparable(check), errorCount }
}

async function listErrors({ findings, sources }: DescriptionCheck): Promise<Diagnostic[]> {
  const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
  return diagnostics.filter(({ severity }) => severity === 'error')
}

async function printErrors({ named, check }: ReadDocument, options: ChangesCommandOptions, context: CliContext): Promise<void> {
  const diagnostics = renameFiles(await listErrors(check), named.toShown)
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
  const move = (place: LocatedPlace | null, { toShown }: NamedDocument) => place && { ...place, file: toShown(place.file) }
  return {
    base: rename(comparison.base, named.base),
    revision: rename(comparison.revision, named.revision),
    changes: comparison.changes.map((change) => ({
      ...change,
      base: move(change.base, named.base),
      revision: move(change.revision, named.revision),
    })),
  }
}

function printText(
  listed: Comparison,
  all: Comparison,
  read: { readonly base: ReadDocument; readonly revision: ReadDocument },
  options: ChangesCommandOptions,
  context: CliContext,
): void {
  const { stdout, stderr } = context
  const palette = choosePalette(stdout, context, options.color)
  const sources = {
    base: toShownSources(read.base.check, read.base.named),
    revision: toShownSources(read.revision.check, read.revision.named),
  }
  const text = formatChangesText(listed, {
    palette,
    sources: { base: (file) => sources.base.get(file), revision: (file) => sources.revision.get(file) },
    all: options.all,
    lineWidth: lineWidth(stdout),
  })
  if (text !== '') stdout.write(options.quiet ? text : `${text}\n`)
  if (options.quiet) return
  stdout.write(formatSummary(all, palette))
  for (const { named, errorCount } of [read.base, read.revision]) {
    if (errorCount === 0) continue
    const shown = escapeText(named.toShown(named.entry))
    stderr.write(
      `${shown} has ${formatCount(errorCount, 'error')}, so the list can be incomplete. Run \`openapi-pages check ${shown}\`.\n`,
    )
  }
}

function formatSummary({ base, revision, changes }: Comparison, palette: ReturnType<typeof choosePalette>): string {
  const counts = countChanges(changes)
  const names = base.document === revision.document ? base.document : `${base.document} → ${revision.document}`
  const versions = base.version === revision.version ? base.version : `${base.version} → ${revision.version}`
  const facts = palette.dim(`(${escapeText(names)}, ${escapeText(versions)})`)
  if (changes.length === 0) return `${palette.success('✔ No changes for API clients')} ${facts}\n`
  const total = `${formatLevels(counts)} ${changes.length === 1 ? 'change' : 'changes'}`
  const shown = counts.breaking > 0 ? palette.error(`✖ ${total}`) : palette.success(`✔ ${total}`)
  return `${shown} ${facts}\n`
}

function isFailure(changes: readonly Change[], { failOn }: ChangesCommandOptions): boolean {
  if (failOn === 'never') return false
  return changes.some(({ level }) => failOn === 'any' || level === 'breaking' || (failOn === 'risky' && level === 'risky'))
}
