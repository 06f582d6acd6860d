import { type Diagnostic, type Finding, renameFiles } from '../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../diagnostics/finish-diagnostics.ts'
import { markAccepted } from '../openapi/changes/accepted-changes.ts'
import { compare, toComparable } from '../openapi/changes/compare.ts'
import { locateChanges } from '../openapi/changes/locate-changes.ts'
import { placeInRevision } from '../openapi/changes/place-in-revision.ts'
import { selectChanges } from '../openapi/changes/select-changes.ts'
import type { ComparableDescription, ComparedDocument, Comparison, LocatedPlace } from '../openapi/changes/types.ts'
import { isUrl, parentPath, relativePath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { type AcceptedFile, findAcceptedFile, readAcceptedFile } from '../update/read-accepted-changes.ts'
import { checkEntryDocument } from '../update/run-check.ts'
import type { CliContext } from './cli-context.ts'
import { isUnreadable, reportUnreadable } from './command-errors.ts'
import type { CommonOptions } from './command-options.ts'
import { type NamedDocument, openNamedDocument } from './open-revision.ts'
import { printDiagnostics } from './print-diagnostics.ts'
import type { Progress } from './terminal.ts'

/** A document of the comparison. */
export interface ReadDocument {
  readonly named: NamedDocument
  readonly check: Awaited<ReturnType<typeof checkEntryDocument>>
  /** Errors of the description. */
  readonly errors: readonly Diagnostic[]
}

export interface ReadDocuments {
  readonly base: ReadDocument
  readonly revision: ReadDocument
}

/** Two versions of a document with their changes. */
export interface ComparedVersions extends ReadDocuments {
  /** With the file names that are shown. */
  readonly comparison: Comparison
  readonly accepted: AcceptedFile
  /** The entry document of the revision as entries of the file name it. */
  readonly acceptedDocument: string
}

interface CompareNamedOptions extends Omit<CommonOptions, 'format'> {
  /** The directory to which shown paths are relative. */
  readonly shownFrom: string
  /** Paths with `*`; empty for all. */
  readonly path?: readonly string[]
  /** Names of tags; empty for all. */
  readonly tag?: readonly string[]
  /** Whether everything that was removed gets a place in the revision. */
  readonly placesRemoved?: boolean
  /** Which file with accepted changes counts. `disk`: the one that can be edited, if the revision is in git. Default: `revision`. */
  readonly acceptedIn?: 'revision' | 'disk'
}

/**
 * Compares two versions of a document that the arguments of a command name. Prints errors and resolves with `undefined` if a version, the
 * configuration file or the file with accepted changes cannot be used.
 *
 * @throws {ConfigError} if an argument is a directory or outside the boundary.
 * @throws {GitError} if a git revision does not exist.
 */
export async function compareNamed(
  { base, revision }: { readonly base: string; readonly revision: string },
  options: CompareNamedOptions,
  context: CliContext,
  progress: Progress,
): Promise<ComparedVersions | undefined> {
  const named = {
    base: await openNamedDocument(base, options, context, progress),
    revision: await openNamedDocument(revision, options, context, progress),
  }
  progress.step(`reading ${base}`)
  const before = await readDocument(named.base)
  progress.step(`reading ${revision}`)
  const after = await readDocument(named.revision)
  progress.step('comparing')
  const accepted = await readAccepted(named.revision, options)
  const print = async (one: ReadDocument, errors: readonly Diagnostic[], source?: SourceFile) => {
    progress.clear()
    await printErrors(one, errors, source, options, context)
  }
  if (!before.comparable || !after.comparable) {
    for (const one of [before, after]) if (!one.comparable) await print(one, one.errors)
    return undefined
  }
  // Without a valid configuration, the levels can be wrong.
  const configErrors = await listErrors(after.check.configFindings, after.check.sources)
  if (configErrors.length > 0) {
    await print(after, configErrors)
    return undefined
  }
  if (accepted.findings.length > 0) {
    const { path, source } = accepted
    await print(after, await listErrors(accepted.findings, new Map(source ? [[path, source]] : [])), source)
    return undefined
  }
  const today = new Date().toISOString().slice(0, 10)
  const found = compare(before.comparable, after.comparable, { today, levels: after.check.config.changes.levels })
  const filter = { paths: options.path ?? [], tags: options.tag ?? [] }
  const selected = { ...found, changes: selectChanges(found.changes, filter, before.comparable, after.comparable) }
  const located = await locateChanges(selected, { base: before.check.sources, revision: after.check.sources })
  const placed = options.placesRemoved ? await placeInRevision(located, after.check.sources) : located
  const { entry } = named.revision
  const acceptedDocument = isUrl(entry) ? entry : relativePath(parentPath(accepted.path), entry)
  const entries = {
    revision: accepted.entries,
    base: await readEntriesOfBase(accepted.path, named),
    document: acceptedDocument,
  }
  const comparison = toShownComparison(markAccepted(placed, entries), named)
  progress.clear()
  return { comparison, base: before, revision: after, accepted, acceptedDocument }
}

async function readAccepted(
  { entry, environment, workspace }: NamedDocument,
  { acceptedIn }: Pick<CompareNamedOptions, 'acceptedIn'>,
): Promise<AcceptedFile> {
  const path = await findAcceptedFile(entry, environment.files)
  return await readAcceptedFile(path, acceptedIn === 'disk' ? workspace.environment.files : environment.files)
}

/** Returns `undefined` if the two versions are not of the same repository, so that no entry counts as new. */
async function readEntriesOfBase(path: string, { base, revision }: { base: NamedDocument; revision: NamedDocument }) {
  if (base.toShown(path) !== revision.toShown(path)) return undefined
  return (await readAcceptedFile(path, base.environment.files)).entries
}

async function readDocument(
  named: NamedDocument,
): Promise<ReadDocument & { readonly comparable?: ComparableDescription | undefined }> {
  const check = await checkEntryDocument(named.entry, named.environment, { checksExamples: false })
  const findings = check.findings.filter((finding) => !check.configFindings.includes(finding))
  return { named, check, comparable: toComparable(check), errors: await listErrors(findings, check.sources) }
}

async function listErrors(findings: readonly Finding[], sources: ReadonlyMap<string, SourceFile>): Promise<Diagnostic[]> {
  const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
  return diagnostics.filter(({ severity }) => severity === 'error')
}

async function printErrors(
  one: ReadDocument,
  errors: readonly Diagnostic[],
  source: SourceFile | undefined,
  options: CompareNamedOptions,
  context: CliContext,
): Promise<void> {
  const { toShown } = one.named
  const diagnostics = renameFiles(errors, toShown)
  const inDocument = reportUnreadable(
    diagnostics.filter((diagnostic) => isUnreadable(diagnostic)),
    context.stderr,
  )
  const others = diagnostics.filter((diagnostic) => !isUnreadable(diagnostic))
  const sources = new Map([...toShownSources(one), ...(source ? [[toShown(source.path), source] as const] : [])])
  await printDiagnostics(context.stderr, { diagnostics: [...inDocument, ...others], sources }, options, context)
}

/** The sources of a document by the names that are shown. */
export function toShownSources({ check, named }: ReadDocument): ReadonlyMap<string, SourceFile> {
  return new Map([...check.sources].map(([file, source]) => [named.toShown(file), source]))
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
